#include "engine/table/table_iterator.h"

#include "engine/base/check.h"

namespace kiban::table {

void TableIterator::SeekToFirst() {
  if (EnterBlock(0)) cursor_.SeekToFirst();
}

void TableIterator::SeekToLast() {
  if (EnterBlock(table_->index().block_count() - 1)) cursor_.SeekToLast();
}

void TableIterator::Seek(std::string_view key, base::Sequence sequence) {
  const size_t i = table_->index().Find(key, sequence);
  if (!EnterBlock(i)) return;
  cursor_.Seek(key, sequence);
  // The target may lie between the last entry of a block and its fence.
  if (!cursor_.Valid() && EnterBlock(i + 1)) cursor_.SeekToFirst();
}

void TableIterator::SeekBefore(std::string_view key, base::Sequence sequence) {
  const size_t i = table_->index().Find(key, sequence);
  if (i == table_->index().block_count()) return SeekToLast();
  if (!EnterBlock(i)) return;
  cursor_.SeekBefore(key, sequence);
  if (!cursor_.Valid() && i > 0 && EnterBlock(i - 1)) cursor_.SeekToLast();
}

void TableIterator::Next() {
  CHECK(Valid());
  cursor_.Next();
  if (!cursor_.Valid() && EnterBlock(block_index_ + 1)) cursor_.SeekToFirst();
}

void TableIterator::Prev() {
  CHECK(Valid());
  cursor_.Prev();
  if (!cursor_.Valid() && block_index_ > 0 && EnterBlock(block_index_ - 1)) cursor_.SeekToLast();
}

const Entry& TableIterator::entry() const {
  CHECK(Valid());
  return cursor_.entry();
}

bool TableIterator::EnterBlock(size_t i) {
  cursor_.Leave();
  if (!status_.ok() || i >= table_->index().block_count()) return false;
  if (i == block_index_) return true;
  absl::StatusOr<SortedTable::BlockInMemory> found = table_->FindBlock(i);
  if (!found.ok()) {
    status_ = found.status();
    return false;
  }
  block_index_ = i;
  cursor_.Reset(found->block);
  owner_ = std::move(found->owner);
  return true;
}

}  // namespace kiban::table
