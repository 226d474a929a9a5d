// A reader of formats 3 and 4.
#pragma once

#include <memory>
#include <string_view>

#include "engine/base/atomic.h"
#include "engine/table/reader.h"
#include "engine/table/resident.h"
#include "engine/table/sections.h"

namespace kiban::table {

class SortedTable final : public TableReader, public std::enable_shared_from_this<SortedTable> {
 public:
  ~SortedTable() override { delete resident_.LoadOwn(); }

  // `file` is open, its footer intact and of a known version.
  static absl::StatusOr<std::shared_ptr<const SortedTable>> Open(TableFile file, uint32_t version,
                                                                 const ReaderOptions& options);

  absl::StatusOr<std::optional<Found>> Get(std::string_view key, base::Sequence at) const override;
  std::unique_ptr<Iterator> NewIterator() const override;
  absl::Status Verify() const override;

  std::string_view smallest_key() const override { return index().smallest_key(); }
  std::string_view largest_key() const override { return index().largest_key(); }
  base::Sequence smallest_sequence() const override { return footer().sequence_min; }
  base::Sequence largest_sequence() const override { return footer().sequence_max; }
  uint64_t entry_count() const override { return footer().entry_count; }
  uint64_t file_number() const override { return sections_.file.file_number(); }
  uint64_t size_bytes() const override { return sections_.file.size_bytes(); }
  TableFormat format() const override { return footer().format(); }
  bool is_resident() const override { return resident() != nullptr; }
  absl::StatusOr<bool> TryToBeResident() const override;

  const Sections& sections() const { return sections_; }
  const Footer& footer() const { return sections_.footer; }
  const Index& index() const { return sections_.index; }

  // A checked block; the view lives as long as `owner` and the table.
  struct BlockInMemory {
    std::string_view block;
    cache::Block owner;  // Null if the table holds it.
    Tier tier = Tier::kCache;
  };
  // The i-th block from memory, or else as one read gives it to all who ask meanwhile.
  absl::StatusOr<BlockInMemory> FindBlock(size_t i) const;

 private:
  SortedTable(Sections sections, const ReaderOptions& options);
  // Whether a reader sees it the first time that it is there makes no difference to what is read,
  // so there is no order for a scheduler to choose.
  const Resident* resident() const { return resident_.LoadOnTheWay(); }

  const Sections sections_;
  cache::BlockCache* const cache_;
  const bool uses_index_;
  mutable bool load_failed_ = false;  // Whoever calls TryToBeResident().
  // Owned; null while sorted reads answer. Set once, never taken back.
  mutable base::Atomic<const Resident*> resident_{nullptr};
};

}  // namespace kiban::table
