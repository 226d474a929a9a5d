// The state of one open database, shared by everything that works on it: the write path,
// maintenance and the read path are functions over a Core, each in a file of its own.
//
// Who may touch what. Fields belong to roles, and a role is played by one task at a time:
//   * the writer: the caller of a direct handle, the leader of a group of a shared one;
//   * maintenance: the caller of a direct handle, the background task of a shared one;
//   * whoever opens or closes plays both.
// The rest is for any task: constant, an Atomic, or with a lock of its own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/atomic.h"
#include "engine/base/sequence.h"
#include "engine/cache/block_cache.h"
#include "engine/env.h"
#include "engine/lsm/counters.h"
#include "engine/lsm/memtable.h"
#include "engine/lsm/options.h"
#include "engine/lsm/snapshots.h"
#include "engine/lsm/version.h"
#include "engine/lsm/view.h"
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
  Core(const engine::Env& env, std::string directory, const KibanOptions& chosen);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  // Whoever opens or closes.
  std::unique_ptr<engine::FileLock> lock;

  // Any task.
  engine::FileSystem& files;
  engine::Tasks* const tasks;  // Null: only one task will ever come.
  const std::string dir;
  const KibanOptions options;
  const std::unique_ptr<cache::BlockCache> cache;  // Outlives every table.
  base::Atomic<uint64_t> next_file{1};  // Above every file present; a number is never given twice.
  base::Atomic<base::Sequence> last_sequence{0};  // Of the newest visible write; the writer stores.
  base::Atomic<bool> closing{false};              // No mutation and no compaction begins any more.
  CurrentView view;
  const std::shared_ptr<SnapshotList> snapshots;
  Counters stats;

  // Maintenance's.
  Published published;  // Its version is the view's.
  // No longer in the version, file not yet removed: a reader may hold it.
  std::vector<TableRef> obsolete;
  // Where each level's compactions take turns.
  std::array<std::string, kLevelCount> compacted_through;

  // The writer's.
  // Null: a log switch has failed half way or the handle is closed, and no mutation will come
  // again.
  std::unique_ptr<wal::Writer> log;
  std::shared_ptr<Memtable> memtable;  // What `log` holds; the view's, to be added to. Never null.
  base::Sequence durable_through = 0;  // Everything up to it survives any power cut.

  // OK, or kFailedPrecondition: nothing was touched and nothing will be.
  absl::Status MayMutate() const;
  absl::Status Closed() const;  // The refusal of a closed handle.

  // The one place where a handle is poisoned. Returns what the caller is to be told about the
  // mutation that failed: maybe applied. (kFailedPrecondition and kInvalidArgument would promise
  // more.)
  absl::Status Poison(const absl::Status& error);
  // What Poison() returned the first time; OK while there was none.
  absl::Status poison() const;

  // Lets go of files, memory and lock; what readers still hold stays good. Nothing is synced.
  void Release();

 private:
  base::Atomic<const absl::Status*> poison_{nullptr};  // Stored once; owned.
};

// Writes a MANIFEST that says `next` (steps M1 to M4). The caller then installs it in
// core.published and in the view.
absl::Status Publish(Core& core, const Published& next);

// Removes a file that is garbage. A failure is counted, nothing more: the next open sweeps.
void RemoveGarbage(Core& core, const std::string& path);

// Loads one point index for which the cache had no room before; false if there is none to load. One
// that cannot be loaded is counted, and its table read without it: all that maintenance owes has
// been done by then.
bool UseRoom(Core& core);

// Removes the files of obsolete tables that no reader refers to any more.
void RemoveObsolete(Core& core);

}  // namespace kiban::lsm
