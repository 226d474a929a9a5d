// Says at each call of the seam whether a planned fault strikes there, and writes down where it
// did: the plan that comes out of a life has every drawn place replaced by the place that was
// found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/faults/faults.h"
#include "sim/spans.h"

namespace kiban::sim {

class Striker {
 public:
  explicit Striker(FaultPlan plan);

  void Boot(uint32_t boot);
  // An operation begins, of any client. Before the first: the first open.
  void OperationBegins() {
    ++begun_;
    spans_since_.clear();
    syncs_since_ = 0;
  }
  // The engine has recovered: a cut that was meant for the recovery and did not come about is
  // dropped.
  void RecoveryDone();

  // The cut that strikes at the call which `spans.innermost()` has just counted, or null. It stays
  // the struck cut, with its place found, until the next Boot().
  Cut* CutAtCall(const Spans& spans);
  // The same for the moment after an operation.
  Cut* CutAfterOperation(uint32_t operation);
  // There is no further operation: a cut that is still looking for its place strikes now.
  Cut* CutAtEnd();
  // The sync error that strikes at this sync of a file or directory, or null.
  SyncError* ErrorAtSync(const Spans& spans);

  // No fault strikes any more: what the life was lived for is known.
  void Disarm() { disarmed_ = true; }

  bool Planted(Plant plant) const { return (plants_ >> static_cast<unsigned>(plant) & 1) != 0; }

  // Counts a place of the plan that the life did not come to. What follows it is another life than
  // the one that was written down.
  void Misfit(std::string what);
  uint64_t misfits() const { return misfits_; }
  const std::string& first_misfit() const { return first_misfit_; }

  uint64_t sync_errors_fired() const { return sync_errors_fired_; }
  // What was planned, resolved as far as the life went; what never struck is left out.
  FaultPlan Resolved() const;
  // Places and errors that the life never came to.
  void CountUnstruck();

 private:
  bool Here(const Anchor& anchor, const Spans& spans) const;
  bool Matches(Cut& cut, const Spans& spans);
  uint32_t CallsSince(uint64_t span) const;
  Cut* StrikeAtRest(Place place);

  FaultPlan plan_;
  uint32_t plants_ = 0;  // Bits by Plant.
  uint32_t boot_ = 1;
  uint32_t begun_ = 0;  // Operations.
  // Since the last began, the boot, or the recovery: the span of each call, and syncs.
  std::vector<uint64_t> spans_since_;
  uint32_t syncs_since_ = 0;
  size_t next_cut_ = 0;
  bool recovering_ = false;
  bool disarmed_ = false;
  size_t next_error_ = 0;
  uint64_t sync_errors_fired_ = 0;
  uint64_t misfits_ = 0;
  std::string first_misfit_;
};

}  // namespace kiban::sim
