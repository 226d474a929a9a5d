// Time as the seam tells it.
#pragma once

#include <cstdint>

namespace kiban::base {

// Microseconds on a real machine; in a simulation the unit in which calls take their time.
using Ticks = uint64_t;

}  // namespace kiban::base
