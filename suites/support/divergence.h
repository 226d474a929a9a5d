// Where two runs of one plan part: what an engine asked of the world besides its seam shows up as
// the first event that is not the same.
#pragma once

#include <string>
#include <string_view>

#include "suites/support/life.h"

namespace kiban::suites {

// The complaint of a life whose second run was another one.
inline constexpr std::string_view kDiverged = "second run diverged";

using LiveFunction = LifeReport (*)(const Plan&, const LifeOptions&);

// For people, in several lines: the first event that differs, with its neighbours and the stacks of
// both runs. To find it, `plan` is lived a few times with every event kept; empty if all those runs
// are the same.
std::string FirstDifference(const Plan& plan, LiveFunction live);

// Of two runs of `plan` that were seen to differ, but kept no events: their digests, and the first
// difference between more such runs; or between which events these two parted, if those all agree.
std::string DescribeDivergence(const Plan& plan, LiveFunction live, const LifeReport& first,
                               const LifeReport& second);

}  // namespace kiban::suites
