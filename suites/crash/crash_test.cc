// Goal:   the suite `crash` catches what it is for, holds where nothing is planted, and what it
// reports
//         is the life that was lived: its case replays with the same verdict and digest.
// Method: live a few dozen seeds with and without plants; replay each through its text.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "sim/disk/profile.h"
#include "suites/crash/crash_suite.h"
#include "suites/support/case_file.h"
#include "suites/support/crash_faults.h"
#include "suites/support/life.h"

namespace kiban::suites {
namespace {

constexpr sim::Seed kSeeds = 25;

Plan PlanOf(sim::Seed seed) { return GenerateCrashLife(seed, *FindEngine("lsm"), sim::kStrict); }

LifeReport ReplayAsText(const LifeReport& report) {
  const auto parsed = ParseCaseFile(FormatCase({.plan = report.resolved}));
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return RunLife(parsed->plan, {});
}

TEST(CrashSuite, HoldsAndReplaysFromItsCase) {
  LifeCounts counts;
  for (sim::Seed seed = 0; seed < kSeeds; ++seed) {
    const LifeReport report = RunLife(PlanOf(seed), {});
    ASSERT_EQ(report.verdict, Verdict::kHeld) << seed << ": " << report.detail;
    EXPECT_EQ(report.counts.power_cuts + report.counts.kills, kCrashesPerLife) << seed;
    EXPECT_GE(report.counts.flushes, 1u) << seed;
    EXPECT_GE(report.counts.compactions, 1u) << seed;
    const LifeReport again = ReplayAsText(report);
    EXPECT_EQ(again.verdict, Verdict::kHeld);
    EXPECT_EQ(again.digest, report.digest) << seed;
    EXPECT_EQ(again.misfits, 0u) << seed << ": " << again.first_misfit;
    counts += report.counts;
  }
  EXPECT_GT(counts.power_cuts, 0u);
  EXPECT_GT(counts.kills, 0u);
  EXPECT_GT(counts.recoveries_cut, 0u);
  EXPECT_GT(counts.micro_ops_lost, 0u);
}

// As World names it, out of the fates that the case lists.
std::string KeptSetOf(const std::vector<sim::ListedFate>& fates) {
  const auto count = [&](auto is) { return std::count_if(fates.begin(), fates.end(), is); };
  if (fates.empty()) return "nothing_owed";
  if (count([](const auto& fate) { return fate.torn_sectors != 0; }) > 0) return "torn";
  const auto kept = count([](const auto& fate) { return fate.kept; });
  if (kept == 0) return "all_lost";
  return kept == std::ssize(fates) ? "all_kept" : "some_lost";
}

TEST(CrashSuite, EveryPowerCutIsCountedByWhatItKept) {
  std::map<std::string, uint64_t> shapes;
  for (sim::Seed seed = 0; seed < kSeeds; ++seed) {
    const LifeReport report = RunLife(PlanOf(seed), {});
    std::map<std::string, uint64_t> expected;
    for (const sim::Cut& cut : report.resolved.faults.cuts) {
      if (cut.kind == sim::FaultKind::kPowerCut) ++expected[KeptSetOf(*cut.fates)];
    }
    EXPECT_EQ(report.counts.kept_sets, expected) << seed;
    for (const auto& [shape, count] : expected) shapes[shape] += count;
  }
  EXPECT_EQ(shapes.size(), 5u) << "some shape never came up";
}

TEST(CrashSuite, TheSameSeedIsTheSameLifeAndAnotherIsAnother) {
  const sim::Digest digest = RunLife(PlanOf(1), {}).digest;
  EXPECT_EQ(RunLife(PlanOf(1), {}).digest, digest);
  EXPECT_NE(RunLife(PlanOf(2), {}).digest, digest);
}

TEST(CrashSuite, APlantIsCaughtAndItsCaseReplaysAndHoldsWithoutIt) {
  uint64_t caught = 0;
  for (sim::Seed seed = 0; seed < kSeeds; ++seed) {
    Plan plan = PlanOf(seed);
    plan.faults.plants.push_back(seed % 2 == 0 ? sim::Plant::kNoDirectorySync
                                               : sim::Plant::kNoOldLogSync);
    const LifeReport report = RunLife(plan, {});
    if (report.verdict == Verdict::kHeld) continue;
    ++caught;
    const LifeReport again = ReplayAsText(report);
    EXPECT_EQ(again.Signature(), report.Signature());
    EXPECT_EQ(again.digest, report.digest);
    Plan mended = report.resolved;
    mended.faults.plants.clear();
    EXPECT_EQ(RunLife(mended, {}).verdict, Verdict::kHeld);
  }
  EXPECT_GT(caught, kSeeds / 3);
}

}  // namespace
}  // namespace kiban::suites
