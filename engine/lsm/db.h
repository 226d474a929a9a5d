// The LSM engine. Two handles do the same work on the same files:
//   * direct: for one task at a time, maintenance runs inside the caller;
//   * shared: for any tasks at once. Writers who meet share one append and one sync, maintenance
//     runs in a task of its own, and writers wait for it when it falls behind.
//
// What OK promises:
//   * Open: the state found is durable.
//   * A synced write, Sync, Flush: everything acknowledged before the call began, and everything
//     with a smaller sequence, survives any power cut.
//   * An unsynced write has been handed to the file system, so a kill alone takes nothing
//     acknowledged, unless a write or sync had failed before.
//   * Close promises nothing. A value read promises nothing by itself.
// A write becomes visible only after its log append (if synced: its sync) returned OK. A crash
// takes a suffix of the sequence, never a hole, never a part of a batch. Snapshots end with their
// process. Reads are linearizable: what a read shows was the newest at a moment during the call.
//
// What an error means:
//   * Every failed create, write, sync, rename or directory sync poisons the handle for mutations,
//     in maintenance too: nothing is retried, the mutation that failed is maybe applied, found out
//     at the next open, never visible on this handle. With it fail all that shared its append or
//     sync, and the Flush and Compact calls that wait. A failed remove does not poison (the next
//     open sweeps).
//   * kInvalidArgument is said before anything is touched: certainly not applied, not poisoned.
//   * A poisoned handle answers every mutation, Sync, Flush and Compact kFailedPrecondition:
//     certainly not applied. Reads go on.
//   * kDataLoss: what is on disk is not what was written; file and offset are in the message.
//   * kUnimplemented, of Open: a file is intact and of a format, or has a flag, that is not known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/options.h"

namespace kiban::lsm {

struct WriteOptions {
  bool sync = false;
};

struct KeyValue {
  std::string key;
  std::string value;
};

// Keys in [from, to); no `to` means no end. An inverted range is empty.
struct KeyRange {
  std::string from;
  std::optional<std::string> to;
};

// The database as it was when it was taken. Give it back by destroying it, before the handle.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  virtual base::Sequence sequence() const = 0;
};

// A position among the live keys of a range, at the sequence at which it was made. Later writes and
// maintenance do not change what it sees. Not Valid(): off an end, or status() has an error, which
// sticks. Destroy it before the handle.
class Cursor {
 public:
  virtual ~Cursor() = default;
  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(std::string_view key) = 0;         // The first key >= `key`.
  virtual void SeekForPrev(std::string_view key) = 0;  // The last key <= `key`.
  virtual void Next() = 0;                             // Needs Valid().
  virtual void Prev() = 0;                             // Needs Valid().
  virtual std::string_view key() const = 0;            // Needs Valid(); lives until the next move.
  virtual std::string_view value() const = 0;
  virtual absl::Status status() const = 0;
  // That of its snapshot, or of the moment when it was made; 0 if it could not be made.
  virtual base::Sequence sequence() const = 0;
};

// Counted since Open(); cheap to copy.
struct Stats {
  uint64_t puts = 0, deletes = 0, gets = 0;
  // By what held the newest version that the reader may see, which a delete can be: a memtable, a
  // block in the cache, a block read from disk for it, a point index. Absent: there is no version.
  uint64_t gets_from_memtable = 0, gets_from_frozen = 0;
  uint64_t gets_from_cache = 0, gets_from_disk = 0, gets_from_index = 0, gets_absent = 0;
  uint64_t log_syncs = 0, log_switches = 0;
  uint64_t flushes = 0, compactions = 0, manifests = 0;
  uint64_t tables_written_sst3 = 0, tables_written_ph2 = 0, tables_written_ph3 = 0;
  uint64_t indexes_not_loaded = 0;  // Point indexes that could not be read when there was room.
  uint64_t flushed_bytes = 0, compacted_bytes = 0;
  uint64_t versions_dropped = 0, tombstones_dropped = 0;
  uint64_t files_swept = 0, removes_failed = 0;
  uint64_t replayed_records = 0, replayed_tail_bytes_dropped = 0;
  uint64_t cache_hits = 0, cache_misses = 0;
  uint64_t cache_used_bytes = 0;       // Now, by blocks.
  uint64_t cache_budget_bytes = 0;     // For both.
  uint64_t index_charged_bytes = 0;    // Now, by point indexes and the blocks they lead to.
  std::vector<uint64_t> level_tables;  // Now, by level.
  std::vector<uint64_t> level_bytes;
};

class Db {
 public:
  // The direct handle. Creates or recovers the database in `dir` (README.md, "Open"). `env`
  // outlives the handle; its tasks may be null. A second handle on the same directory is refused
  // with kFailedPrecondition.
  static absl::StatusOr<std::unique_ptr<Db>> Open(const engine::Env& env, std::string dir,
                                                  const KibanOptions& options);
  // The shared handle: the same, but `env` must have tasks (CHECK), and every method may be called
  // by any tasks at once.
  static absl::StatusOr<std::unique_ptr<Db>> OpenShared(const engine::Env& env, std::string dir,
                                                        const KibanOptions& options);
  // Without Close(): the same, with errors dropped. No call may be in flight.
  virtual ~Db() = default;

  // Each returns the first sequence of its interval. A batch takes one interval, in its own order,
  // and is applied whole; an empty batch is kInvalidArgument. Keys and values:
  // engine/lsm/README.md, "Limits".
  virtual absl::StatusOr<base::Sequence> Put(std::string_view key, std::string_view value,
                                             WriteOptions options) = 0;
  virtual absl::StatusOr<base::Sequence> Delete(std::string_view key, WriteOptions options) = 0;
  virtual absl::StatusOr<base::Sequence> Write(const Batch& batch, WriteOptions options) = 0;
  virtual absl::Status Sync() = 0;

  // `snapshot` null: now. nullopt: the key is not there. `read_at`, unless null, is told the
  // sequence at which the read was served.
  virtual absl::StatusOr<std::optional<std::string>> Get(std::string_view key,
                                                         const Snapshot* snapshot,
                                                         base::Sequence* read_at) = 0;
  absl::StatusOr<std::optional<std::string>> Get(std::string_view key, const Snapshot* snapshot) {
    return Get(key, snapshot, nullptr);
  }
  virtual std::unique_ptr<Cursor> NewCursor(KeyRange range, const Snapshot* snapshot) = 0;
  // The last `k` live keys that begin with `prefix`, in descending order.
  virtual absl::StatusOr<std::vector<KeyValue>> LatestK(std::string_view prefix, uint32_t k,
                                                        const Snapshot* snapshot,
                                                        base::Sequence* read_at) = 0;
  absl::StatusOr<std::vector<KeyValue>> LatestK(std::string_view prefix, uint32_t k,
                                                const Snapshot* snapshot) {
    return LatestK(prefix, k, snapshot, nullptr);
  }
  virtual std::unique_ptr<Snapshot> TakeSnapshot() = 0;
  // Of the newest visible write; 0 in a new database.
  virtual base::Sequence last_sequence() const = 0;

  // Writes the memtable out as a table of level 0 and does what compaction is then due. Through the
  // shared handle both are done by the background task, and the call waits for it.
  virtual absl::Status Flush() = 0;
  // Flushes, then merges everything down to one level.
  virtual absl::Status Compact() = 0;
  virtual Stats GetStats() const = 0;
  // Releases files and lock; syncs nothing. Afterwards every call is kFailedPrecondition. Through
  // the shared handle it may meet other calls: writers that wait are refused (kFailedPrecondition,
  // certainly not applied), the group that is being written is finished, a compaction is abandoned,
  // and reads end on the view they hold.
  virtual absl::Status Close() = 0;
};

}  // namespace kiban::lsm
