// Along which a case is made smaller: of each axis, the things that can be taken away from a plan
// or made plainer, one by one or many at once.
//
// The places of the plan's faults are told by operations (sim::DrawnAgain()), so that taking an
// operation away leaves them where they are among the others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "suites/support/plan.h"

namespace kiban::suites {

struct ShrinkAxis {
  std::string_view name;  // In certificates.
  // One word for each thing that is there; nothing is left to do once it is empty.
  std::vector<std::string> (*things)(const Plan& plan);
  // Of the things [from, from + count): how they go, the shortest way first.
  void (*take_away)(Plan& plan, size_t from, size_t count, size_t way);
  size_t ways = 1;
  // Lives become shorter by it: what the cuts lost may then grow, to be made smaller again.
  bool shortens = false;
  // Of a race, it is worth looking for another seed under which much of it can go.
  bool asks_other_luck = false;
};

// In the order in which they are best tried: what makes lives short first.
const std::vector<ShrinkAxis>& ShrinkAxes();

}  // namespace kiban::suites
