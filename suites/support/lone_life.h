// One life in a process of its own, so that whatever it does to its process becomes a verdict.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "suites/support/life.h"
#include "suites/support/plan.h"

namespace kiban::suites {

struct LoneLifeOptions {
  double seconds_max = 60;  // Of real time; a life that takes longer ran away.
  // Whoever watches, in the caller's process, while the life goes on: it waits for whoever watches.
  std::function<void(const sim::Told&)> on_event;
  // See LifeOptions; called in the life's own process. An error breaks the life's verdict.
  std::function<absl::Status(uint32_t n, sim::CutMoment moment, const sim::Disk& disk)> on_cut;
  std::vector<sim::ExtraSync> extra_syncs;                        // See LifeOptions.
  LifeReport (*live)(const Plan&, const LifeOptions&) = nullptr;  // RunLife.
};

// The report has no resolved plan. Of a life whose process died: *crashed*, the complaint, and as
// detail all that it said, with its stack.
LifeReport LiveAlone(const Plan& plan, const LoneLifeOptions& options);

}  // namespace kiban::suites
