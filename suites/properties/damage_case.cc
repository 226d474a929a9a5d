#include "suites/properties/damage_case.h"

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/pointindex/format.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

constexpr size_t kFooterCrcFromEnd = 16;

rc::Gen<TableEdit> TableEdits() {
  const auto parts = rc::gen::weightedElement<Part>({{2, Part::kFile},
                                                     {2, Part::kBlocks},
                                                     {3, Part::kPointIndex},
                                                     {3, Part::kFields},
                                                     {3, Part::kSlots},
                                                     {1, Part::kFilter},
                                                     {1, Part::kIndex},
                                                     {1, Part::kFooter}});
  return rc::gen::apply([](Part part, Edit edit) { return TableEdit{part, edit}; }, parts, Edits());
}

// Of a value alone, and sealed: damage that nothing in the file can tell from what was written.
rc::Gen<std::vector<TableEdit>> EditsOfTheValue() {
  const auto edits = rc::gen::container<std::vector<Edit>>(3, Edits());
  return rc::gen::map(edits, [](const std::vector<Edit>& drawn) {
    std::vector<TableEdit> of_value;
    for (const Edit& edit : drawn) of_value.push_back({Part::kValue, edit});
    for (TableEdit& each : of_value) {
      if (each.edit.kind == EditKind::kTruncate) each.edit.kind = EditKind::kFlip;
    }
    of_value.back().edit.kind = EditKind::kSwap;
    return of_value;
  });
}

}  // namespace

bool DamageCase::is_sealed() const {
  return std::any_of(edits.begin(), edits.end(),
                     [](const TableEdit& each) { return each.edit.kind == EditKind::kSwap; });
}

rc::Gen<DamageCase> DamageCases() {
  const auto anywhere = rc::gen::mapcat(
      rc::gen::resize(rc::kNominalSize, rc::gen::inRange<uint32_t>(1, 9)), [](uint32_t count) {
        return rc::gen::container<std::vector<TableEdit>>(count, TableEdits());
      });
  return rc::gen::apply(
      [](TableCase table, std::vector<TableEdit> drawn) {
        return DamageCase{std::move(table), std::move(drawn)};
      },
      TableCases(),
      rc::gen::weightedOneOf<std::vector<TableEdit>>({{3, anywhere}, {1, EditsOfTheValue()}}));
}

void showValue(const DamageCase& c, std::ostream& os) {
  static constexpr const char* kNames[] = {"file",  "blocks", "point index", "fields", "slots",
                                           "value", "filter", "index",       "footer"};
  showValue(c.table, os);
  for (const TableEdit& each : c.edits) {
    os << "\nin the " << kNames[static_cast<size_t>(each.part)] << ": ";
    showValue(each.edit, os);
  }
}

TableParts::TableParts(const table::SortedTable& table, std::string_view bytes)
    : file_number_(table.file_number()) {
  const table::Footer& footer = table.footer();
  const auto span = [this](Part part, uint64_t begin, uint64_t end) {
    spans_[static_cast<size_t>(part)] = {static_cast<size_t>(begin), static_cast<size_t>(end)};
  };
  const uint64_t section = footer.point_index_offset();
  const uint64_t slots = section + pointindex::kHeaderBytes + pointindex::kPh3FieldsBytes;
  span(Part::kFile, 0, bytes.size());
  span(Part::kBlocks, 0, footer.data_bytes);
  span(Part::kPointIndex, section, footer.filter_offset());
  span(Part::kFields, section, slots);
  span(Part::kSlots, slots, footer.filter_offset());
  std::string longest;
  const auto iterator = table.NewIterator();
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    if (iterator->entry().value.size() > longest.size()) longest = iterator->entry().value;
  }
  const size_t value = bytes.find(longest);
  span(Part::kValue, value, value + longest.size());
  span(Part::kFilter, footer.filter_offset(), footer.index_offset());
  span(Part::kIndex, footer.index_offset(), footer.footer_offset());
  span(Part::kFooter, footer.footer_offset(), bytes.size());
  for (size_t i = 0; i < table.index().block_count(); ++i) {
    const uint64_t begin = table.index().block_offset(i);
    sealed_.push_back(
        {static_cast<size_t>(begin), static_cast<size_t>(begin + table.index().block_bytes(i))});
  }
  for (const Part part : {Part::kPointIndex, Part::kFilter, Part::kIndex}) {
    sealed_.push_back((*this)[part]);
  }
}

void TableParts::Seal(std::string& bytes) const {
  for (const Span& part : sealed_) {
    if (part.end > bytes.size()) continue;
    const size_t crc_at = part.end - table::kCrcBytes;
    const std::string_view covered(bytes.data() + part.begin, crc_at - part.begin);
    base::StoreLittle(bytes.data() + crc_at, base::PlacedCrc32(file_number_, part.begin, covered));
  }
  const Span footer = (*this)[Part::kFooter];
  if (footer.end > bytes.size()) return;
  const std::string_view text(bytes.data() + footer.begin, footer.end - footer.begin);
  const size_t crc_at = text.size() - kFooterCrcFromEnd;
  const uint32_t before = base::PlacedCrc32(file_number_, footer.begin, text.substr(0, crc_at));
  base::StoreLittle(bytes.data() + footer.begin + crc_at,
                    base::Crc32(before, text.substr(crc_at + table::kCrcBytes)));
}

std::string Damaged(const DamageCase& c, const TableParts& parts, std::string bytes,
                    std::string_view other) {
  for (const TableEdit& each : c.edits) Apply(each.edit, other, parts[each.part], bytes);
  if (c.is_sealed()) parts.Seal(bytes);
  return bytes;
}

}  // namespace kiban::suites
