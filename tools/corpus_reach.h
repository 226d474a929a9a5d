// What lives reach, by name, and what the lives of a corpus should reach together.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "sim/faults/faults.h"
#include "suites/support/life.h"
#include "suites/support/suite.h"

namespace kiban::tools {

// "span flush.F2": cut there; "recovery open.O5": a recovery cut there; "mark wal.tail_dropped";
// "format ph2": such a table written; "pair sst3->ph2".
using Reach = std::set<std::string>;

struct ReachKind {
  std::string_view name;
  std::string_view heading;
};
inline constexpr ReachKind kReachKinds[] = {{"span", "spans"},
                                            {"recovery", "recoveries"},
                                            {"mark", "marks"},
                                            {"format", "formats"},
                                            {"pair", "pairs"}};

// `faults`: those that struck, with their places.
Reach ReachOf(const sim::FaultPlan& faults, const suites::LifeCounts& counts);

// All that an engine declares and the suite can come to.
Reach DeclaredReach(const suites::Suite& suite, const suites::Engine& engine);

Reach Missing(const Reach& declared, const Reach& reached);
size_t CountOf(const Reach& reach, std::string_view kind);

}  // namespace kiban::tools
