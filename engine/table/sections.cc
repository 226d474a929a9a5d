#include "engine/table/sections.h"

#include <optional>
#include <utility>

#include "engine/base/status_util.h"
#include "engine/table/block.h"

namespace kiban::table {
namespace {

using base::Corruption;

// Null if the ends of the i-th block agree with the fences around it, otherwise what is wrong.
const char* CheckFences(const Index& index, size_t i, const BlockEnds& ends) {
  if (i == 0) {
    if (ends.first_key != index.smallest_key()) return "the first key is not the smallest";
  } else if (Compare(index.key(i - 1), index.sequence(i - 1), ends.first_key,
                     ends.first_sequence) >= 0) {
    return "the first entry is before the block's fences";
  }
  const auto last = Compare(ends.last_key, ends.last_sequence, index.key(i), index.sequence(i));
  if (last > 0) return "the last entry is behind the block's fences";
  if (i + 1 == index.block_count() && last != 0) return "the last entry is not the largest";
  // A version between the two would be sought here, though the next block may have an older one.
  if (last != 0 && index.sequence(i) != 0) return "the fence is among the versions of its key";
  return nullptr;
}

}  // namespace

absl::StatusOr<Sections> Sections::Open(TableFile file, uint32_t version,
                                        pointindex::Layout newest) {
  ASSIGN_OR_RETURN(const Footer footer,
                   ReadFooter(file.path(), file.size_bytes(), file.tail(), version, newest));
  RETURN_IF_ERROR(file.ExtendTail(footer.filter_offset()));
  const uint64_t file_number = file.file_number();

  std::optional<Filter> filter =
      Filter::Decode(file_number, footer.filter_offset(),
                     file.InTail(footer.filter_offset(), footer.filter_bytes));
  if (!filter.has_value() || filter->key_count() > footer.entry_count) {
    return Corruption(file.path(), footer.filter_offset(), "the filter is damaged");
  }
  ASSIGN_OR_RETURN(Index index,
                   Index::Decode(file.path(), file_number, footer,
                                 file.InTail(footer.index_offset(), footer.index_bytes)));
  file.ForgetTail();
  return Sections{std::move(file), footer, *std::move(filter), std::move(index)};
}

absl::StatusOr<std::string> Sections::ReadBlock(size_t i) const {
  std::string bytes(static_cast<size_t>(index.block_bytes(i)), '\0');
  RETURN_IF_ERROR(file.Read(index.block_offset(i), bytes));
  ASSIGN_OR_RETURN(const std::string_view block, CheckBlock(i, bytes));
  bytes.resize(block.size());
  return bytes;
}

absl::StatusOr<std::string_view> Sections::CheckBlock(size_t i, std::string_view bytes) const {
  const uint64_t offset = index.block_offset(i);
  if (!file.HasItsCrc(offset, bytes)) {
    return Corruption(file.path(), offset, "the block's checksum does not hold");
  }
  const std::string_view block = bytes.substr(0, bytes.size() - kCrcBytes);
  BlockEnds ends;
  const char* wrong = table::CheckBlock(block, ends);
  if (wrong == nullptr) wrong = CheckFences(index, i, ends);
  if (wrong != nullptr) return Corruption(file.path(), offset, wrong);
  return block;
}

}  // namespace kiban::table
