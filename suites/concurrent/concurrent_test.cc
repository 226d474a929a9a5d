// Goal:   the suite `concurrent` holds where nothing is planted, reaches what only many clients
// can,
//         and what it reports is the life that was lived: its case replays with the same verdict,
//         digest and schedule.
// Method: live a few dozen seeds; replay each through its text.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "suites/concurrent/concurrent_suite.h"
#include "suites/support/case_file.h"
#include "suites/support/crash_faults.h"
#include "suites/support/life.h"

namespace kiban::suites {
namespace {

constexpr sim::Seed kSeeds = 25;

Plan PlanOf(sim::Seed seed) {
  return GenerateConcurrentLife(seed, *FindEngine("lsm"), sim::kStrict);
}

LifeReport ReplayAsText(const LifeReport& report) {
  const auto parsed = ParseCaseFile(FormatCase({.plan = report.resolved}));
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return RunLife(parsed->plan, {});
}

TEST(ConcurrentSuite, HoldsAndEveryLifeReplaysFromItsText) {
  LifeCounts counts;
  std::set<uint64_t> schedules;
  for (sim::Seed seed = 0; seed < kSeeds; ++seed) {
    const LifeReport report = RunLife(PlanOf(seed), {});
    ASSERT_EQ(report.verdict, Verdict::kHeld) << seed << ": " << report.detail;
    EXPECT_EQ(report.counts.power_cuts + report.counts.kills, kCrashesPerLife) << seed;
    const LifeReport again = ReplayAsText(report);
    EXPECT_EQ(again.verdict, Verdict::kHeld);
    EXPECT_EQ(again.digest, report.digest) << seed;
    EXPECT_EQ(again.schedule, report.schedule) << seed;
    EXPECT_EQ(again.misfits, 0u) << seed << ": " << again.first_misfit;
    counts += report.counts;
    schedules.insert(report.schedule);
  }
  EXPECT_EQ(schedules.size(), kSeeds);
  for (const char* const mark : {"group.of_three_synced", "write.stall_left",
                                 "compact.over_snapshot", "read.during_publication"}) {
    EXPECT_GT(counts.marks[mark], 0u) << mark;
  }
  EXPECT_GT(counts.crash_points["group.append"] + counts.crash_points["group.sync"], 0u);
}

TEST(ConcurrentSuite, HasThreeClientsAtLeast) {
  std::set<uint32_t> clients;
  for (sim::Seed seed = 0; seed < kSeeds; ++seed) clients.insert(PlanOf(seed).clients);
  EXPECT_EQ(clients, (std::set<uint32_t>{3, 4, 5, 6}));
}

// Without the order that syncs give, many clients lose what one client loses. What was cut off is
// not written down, and the rest must be the same life all the same.
TEST(ConcurrentSuite, FailingLivesReplayFromWhatIsWrittenOfThem) {
  int found = 0;
  for (sim::Seed seed = 0; seed < 60; ++seed) {
    Plan plan = PlanOf(seed);
    plan.faults.plants.push_back(seed % 2 == 0 ? sim::Plant::kNoWalSync : sim::Plant::kNoTableSync);
    const LifeReport report = RunLife(plan, {});
    if (report.verdict == Verdict::kHeld) continue;
    ++found;
    const LifeReport again = ReplayAsText(report);
    EXPECT_EQ(again.Signature(), report.Signature()) << seed;
    EXPECT_EQ(again.digest, report.digest) << seed;
    EXPECT_EQ(again.misfits, 0u) << seed << ": " << again.first_misfit;
  }
  EXPECT_GT(found, 20);
}

// Opening starts the background task, and a sync of its first compaction may fail before the open
// has returned. The handle that the open gives is then poisoned, and nobody's fault.
TEST(ConcurrentSuite, AnErrorInTheBackgroundOfAnOpenIsExcused) {
  int fired = 0;
  for (sim::Seed seed = 0; seed < 1000; ++seed) {
    const auto parsed =
        ParseCase("case 1\nsuite concurrent engine lsm profile strict clients 1 seed " +
                  std::to_string(seed) +
                  "\noptions l0_compaction_trigger=1\n"
                  "op 1 by 1 put \"a\" 100\n"
                  "op 2 reopen\n"
                  "op 3 by 1 put \"a\" 100\n"
                  "op 4 reopen\n"
                  "op 5 by 1 put \"b\" 100\n"
                  "sync-error at call 1 of compact.C2#1 in boot 1 ghosts none\n");
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    const LifeReport report = RunLife(parsed->plan, {});
    EXPECT_EQ(report.verdict, Verdict::kHeld) << seed << ": " << report.detail;
    fired += report.counts.sync_errors_fired == 1 ? 1 : 0;
  }
  EXPECT_GT(fired, 900);  // A life may end before its background comes to it.
}

}  // namespace
}  // namespace kiban::suites
