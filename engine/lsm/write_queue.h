// Group commit: writers of a shared handle queue, and the one in front, the leader, plays the
// writer's role for a group of them: one append, one sync if any of them wants it, visible all at
// once. The others wait until they are told, or until they are in front themselves.
//
// The queue's lock is held for a few instructions. Nobody holds it during I/O, in a stall, or while
// the memtable is written: it is being in front that keeps others out.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sync.h"
#include "engine/lsm/background.h"
#include "engine/lsm/core.h"
#include "engine/lsm/write_path.h"

namespace kiban::lsm {

class WriteQueue {
 public:
  WriteQueue(Core& core, Background& background);

  // A checked batch, or a sync. kFailedPrecondition: certainly not applied.
  absl::Status Submit(WriteRequest& request);
  // As Background::SwitchLog(), when the caller's turn has come.
  absl::StatusOr<uint64_t> SwitchLog();

  // Once core.closing is set: returns when nobody is left in the queue.
  void AwaitEmpty();

 private:
  struct Waiter {
    explicit Waiter(engine::Tasks* tasks) : told(tasks, "lsm.queue") {}

    WriteRequest* request = nullptr;  // Null: for no group, it wants the front for itself.
    base::Handoff told;               // kLead or kDone.
    bool is_done = false;             // By another who led; it is no longer in the queue.
    absl::Status status;              // How, if so.
  };

  // Returns when the waiter is in front or done, or refuses it because of closing.
  absl::Status Enter(Waiter& waiter);
  // The leader's group, which has itself in front.
  std::vector<WriteRequest*> FormGroup();
  // Takes the first `count` waiters out of the queue, tells all but the leader their status, and
  // the next leader that it is one.
  void Leave(size_t count, const absl::Status& status);
  // Counts if it is closing that refused the leader.
  absl::Status Refused(absl::Status status);

  Core& core_;
  Background& background_;

  static constexpr uint32_t kLead = base::Handoff::kFirstWord;
  static constexpr uint32_t kDone = kLead + 1;

  base::Mutex mutex_;  // Guards what follows.
  base::CondVar empty_;
  std::deque<Waiter*> queue_;  // The leader in front.
};

}  // namespace kiban::lsm
