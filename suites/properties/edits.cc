#include "suites/properties/edits.h"

#include <algorithm>

#include "engine/base/bytes.h"

namespace kiban::suites {
namespace {

void Overwrite(std::string& bytes, size_t at, std::string_view with, size_t end) {
  const size_t count = std::min(with.size(), end - at);
  bytes.replace(at, count, with.substr(0, count));
}

void Swap(const Edit& edit, Span part, std::string& bytes) {
  const size_t field_bytes = size_t{1} << (edit.bytes % 4);
  const size_t fields = (part.end - part.begin) / field_bytes;
  if (fields == 0) return;
  const size_t a = part.begin + edit.at % fields * field_bytes;
  const size_t b = part.begin + edit.from % fields * field_bytes;
  const std::string field = bytes.substr(a, field_bytes);
  bytes.replace(a, field_bytes, bytes.substr(b, field_bytes));
  bytes.replace(b, field_bytes, field);
}

}  // namespace

void Apply(const Edit& edit, std::string_view other, Span part, std::string& bytes) {
  part.end = std::min(part.end, bytes.size());
  if (part.begin >= part.end) return;
  const size_t at = part.begin + edit.at % (part.end - part.begin);
  switch (edit.kind) {
    case EditKind::kFlip:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << edit.from % 8);
      return;
    case EditKind::kOverwrite: {
      char fill[8];
      base::StoreLittle(fill, edit.fill);
      return Overwrite(bytes, at, {fill, edit.bytes % 8 + 1}, part.end);
    }
    case EditKind::kSplice:
      if (other.empty()) return;
      return Overwrite(bytes, at, other.substr(edit.from % other.size(), edit.bytes + 1), part.end);
    case EditKind::kTruncate:
      return bytes.resize(at);
    case EditKind::kSwap:
      return Swap(edit, part, bytes);
  }
}

bool AreSealed(const std::vector<Edit>& edits) {
  return std::any_of(edits.begin(), edits.end(),
                     [](const Edit& edit) { return edit.kind == EditKind::kSwap; });
}

rc::Gen<Edit> Edits() {
  const auto kinds = rc::gen::weightedElement<EditKind>({{4, EditKind::kFlip},
                                                         {4, EditKind::kOverwrite},
                                                         {2, EditKind::kSplice},
                                                         {1, EditKind::kTruncate},
                                                         {4, EditKind::kSwap}});
  // Whatever the size: a place is not to be near the beginning because a case is to be small.
  return rc::gen::resize(
      rc::kNominalSize,
      rc::gen::apply(
          [](EditKind kind, uint32_t at, uint32_t from, uint32_t bytes, uint64_t fill) {
            return Edit{kind, at, from, bytes, fill};
          },
          kinds, rc::gen::inRange<uint32_t>(0, 1u << 20), rc::gen::inRange<uint32_t>(0, 1u << 20),
          rc::gen::inRange<uint32_t>(0, 64), rc::gen::arbitrary<uint64_t>()));
}

rc::Gen<std::vector<Edit>> EditLists(uint32_t count_max) {
  return rc::gen::mapcat(
      rc::gen::resize(rc::kNominalSize, rc::gen::inRange<uint32_t>(1, count_max + 1)),
      [](uint32_t count) { return rc::gen::container<std::vector<Edit>>(count, Edits()); });
}

void showValue(const Edit& edit, std::ostream& os) {
  static constexpr const char* kNames[] = {"flip", "overwrite", "splice", "truncate", "swap"};
  os << kNames[static_cast<size_t>(edit.kind)] << " at " << edit.at << " from " << edit.from
     << " bytes " << edit.bytes << " fill " << edit.fill;
}

}  // namespace kiban::suites
