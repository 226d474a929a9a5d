// The background task of a shared handle, which plays the maintenance role, and what others have to
// do with it: the writer hands it full memtables and waits when it falls behind, callers of Flush()
// and Compact() wait for what it has done.
//
// It does one thing at a time, with no lock held: flushes come first, because writers wait for
// them, then Compact(), then what compaction is due, then point indexes that have room now. An
// error poisons the database; the task then does nothing more until it is stopped, and nobody waits
// for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sync.h"
#include "engine/env.h"
#include "engine/lsm/core.h"

namespace kiban::lsm {

class Background {
 public:
  explicit Background(Core& core);  // Starts the task.

  // The writer's: see that the memtable can take a batch. If it is full, switches the log; before
  // that it waits while the last memtable is not yet flushed or level 0 is at its ceiling.
  // kFailedPrecondition, with nothing touched, if the database has been poisoned or is being
  // closed, be it during that wait.
  absl::Status MakeRoom();

  // The writer's: the same, unless the memtable is empty, however full it is. Returns the number of
  // the flush after which everything written so far is in tables.
  absl::StatusOr<uint64_t> SwitchLog();

  // Poisons the core and wakes all who wait for what will not come. Returns as Core::Poison().
  absl::Status Poison(const absl::Status& error);

  // Waits until the flush is done, and then until no compaction is due. Meanwhile compactions go
  // before the flushes behind it and take turns with merges, so that this ends however fast others
  // write and whatever they want merged.
  absl::Status AwaitSettled(uint64_t flush);
  // Waits until the flush is done, then has everything merged into one level.
  absl::Status CompactAfter(uint64_t flush);

  // Once core.closing is set: wakes all who wait, so that they find out.
  void WakeAll();
  // Then: returns when the task has ended. It abandons a compaction between two outputs, and ends
  // whatever else it is at.
  void Join();

 private:
  enum class Job { kNone, kFlush, kMerge, kCompactDue, kUseRoom, kStop };

  void Run();
  Job AwaitJob();
  Job NextJob() const;                                 // Under mutex_.
  absl::StatusOr<bool> Do(Job job);                    // False: there was nothing to be done.
  void Finish(Job job, absl::StatusOr<bool> did_any);  // Tells the others.

  absl::Status SwitchFull();
  void AwaitRoom();
  bool HasRoom() const {  // Under mutex_.
    return switches_ == flushes_ && level0_tables_ < core_.options.l0_write_stall_trigger;
  }
  // Under mutex_: false, and then it is known that somebody waits, if the flush is not settled.
  bool IsSettled(uint64_t flush);
  // Under mutex_: waits for `done`, or until it is known that it will never come.
  template <typename Done>
  absl::Status Await(const Done& done);

  Core& core_;

  base::Mutex mutex_;       // Never held across I/O. It guards all that follows.
  base::CondVar work_;      // For the task: there may be something to do.
  base::CondVar room_;      // For the writer.
  base::CondVar progress_;  // For callers of Flush() and Compact().

  // Opening counts as the first flush.
  uint64_t switches_ = 1;        // One more than flushes_ while there is a frozen memtable.
  uint64_t flushes_ = 1;         // Installed.
  uint64_t settled_ = 0;         // The last flush behind which no compaction was due.
  uint64_t settled_wanted_ = 0;  // The first flush that somebody waits to see settled, if above.
  uint64_t merges_ = 0;
  uint64_t merges_wanted_ = 0;
  uint64_t merges_taken_ = 0;  // Those that the job under way answers.
  bool merged_last_ = false;   // That was the last job done.
  size_t level0_tables_;
  bool is_settled_ = false;     // Nothing was due, and nothing has changed since.
  bool may_have_room_ = false;  // For point indexes; nobody waits for that.
  bool is_busy_ = false;

  engine::Tasks::Id task_;
};

}  // namespace kiban::lsm
