// One client of a life: works through its own operations, one after the other, and tells the model
// of every call and every answer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "suites/support/stage.h"

namespace kiban::suites {

class Client {
 public:
  // `number`: of the operations that are its own (Operation::client).
  Client(Stage& stage, uint32_t number);

  // Until it comes to the operation at index `end` of the plan, or the stage is over or must be
  // reopened. Goes on where it stopped the last time.
  void WorkUntil(size_t end);
  bool HasWorkUntil(size_t end) const;

  // Before the handle goes.
  void ReleaseSnapshots() { snapshots_.clear(); }
  // A process that hangs for ever keeps what it has: its stack may be in the middle of using it.
  void LeaveSnapshots();

 private:
  void Do(const Operation& operation);
  void Mutate(const Operation& operation);
  void Promise(const Operation& operation);
  void Take(const Operation& operation);
  void Read(const Operation& operation);
  absl::Status CallPromise(const Operation& operation);
  void AfterReadError(const absl::Status& status);
  void MarkReadDuringPublication();

  struct HeldSnapshot {
    std::unique_ptr<SnapshotUnderTest> snapshot;
    Sequence sequence;
  };

  Stage& stage_;
  std::vector<size_t> operations_;  // Indices in the plan.
  size_t next_ = 0;
  std::map<uint32_t, HeldSnapshot> snapshots_;  // By the operation that took it.
};

}  // namespace kiban::suites
