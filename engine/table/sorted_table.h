// A reader of format 3.
#pragma once

#include <memory>

#include "engine/table/block.h"
#include "engine/table/filter.h"
#include "engine/table/footer.h"
#include "engine/table/index.h"
#include "engine/table/reader.h"
#include "engine/table/table_file.h"

namespace kiban::table {

class SortedTable final : public TableReader, public std::enable_shared_from_this<SortedTable> {
 public:
  // `file` is open, its footer intact and of version kVersionSorted.
  static absl::StatusOr<std::shared_ptr<const SortedTable>> Open(TableFile file,
                                                                 cache::BlockCache* cache);

  absl::StatusOr<std::optional<Found>> Get(std::string_view key, base::Sequence at) const override;
  std::unique_ptr<Iterator> NewIterator() const override;
  absl::Status Verify() const override;

  std::string_view smallest_key() const override { return index_.smallest_key(); }
  std::string_view largest_key() const override { return index_.largest_key(); }
  base::Sequence smallest_sequence() const override { return footer_.sequence_min; }
  base::Sequence largest_sequence() const override { return footer_.sequence_max; }
  uint64_t entry_count() const override { return footer_.entry_count; }
  uint64_t file_number() const override { return file_.file_number(); }
  uint64_t size_bytes() const override { return file_.size_bytes(); }

  const Footer& footer() const { return footer_; }
  const Filter& filter() const { return filter_; }
  const Index& index() const { return index_; }

  // The i-th block from the cache, or else as one ReadBlock() gives it to all who ask meanwhile.
  absl::StatusOr<cache::Block> FindBlock(size_t i) const;
  // The i-th block from the file, checked from first to last entry and against the fences around
  // it.
  absl::StatusOr<cache::Block> ReadBlock(size_t i) const;

 private:
  SortedTable(TableFile file, cache::BlockCache* cache, const Footer& footer, Filter filter,
              Index index);
  // Null if the block's ends agree with the fences, otherwise what is wrong.
  const char* CheckFences(size_t i, const BlockEnds& ends) const;

  TableFile file_;
  cache::BlockCache* cache_;
  Footer footer_;
  Filter filter_;
  Index index_;
};

}  // namespace kiban::table
