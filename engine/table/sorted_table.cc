#include "engine/table/sorted_table.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_util.h"
#include "engine/table/block.h"
#include "engine/table/block_cursor.h"
#include "engine/table/table_iterator.h"

namespace kiban::table {

using base::Corruption;

absl::StatusOr<std::shared_ptr<const SortedTable>> SortedTable::Open(TableFile file,
                                                                     cache::BlockCache* cache) {
  ASSIGN_OR_RETURN(const Footer footer, ReadFooter(file.path(), file.size_bytes(), file.tail()));
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
  return std::shared_ptr<const SortedTable>(
      new SortedTable(std::move(file), cache, footer, *std::move(filter), std::move(index)));
}

SortedTable::SortedTable(TableFile file, cache::BlockCache* cache, const Footer& footer,
                         Filter filter, Index index)
    : file_(std::move(file)),
      cache_(cache),
      footer_(footer),
      filter_(std::move(filter)),
      index_(std::move(index)) {}

absl::StatusOr<std::optional<Found>> SortedTable::Get(std::string_view key,
                                                      base::Sequence at) const {
  const std::optional<Found> none;
  if (!filter_.MayContain(Filter::HashOf(key))) return none;
  const size_t i = index_.Find(key, at);
  if (i == index_.block_count()) return none;
  ASSIGN_OR_RETURN(const cache::Block block, FindBlock(i));
  RawEntry raw;
  if (!FindInBlock(*block, key, at, raw)) return none;
  return Found{raw.sequence(), raw.kind(), std::string(raw.value)};
}

std::unique_ptr<Iterator> SortedTable::NewIterator() const {
  return std::make_unique<TableIterator>(shared_from_this());
}

absl::StatusOr<cache::Block> SortedTable::FindBlock(size_t i) const {
  if (cache_ == nullptr) return ReadBlock(i);
  return cache_->FindOrLoad(file_number(), index_.block_offset(i),
                            [this, i] { return ReadBlock(i); });
}

absl::StatusOr<cache::Block> SortedTable::ReadBlock(size_t i) const {
  const uint64_t offset = index_.block_offset(i);
  ASSIGN_OR_RETURN(std::string block, file_.ReadBlock(offset, index_.block_bytes(i)));
  BlockEnds ends;
  const char* wrong = CheckBlock(block, ends);
  if (wrong == nullptr) wrong = CheckFences(i, ends);
  if (wrong != nullptr) return Corruption(file_.path(), offset, wrong);
  return std::make_shared<const std::string>(std::move(block));
}

const char* SortedTable::CheckFences(size_t i, const BlockEnds& ends) const {
  if (i == 0) {
    if (ends.first_key != index_.smallest_key()) return "the first key is not the smallest";
  } else if (Compare(index_.key(i - 1), index_.sequence(i - 1), ends.first_key,
                     ends.first_sequence) >= 0) {
    return "the first entry is before the block's fences";
  }
  const auto last = Compare(ends.last_key, ends.last_sequence, index_.key(i), index_.sequence(i));
  if (last > 0) return "the last entry is behind the block's fences";
  if (i + 1 == index_.block_count() && last != 0) return "the last entry is not the largest";
  return nullptr;
}

absl::Status SortedTable::Verify() const {
  uint64_t entry_count = 0;
  uint64_t key_count = 0;
  base::Sequence sequence_min = UINT64_MAX;
  base::Sequence sequence_max = 0;
  std::string last_key;
  BlockCursor cursor;
  for (size_t i = 0; i < index_.block_count(); ++i) {
    ASSIGN_OR_RETURN(const cache::Block block, ReadBlock(i));
    cursor.Reset(*block);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      const Entry& entry = cursor.entry();
      if (entry_count == 0 || entry.key != last_key) {
        ++key_count;
        last_key = entry.key;
        if (!filter_.MayContain(Filter::HashOf(entry.key))) {
          return Corruption(file_.path(), footer_.filter_offset(), "the filter denies a key");
        }
      }
      ++entry_count;
      sequence_min = std::min(sequence_min, entry.sequence);
      sequence_max = std::max(sequence_max, entry.sequence);
    }
  }
  if (key_count != filter_.key_count()) {
    return Corruption(file_.path(), footer_.filter_offset(), "the filter is of other keys");
  }
  if (entry_count != footer_.entry_count || sequence_min != footer_.sequence_min ||
      sequence_max != footer_.sequence_max) {
    return Corruption(file_.path(), footer_.footer_offset(), "the footer is of other entries");
  }
  return absl::OkStatus();
}

}  // namespace kiban::table
