#include "suites/concurrent/concurrent_suite.h"

#include <string>
#include <string_view>
#include <vector>

#include "suites/support/crash_faults.h"
#include "suites/support/formats.h"
#include "suites/support/workload.h"

namespace kiban::suites {
namespace {

constexpr uint32_t kClientsMin = 3;
constexpr uint32_t kClientsMost = 6;

Plan Generate(sim::Seed seed, const Engine& engine, const sim::Profile& profile,
              WorkloadShape shape) {
  const sim::Rng rng = sim::Rng(seed).Stream("concurrent");
  Plan plan{.suite = "concurrent",
            .engine = std::string(engine.name),
            .profile = std::string(profile.name),
            .seed = seed};
  plan.clients = static_cast<uint32_t>(rng.Stream("clients").Between(kClientsMin, kClientsMost));
  plan.options = DrawOptions(engine, rng.Stream("options"));
  ChooseFormatOfSeed(engine, seed, plan.options);
  shape.clients = plan.clients;
  shape.cursors = true;
  plan.operations = DrawWorkload(engine, shape, rng.Stream("workload"));
  plan.crashes_expected = kCrashesPerLife;
  std::vector<std::string_view> crash_spans = engine.crash_spans;
  crash_spans.insert(crash_spans.end(), engine.shared_crash_spans.begin(),
                     engine.shared_crash_spans.end());
  const auto operations = static_cast<uint32_t>(plan.operations.size());
  plan.faults = DrawCrashFaults({.crash_spans = crash_spans,
                                 .open_spans = engine.open_spans,
                                 .create_spans = engine.create_spans},
                                operations, rng);
  plan.boots = DrawFormatsOfBoots(engine, plan.faults, rng.Stream("formats"));
  return plan;
}

}  // namespace

Plan GenerateConcurrentLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile) {
  return Generate(seed, engine, profile, {});
}

Plan GenerateShortConcurrentLife(sim::Seed seed, const Engine& engine,
                                 const sim::Profile& profile) {
  return Generate(seed, engine, profile, kShortLife);
}

}  // namespace kiban::suites
