// One table on its way into the database: written, read back and checked, synced. The caller names
// the steps, because a flush, a compaction and a recovery give them different numbers.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/lsm/core.h"
#include "engine/lsm/version.h"
#include "engine/table/builder.h"
#include "engine/table/entry.h"
#include "engine/table/iterator.h"

namespace kiban::lsm {

class TableOutput {
 public:
  // Takes the next file number and makes the file. `expected_entries` as in table::BuilderOptions.
  static absl::StatusOr<std::unique_ptr<TableOutput>> Create(Core& core, size_t expected_entries);

  absl::Status Add(const table::Entry& entry);

  // Writes what is left, opens the table and checks that it holds exactly what was added. What
  // fails here must not be published.
  absl::Status FinishAndVerify();

  // After OK the bytes survive a power cut. The name needs a SyncDir() by the caller.
  absl::Status Sync();

  // Takes the file away again: a table that nobody will name.
  void Discard();

  uint64_t size_bytes() const { return builder_->size_bytes(); }
  TableRef table() const { return table_; }  // Null before FinishAndVerify() returned OK.

 private:
  TableOutput(Core& core, uint64_t number);

  Core& core_;
  TableInfo info_;
  std::unique_ptr<table::Builder> builder_;
  TableRef table_;
};

// The table `number` of the database, opened as its options say.
absl::StatusOr<std::shared_ptr<const table::TableReader>> OpenTable(const Core& core,
                                                                    uint64_t number);

// kDataLoss unless the open table is the one that `info` describes.
absl::Status CheckTable(const std::string& path, const TableInfo& info,
                        const table::TableReader& reader);

// Adds every entry of `from`, which it positions itself.
absl::Status AddAll(TableOutput& output, table::Iterator& from);

}  // namespace kiban::lsm
