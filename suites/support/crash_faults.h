// Draws when and where the lives of the crash suites are cut, and which sync fails.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/faults/faults.h"
#include "sim/rng.h"

namespace kiban::suites {

inline constexpr uint32_t kCrashesPerLife = 4;

// Spans to be cut in: anywhere, in a recovery, while the database is made.
struct CrashPlaces {
  const std::vector<std::string_view>& crash_spans;
  const std::vector<std::string_view>& open_spans;
  const std::vector<std::string_view>& create_spans;
};

// Four crashes, some with crashes of the recovery that follows, and in one life of four a failed
// sync. `operations`: how many the life has.
sim::FaultPlan DrawCrashFaults(const CrashPlaces& places, uint32_t operations, const sim::Rng& rng);

}  // namespace kiban::suites
