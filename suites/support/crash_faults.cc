#include "suites/support/crash_faults.h"

#include <string>

namespace kiban::suites {
namespace {

using sim::Cut;
using sim::FaultKind;
using sim::Phase;
using sim::Rng;

constexpr uint32_t kRecoveryCutsMax = 2;  // Nested crashes (rule D39).

Phase DrawPhase(Rng& dice) {
  switch (dice.Below(3)) {
    case 0:
      return Phase::kBefore;
    case 1:
      return Phase::kInside;
    default:
      return Phase::kAfter;
  }
}

// A span, uniformly, so that the narrow windows are hit as often as the wide ones.
sim::DrawnPlace DrawPlace(const std::vector<std::string_view>& spans, uint64_t skip_max,
                          Rng& dice) {
  const std::string_view span = spans[dice.Below(spans.size())];
  return {.span = std::string(span), .skip_calls = static_cast<uint32_t>(dice.Below(skip_max))};
}

// Five of eight are power cuts.
Cut DrawCut(uint32_t number, uint32_t operations, const CrashPlaces& places, Rng dice) {
  Cut cut;
  cut.kind = dice.Chance(5, 8) ? FaultKind::kPowerCut : FaultKind::kKill;
  cut.phase = DrawPhase(dice);
  // The first may strike while the database is made.
  if (number == 0 && dice.Chance(1, 8)) {
    cut.place = DrawPlace(places.create_spans, 3, dice);
    return cut;
  }
  // One in each fifth of the workload but the last: every life goes on for a while after its last.
  const uint32_t fifth = operations / (kCrashesPerLife + 1);
  cut.place = DrawPlace(places.crash_spans, 6, dice);
  cut.armed_at_operation = number * fifth + 1 + static_cast<uint32_t>(dice.Below(fifth));
  cut.latest_operation = (number + 1) * fifth + fifth / 2;
  return cut;
}

Cut DrawRecoveryCut(const CrashPlaces& places, Rng dice) {
  Cut cut;
  cut.in_recovery = true;
  cut.kind = dice.Chance(1, 2) ? FaultKind::kPowerCut : FaultKind::kKill;
  cut.phase = DrawPhase(dice);
  cut.place = DrawPlace(places.open_spans, 3, dice);
  return cut;
}

}  // namespace

sim::FaultPlan DrawCrashFaults(const CrashPlaces& places, uint32_t operations, const Rng& rng) {
  sim::FaultPlan faults;
  for (uint32_t number = 0; number < kCrashesPerLife; ++number) {
    const Rng cut_rng = rng.Stream("cut").Fork(number);
    faults.cuts.push_back(DrawCut(number, operations, places, cut_rng));
    Rng nested = cut_rng.Stream("nested");
    for (uint32_t depth = 0; depth < kRecoveryCutsMax && nested.Chance(1, 4); ++depth) {
      faults.cuts.push_back(DrawRecoveryCut(places, nested.Fork(depth)));
    }
  }
  Rng errors = rng.Stream("sync-error");
  if (errors.Chance(1, 4)) {
    const auto armed = static_cast<uint32_t>(errors.Below(operations));
    const auto skip = static_cast<uint32_t>(errors.Below(12));
    faults.sync_errors.push_back({.armed_at_operation = armed, .skip_syncs = skip});
  }
  return faults;
}

}  // namespace kiban::suites
