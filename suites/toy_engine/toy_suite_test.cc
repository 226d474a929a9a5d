// Goal:   the suites apply to an engine that they have never seen: it holds, and each of its
// planted bugs
//         is caught within its budget.
// Method: live the crash suite's lives with the toy.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "suites/crash/crash_suite.h"
#include "suites/support/crash_faults.h"
#include "suites/support/life.h"
#include "suites/toy_engine/adapter.h"

namespace kiban::suites {
namespace {

Plan PlanOf(sim::Seed seed, std::string_view bug) {
  Plan plan = GenerateCrashLife(seed, ToyEngine(), sim::kStrict);
  plan.planted_bug = bug;
  return plan;
}

TEST(ToyInSuites, HoldsThroughItsCrashes) {
  LifeCounts counts;
  for (sim::Seed seed = 0; seed < 50; ++seed) {
    const LifeReport report = RunLife(PlanOf(seed, ""), {});
    ASSERT_EQ(report.verdict, Verdict::kHeld) << seed << ": " << report.detail;
    counts += report.counts;
  }
  EXPECT_EQ(counts.power_cuts + counts.kills, 50 * kCrashesPerLife);
  for (const std::string_view span : ToyEngine().crash_spans) {
    EXPECT_TRUE(counts.crash_points.contains(std::string(span))) << span;
  }
  for (const std::string_view mark : ToyEngine().marks) {
    EXPECT_TRUE(counts.marks.contains(std::string(mark))) << mark;
  }
}

// Or what is shown of two runs that differ would be of two others.
TEST(ToyInSuites, ALifeIsTheSameWhileAllOfItIsRecorded) {
  const Plan plan = PlanOf(7, "");
  std::vector<sim::Event> events;
  uint64_t lines = 0;
  uint64_t moments = 0;
  LifeOptions options;
  options.recording = sim::Trace::Recording::kAndKeep;
  options.kept_events = &events;
  options.on_event = [&](const sim::Told&) { ++lines; };
  options.on_cut = [&](uint32_t n, sim::CutMoment, const sim::Disk&) {
    EXPECT_EQ(n, moments++ / 2 + 1);  // Before and after each.
  };
  const LifeReport recorded = RunLife(plan, options);
  EXPECT_EQ(recorded.digest, RunLife(plan, {}).digest);
  EXPECT_GT(events.size(), recorded.counts.seam_calls);
  EXPECT_GT(lines, recorded.counts.operations);
  EXPECT_EQ(moments, 2 * recorded.resolved.faults.cuts.size());
}

TEST(ToyInSuites, ItsPlantedBugsAreCaughtWithinTheirBudgets) {
  for (const PlantedBug& bug : ToyEngine().bugs) {
    if (bug.ends.has_value()) continue;  // It would take this process with it.
    bool caught = false;
    for (sim::Seed seed = 0; seed < bug.seeds_budget && !caught; ++seed) {
      const LifeReport report = RunLife(PlanOf(seed, bug.name), {});
      caught = report.verdict == Verdict::kViolated || report.verdict == Verdict::kUnavailable;
    }
    EXPECT_TRUE(caught) << bug.name;
  }
}

// After a failed sync a restart may find less than was acknowledged, even if nobody was told of the
// failure because the process died in the very call.
TEST(ToyInSuites, AKillInTheCallWhoseSyncFailedExcusesWhatIsGone) {
  const sim::Anchor first_sync{.boot = 1, .span = "toy.sync_log", .occurrence = 1, .call = 1};
  Plan plan{.suite = "crash", .engine = "toy"};
  plan.operations = {{.id = 1, .kind = OpKind::kPut, .key = "k", .value_bytes = 9},
                     {.id = 2, .kind = OpKind::kSync}};
  plan.faults.sync_errors = {{.anchor = first_sync, .ghost_pages = std::vector<uint64_t>{0}}};
  plan.faults.cuts = {{.kind = sim::FaultKind::kKill,
                       .phase = sim::Phase::kAfter,
                       .place = first_sync,
                       .evict_ghosts = true}};
  const LifeReport report = RunLife(plan, {});
  EXPECT_EQ(report.verdict, Verdict::kHeld) << report.Signature() << ": " << report.detail;
  EXPECT_EQ(report.counts.kills, 1u);
  EXPECT_EQ(report.counts.sync_errors_fired, 1u);
  EXPECT_EQ(report.misfits, 0u) << report.first_misfit;
}

}  // namespace
}  // namespace kiban::suites
