#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/table/inspect.h"
#include "tools/inspect_file.h"

namespace kiban::tools {
namespace {

using table::PartDescription;
using table::TableDescription;

// Takes down each part, and its damage.
class TableReport {
 public:
  TableReport(const std::string& path, FileReport& report) : path_(path), report_(report) {}

  void Add(const std::string& name, const PartDescription& part, std::string contents) {
    if (!part.status.ok()) contents = "DAMAGED";
    report_.Add(name, part.offset, part.bytes, std::move(contents));
    report_.Note(path_, name, part.status);
  }
  void AddMore(std::string line) { report_.structures.back().more.push_back(std::move(line)); }

 private:
  const std::string& path_;
  FileReport& report_;
};

std::string LayoutOf(const table::Footer& footer) {
  return footer.layout ? absl::StrCat(" (PH", static_cast<uint32_t>(*footer.layout), ")") : "";
}

std::string Version(std::string_view key, base::Sequence sequence) {
  return absl::StrCat(ShownKey(key), " ", sequence);
}

void AddBlocks(const TableDescription& table, TableReport& report) {
  for (size_t i = 0; i < table.blocks.size(); ++i) {
    const table::BlockDescription& block = table.blocks[i];
    report.Add(absl::StrCat("block ", i), block.part,
               absl::StrCat(Counted(block.entry_count, "entry", "entries"), " from ",
                            Version(block.first_key, block.first_sequence), "; fence ",
                            Version(block.fence_key, block.fence_sequence)));
  }
}

double ForEach(uint64_t count, uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(count);
}

// Bits of each field, as PH3 lays them out.
std::string FieldBits(const pointindex::Ph3Layout& layout) {
  std::string text = "bits:";
  const auto add = [&](absl::string_view name, const pointindex::FieldWidth& width) {
    absl::StrAppend(&text, " ", name, " ", width.bits);
  };
  add("fingerprint", layout.key_widths[pointindex::kFingerprint]);
  add("group", layout.key_widths[pointindex::kGroup]);
  add("shared", layout.key_widths[pointindex::kSharedBytes]);
  add("suffix-offset", layout.key_widths[pointindex::kSuffixOffset]);
  add("suffix", layout.key_widths[pointindex::kSuffixBytes]);
  add("older-first", layout.key_widths[pointindex::kOlderFirst]);
  add("older-count", layout.key_widths[pointindex::kOlderCount]);
  add("sequence", layout.version_widths[pointindex::kSequence]);
  add("kind", layout.version_widths[pointindex::kKind]);
  add("value-offset", layout.version_widths[pointindex::kValueOffset]);
  add("value", layout.version_widths[pointindex::kValueBytes]);
  return text;
}

void AddPointIndex(const table::PointIndexDescription& index, TableReport& report) {
  const uint64_t keys = std::max<uint64_t>(1, index.header.key_count);
  const pointindex::SectionSizes& sizes = index.sizes;
  report.Add(
      "point index", index.part,
      absl::StrFormat("PH%d, %d keys, %d records, seed %d, %.1f bytes a key",
                      static_cast<uint32_t>(index.header.layout), index.header.key_count,
                      index.header.record_count, index.header.seed, ForEach(keys, sizes.total)));
  if (!index.part.status.ok()) return;
  report.AddMore(absl::StrFormat(
      "bytes a key: pilots %.2f, slots %.2f, keys %.2f, versions %.2f, "
      "arena %.2f",
      ForEach(keys, sizes.pilots), ForEach(keys, sizes.slots), ForEach(keys, sizes.keys),
      ForEach(keys, sizes.versions), ForEach(keys, sizes.arena)));
  if (index.fields) report.AddMore(FieldBits(*index.fields));
}

void AddParts(const TableDescription& table, TableReport& report) {
  AddBlocks(table, report);
  if (table.point_index) AddPointIndex(*table.point_index, report);
  report.Add("filter", table.filter.part,
             absl::StrCat(Counted(table.filter.key_count, "key", "keys"), ", ",
                          table.filter.bit_count, " bits (", table.filter.bits_per_key, " a key), ",
                          table.filter.probe_count, " probes"));
  report.Add("index", table.index.part,
             absl::StrCat(Counted(table.blocks.size(), "fence", "fences"), ", smallest key ",
                          ShownKey(table.index.smallest_key)));
}

}  // namespace

FileReport InspectTable(engine::FileSystem& files, const std::string& path, uint64_t number) {
  FileReport report;
  report.title = absl::StrCat("table ", number);
  const absl::StatusOr<TableDescription> described = table::Describe(files, path, number);
  if (!described.ok()) {
    report.Note(path, "table", described.status());
    return report;
  }
  const TableDescription& table = *described;
  const table::Footer& footer = table.footer;
  TableReport parts(path, report);
  if (table.footer_part.status.ok()) {
    absl::StrAppend(&report.title, ", format ", table.version, LayoutOf(footer), ", ",
                    table.file_bytes, " bytes, ", Counted(footer.entry_count, "entry", "entries"));
    AddParts(table, parts);
  } else {
    absl::StrAppend(&report.title, ", ", table.file_bytes, " bytes");
  }
  parts.Add("footer", table.footer_part,
            absl::StrCat(Counted(footer.block_count, "block", "blocks"), ", ",
                         Counted(footer.entry_count, "entry", "entries"), ", sequences ",
                         footer.sequence_min, " to ", footer.sequence_max));
  report.Note(path, "all parts together", table.whole);
  return report;
}

}  // namespace kiban::tools
