// Of a life that fails after a power cut: the one sync that, had it come before something else,
// would have made it hold.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "suites/support/life.h"
#include "suites/support/plan.h"

namespace kiban::suites {

struct BarrierOptions {
  double seconds_max = 5;            // Of real time.
  std::function<bool()> ends_early;  // Asked before each life; may be null.
  LifeReport (*live)(const Plan&, const LifeOptions&) = nullptr;  // RunLife.
};

// "holds if  dir-sync db/ (publish.M4)  comes before  remove *.wal (flush.F6)": the smallest set of
// such edges, one or two, or the words that there is none. Of a sync that the engine asked for, and
// that made nothing safe, the spans are its own; of one that was never asked for it is said who
// owed. Empty if there is nothing to be said: the life holds, fails otherwise than by what it
// reads, or no power cut took anything from it.
//
// The plan is a resolved one: it lists what its cuts lost.
std::string FindBarrier(const Plan& plan, const BarrierOptions& options);

// Whether words found are those expected: `*` stands for any text, also for none.
bool IsBarrier(std::string_view expected, std::string_view named);

}  // namespace kiban::suites
