#include "suites/crash/crash_suite.h"

#include <string>

#include "suites/support/crash_faults.h"
#include "suites/support/formats.h"
#include "suites/support/workload.h"

namespace kiban::suites {
namespace {

Plan Generate(sim::Seed seed, const Engine& engine, const sim::Profile& profile,
              const WorkloadShape& shape) {
  const sim::Rng rng = sim::Rng(seed).Stream("crash");
  Plan plan{.suite = "crash",
            .engine = std::string(engine.name),
            .profile = std::string(profile.name),
            .seed = seed};
  plan.options = DrawOptions(engine, rng.Stream("options"));
  ChooseFormatOfSeed(engine, seed, plan.options);
  plan.operations = DrawWorkload(engine, shape, rng.Stream("workload"));
  plan.crashes_expected = kCrashesPerLife;
  const auto operations = static_cast<uint32_t>(plan.operations.size());
  plan.faults = DrawCrashFaults({.crash_spans = engine.crash_spans,
                                 .open_spans = engine.open_spans,
                                 .create_spans = engine.create_spans},
                                operations, rng);
  plan.boots = DrawFormatsOfBoots(engine, plan.faults, rng.Stream("formats"));
  return plan;
}

}  // namespace

Plan GenerateCrashLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile) {
  return Generate(seed, engine, profile, {});
}

Plan GenerateShortCrashLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile) {
  return Generate(seed, engine, profile, kShortLife);
}

}  // namespace kiban::suites
