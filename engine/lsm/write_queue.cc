#include "engine/lsm/write_queue.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"

namespace kiban::lsm {
namespace {

// More would make the first of a group wait long for the last.
constexpr uint64_t kGroupBytesMax = 1u << 20;

// What a batch will take of the memtable, about: of small records the nodes are the larger part.
uint64_t MemtableBytesOf(const Batch& batch) {
  return batch.payload().size() + batch.count() * Memtable::kEntryOverheadBytes;
}

}  // namespace

WriteQueue::WriteQueue(Core& core, Background& background)
    : core_(core),
      background_(background),
      mutex_(core.tasks, "lsm.queue"),
      empty_(core.tasks, "lsm.queue.empty") {}

absl::Status WriteQueue::Submit(WriteRequest& request) {
  Waiter waiter(core_.tasks);
  waiter.request = &request;
  RETURN_IF_ERROR(Enter(waiter));
  if (waiter.is_done) return waiter.status;
  // Sync() needs no room. What it takes along finds only what there is.
  absl::Status status = request.batch == nullptr ? core_.MayMutate() : background_.MakeRoom();
  if (status.ok() && request.batch != nullptr) status = CheckSequences(core_, *request.batch);
  if (!status.ok()) {
    Leave(1, Refused(status));
    return status;
  }
  const std::vector<WriteRequest*> group = FormGroup();
  status = ApplyGroup(core_, group);
  if (!status.ok()) status = background_.Poison(status);
  Leave(group.size(), status);
  return status;
}

absl::StatusOr<uint64_t> WriteQueue::SwitchLog() {
  Waiter waiter(core_.tasks);
  RETURN_IF_ERROR(Enter(waiter));
  absl::StatusOr<uint64_t> flush = background_.SwitchLog();
  Leave(1, Refused(flush.status()));
  return flush;
}

void WriteQueue::AwaitEmpty() {
  const base::MutexLock lock(mutex_);
  while (!queue_.empty()) empty_.Wait(mutex_);
}

absl::Status WriteQueue::Enter(Waiter& waiter) {
  {
    const base::MutexLock lock(mutex_);
    // Under the lock: whoever is in the queue when Close() looks is waited for, who comes later is
    // refused.
    if (core_.closing.Load()) return core_.Closed();
    queue_.push_back(&waiter);
    if (queue_.front() == &waiter) return absl::OkStatus();
  }
  SPAN("write.follow");
  waiter.is_done = waiter.told.Await() == kDone;
  return absl::OkStatus();
}

std::vector<WriteRequest*> WriteQueue::FormGroup() {
  const uint64_t buffer_bytes = core_.options.write_buffer_bytes;
  const uint64_t used_bytes = core_.memtable->used_bytes();
  // The first may exceed the memtable, a batch always fits; those it takes along may not.
  const uint64_t room_bytes =
      std::min(kGroupBytesMax, buffer_bytes - std::min(used_bytes, buffer_bytes));
  const base::Sequence sequences_left = base::kSequenceMax - core_.last_sequence.LoadOwn();
  std::vector<WriteRequest*> group;
  uint64_t bytes = 0;
  uint64_t operations = 0;
  const base::MutexLock lock(mutex_);
  for (const Waiter* const waiter : queue_) {
    WriteRequest* const request = waiter->request;
    if (request == nullptr) break;
    if (request->batch != nullptr) {
      bytes += MemtableBytesOf(*request->batch);
      operations += request->batch->count();
      const bool fits = bytes <= room_bytes && operations <= sequences_left;
      if (!group.empty() && !fits) break;
    }
    group.push_back(request);  // Without a batch it takes nothing, and always fits.
  }
  return group;
}

// Nobody is told under the lock: it would wake up only to wait for it. The next leader comes last,
// so that those who are done may be back in the queue when it forms its group.
void WriteQueue::Leave(size_t count, const absl::Status& status) {
  std::vector<Waiter*> followers;
  Waiter* next_leader = nullptr;
  {
    const base::MutexLock lock(mutex_);
    const auto end = queue_.begin() + static_cast<ptrdiff_t>(count);
    followers.assign(queue_.begin() + 1, end);
    queue_.erase(queue_.begin(), end);
    if (!queue_.empty()) next_leader = queue_.front();
    if (queue_.empty()) empty_.NotifyAll();
  }
  for (Waiter* const follower : followers) {
    follower->status = status;
    follower->told.Give(kDone);
  }
  if (next_leader != nullptr) next_leader->told.Give(kLead);
}

absl::Status WriteQueue::Refused(absl::Status status) {
  // Another code is no refusal: a log switch has failed half way.
  if (absl::IsFailedPrecondition(status) && core_.closing.Load()) MARK("close.refused_writer");
  return status;
}

}  // namespace kiban::lsm
