// A position in a table of format 3 or 4: a block and a place in it.
#pragma once

#include <memory>

#include "engine/table/block_cursor.h"
#include "engine/table/iterator.h"
#include "engine/table/sorted_table.h"

namespace kiban::table {

class TableIterator final : public Iterator {
 public:
  explicit TableIterator(std::shared_ptr<const SortedTable> table) : table_(std::move(table)) {}

  bool Valid() const override { return cursor_.Valid(); }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(std::string_view key, base::Sequence sequence) override;
  void SeekBefore(std::string_view key, base::Sequence sequence) override;
  void Next() override;
  void Prev() override;
  const Entry& entry() const override;
  absl::Status status() const override { return status_; }

 private:
  // Puts the cursor into the i-th block, at no place yet. False, and not Valid(), if there is no
  // such block or it cannot be had.
  bool EnterBlock(size_t i);

  std::shared_ptr<const SortedTable> table_;
  absl::Status status_;
  size_t block_index_ = SIZE_MAX;
  cache::Block owner_;  // Of the block, unless the table is.
  BlockCursor cursor_;
};

}  // namespace kiban::table
