// One candidate of a shrink, lived in a process of its own. Whatever it does to its process, what
// was decided until then is known.
#pragma once

#include <string>

#include "suites/support/life.h"
#include "suites/support/plan.h"

namespace kiban::suites {

struct TrialOptions {
  double seconds_max = 60;  // Of real time; a life that takes longer ran away.
  sim::FateMatch fate_match = sim::FateMatch::kExact;
  // With more than one, the same life is lived so often: it is *broken* if one differs.
  unsigned lives = 1;
  // With more than one, so many seeds in a row are lived, from the plan's own on, until a life ends
  // with `signature` or leaves its process in no fit state: that one counts.
  unsigned seeds = 1;
  std::string signature;
  LifeReport (*live)(const Plan&, const LifeOptions&) = nullptr;  // RunLife.
};

struct Trial {
  LifeReport report;  // Its resolved plan is whole, of a life that died too.
  Plan drawn_again;   // The same plan; its places are told by operations (sim::DrawnAgain()).
};

Trial LiveTrial(const Plan& plan, const TrialOptions& options);

}  // namespace kiban::suites
