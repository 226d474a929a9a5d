// The state of one open database, shared by everything that works on it: the write path,
// maintenance and the read path are functions over a Core, each in a file of its own. One task at a
// time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/sequence.h"
#include "engine/cache/block_cache.h"
#include "engine/env.h"
#include "engine/lsm/db.h"
#include "engine/lsm/memtable.h"
#include "engine/lsm/options.h"
#include "engine/lsm/snapshots.h"
#include "engine/lsm/version.h"
#include "engine/wal/writer.h"

namespace kiban::lsm {

// What MANIFEST says, for as long as the process lives: replaced only after the publication of its
// successor returned OK.
struct Published {
  std::shared_ptr<const Version> version;
  uint64_t min_log = 0;
  base::Sequence last_sequence = 0;  // Everything up to it is in the version's tables.
};

struct Core {
  Core(engine::FileSystem& file_system, std::string directory, const KibanOptions& chosen);

  engine::FileSystem& files;
  const std::string dir;
  const KibanOptions options;
  std::unique_ptr<engine::FileLock> lock;          // Null once closed.
  const std::unique_ptr<cache::BlockCache> cache;  // Outlives every table.

  uint64_t next_file = 1;  // Above every file present; a number is never given twice.
  Published published;
  std::vector<TableRef>
      obsolete;  // No longer in the version, file not yet removed: a reader may hold it.
  std::array<std::string, kLevelCount>
      compacted_through;  // Where each level's compactions take turns.

  // Null: a log switch has failed half way or the handle is closed, and no mutation will come
  // again.
  std::unique_ptr<wal::Writer> log;
  uint64_t log_number = 0;
  std::shared_ptr<Memtable> memtable;      // What `log` holds. Never null.
  std::shared_ptr<const Memtable> frozen;  // Older, being flushed; null otherwise.
  base::Sequence frozen_through = 0;       // The last sequence in `frozen`.
  uint64_t frozen_log_number = 0;

  base::Sequence last_sequence = 0;    // Of the newest visible write.
  base::Sequence durable_through = 0;  // Everything up to it survives any power cut.
  const std::shared_ptr<SnapshotList> snapshots = std::make_shared<SnapshotList>();
  Stats stats;  // But for what GetStats() works out when it is asked.

  bool closed() const { return lock == nullptr; }
  bool poisoned() const { return !poison_.ok(); }
  // kFailedPrecondition: nothing was touched and nothing will be.
  absl::Status MayRead() const;
  absl::Status MayMutate() const;

  // The one place where a handle is poisoned. Returns what the caller is to be told about the
  // mutation that failed: maybe applied. (kFailedPrecondition and kInvalidArgument would promise
  // more.)
  absl::Status Poison(const absl::Status& error);

  // Lets go of files, memory and lock; what readers still hold stays good. Nothing is synced.
  void Release();

 private:
  absl::Status poison_;  // The first error; OK while there was none.
};

// Writes a MANIFEST that says `next` (steps M1 to M4). The caller then installs it in
// core.published.
absl::Status Publish(Core& core, const Published& next);

// Removes a file that is garbage. A failure is counted, nothing more: the next open sweeps.
void RemoveGarbage(Core& core, const std::string& path);

// Removes the files of obsolete tables that no reader refers to any more.
void RemoveObsolete(Core& core);

}  // namespace kiban::lsm
