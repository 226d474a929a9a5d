// What the simulator costs: lives, calls of the seam, fiber switches, disk snapshots, the digest.
#pragma once

#include <vector>

#include "suites/support/json.h"

namespace kiban::tools {

std::vector<suites::BenchRow> BenchSim();

}  // namespace kiban::tools
