#include "engine/lsm/background.h"

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/flush.h"
#include "engine/lsm/maintenance.h"

namespace kiban::lsm {

Background::Background(Core& core)
    : core_(core),
      mutex_(core.tasks, "lsm.maintenance"),
      work_(core.tasks, "lsm.work"),
      room_(core.tasks, "lsm.room"),
      progress_(core.tasks, "lsm.progress"),
      level0_tables_(core.published.version->levels[0].size()),
      task_(core.tasks->Spawn("maintenance", [this] { Run(); })) {}

void Background::Run() {
  for (Job job = AwaitJob(); job != Job::kStop; job = AwaitJob()) Finish(job, Do(job));
}

Background::Job Background::AwaitJob() {
  const base::MutexLock lock(mutex_);
  is_busy_ = false;
  for (Job job = NextJob();; job = NextJob()) {
    if (job != Job::kNone) {
      is_busy_ = true;
      merges_taken_ = merges_wanted_;
      return job;
    }
    SPAN("maintain.wait");
    work_.Wait(mutex_);
  }
}

Background::Job Background::NextJob() const {
  if (core_.closing.Load()) return Job::kStop;
  if (!core_.poison().ok()) return Job::kNone;
  const bool somebody_waits = settled_ < settled_wanted_ && settled_wanted_ <= flushes_;
  if (switches_ > flushes_ && !somebody_waits) return Job::kFlush;
  // By turns, so that neither calls of Flush() nor of Compact() can keep the others waiting.
  const bool may_merge = !somebody_waits || !merged_last_;
  if (merges_ < merges_wanted_ && may_merge) return Job::kMerge;
  if (!is_settled_) return Job::kCompactDue;
  return may_have_room_ ? Job::kUseRoom : Job::kNone;
}

absl::StatusOr<bool> Background::Do(Job job) {
  switch (job) {
    case Job::kFlush:
      RETURN_IF_ERROR(FlushFrozen(core_));
      return true;
    case Job::kMerge:
      RETURN_IF_ERROR(MergeTables(core_));
      return true;
    case Job::kCompactDue:
      return CompactDue(core_);
    case Job::kUseRoom:
      return UseRoom(core_);
    case Job::kNone:
    case Job::kStop:
      break;
  }
  CHECK(false);
}

void Background::Finish(Job job, absl::StatusOr<bool> did_any) {
  if (!did_any.ok()) {
    const bool was_abandoned = absl::IsCancelled(did_any.status());
    if (was_abandoned && core_.closing.Load()) return;
    MARK("maintenance.failed");
    (void)Poison(did_any.status());
    return;
  }
  const base::MutexLock lock(mutex_);
  if (job == Job::kUseRoom) {
    may_have_room_ = *did_any;
    return;
  }
  may_have_room_ = core_.options.point_index;
  if (job == Job::kFlush) ++flushes_;
  merged_last_ = job == Job::kMerge;
  if (merged_last_) merges_ = merges_taken_;
  is_settled_ = !*did_any;
  if (is_settled_) settled_ = flushes_;
  level0_tables_ = core_.published.version->levels[0].size();
  room_.NotifyAll();
  progress_.NotifyAll();
}

absl::Status Background::Poison(const absl::Status& error) {
  absl::Status told = core_.Poison(error);
  WakeAll();
  return told;
}

void Background::WakeAll() {
  const base::MutexLock lock(mutex_);
  if (is_busy_ && core_.closing.Load()) MARK("close.during_maintenance");
  work_.NotifyAll();
  room_.NotifyAll();
  progress_.NotifyAll();
}

void Background::Join() { core_.tasks->Join(task_); }

absl::Status Background::MakeRoom() {
  RETURN_IF_ERROR(core_.MayMutate());
  return IsFull(core_) ? SwitchFull() : absl::OkStatus();
}

absl::StatusOr<uint64_t> Background::SwitchLog() {
  RETURN_IF_ERROR(core_.MayMutate());
  if (!core_.memtable->empty()) RETURN_IF_ERROR(SwitchFull());
  const base::MutexLock lock(mutex_);
  return switches_;
}

absl::Status Background::SwitchFull() {
  AwaitRoom();
  RETURN_IF_ERROR(core_.MayMutate());
  const absl::Status switched = lsm::SwitchLog(core_);
  if (!switched.ok()) return Poison(switched);
  const base::MutexLock lock(mutex_);
  ++switches_;
  work_.NotifyAll();
  return absl::OkStatus();
}

void Background::AwaitRoom() {
  const base::MutexLock lock(mutex_);
  if (HasRoom()) return;
  SPAN("write.stall");
  MARK("write.stall_entered");
  while (!HasRoom() && core_.MayMutate().ok()) {
    if (switches_ == flushes_) MARK("write.stall_level0");
    room_.Wait(mutex_);
  }
  MARK("write.stall_left");
}

template <typename Done>
absl::Status Background::Await(const Done& done) {
  while (!done()) {
    RETURN_IF_ERROR(core_.poison());
    if (core_.closing.Load()) return core_.Closed();
    progress_.Wait(mutex_);
  }
  return absl::OkStatus();
}

absl::Status Background::AwaitSettled(uint64_t flush) {
  SPAN("flush.wait");
  const base::MutexLock lock(mutex_);
  return Await([&] { return IsSettled(flush); });
}

// Whoever waits for the first of several is served first; the others, woken with it, come after.
bool Background::IsSettled(uint64_t flush) {
  if (settled_ >= flush) return true;
  if (settled_wanted_ <= settled_ || settled_wanted_ > flush) settled_wanted_ = flush;
  return false;
}

absl::Status Background::CompactAfter(uint64_t flush) {
  SPAN("compact.wait");
  const base::MutexLock lock(mutex_);
  RETURN_IF_ERROR(Await([&] { return flushes_ >= flush; }));
  const uint64_t merge = ++merges_wanted_;
  work_.NotifyAll();
  return Await([&] { return merges_ >= merge; });
}

}  // namespace kiban::lsm
