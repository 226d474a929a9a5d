// Goal:   a sweep tells the same for any number of workers, and no life can take more than its seed
// with it. Method: sweeps over lives that are made up here: most hold, some fail, die, hang or
// differ when they are
//         lived again. Everything is compared with what one worker finds.
#include "suites/support/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "suites/support/case_file.h"
#include "suites/support/json.h"
#include "suites/support/junit.h"
#include "suites/support/sweep_text.h"
#include "suites/support/whole_file.h"

namespace kiban::suites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Plan MakePlan(sim::Seed seed, const Engine&, const sim::Profile&) {
  Plan plan;
  plan.suite = "fake";
  plan.engine = "fake";
  plan.seed = seed;
  plan.crashes_expected = 4;
  return plan;
}

LifeReport Held(const Plan& plan) {
  LifeReport report;
  report.digest = {.high = plan.seed * 3, .low = plan.seed * 7 + 1};
  report.counts.operations = 200;
  report.counts.power_cuts = 3;
  report.counts.kills = 1;
  report.counts.flushes = plan.seed % 2;
  report.counts.crash_points["flush.F2"] = 4;
  report.counts.marks["wal.switched"] = plan.seed % 3;
  report.counts.tables = {.sst3 = 1, .ph2 = 0, .ph3 = 2};
  report.counts.format_pairs["sst3->ph3"] = report.counts.format_switches = 3;
  report.resolved = plan;
  return report;
}

LifeReport Violated(const Plan& plan, std::string complaint) {
  LifeReport report = Held(plan);
  report.verdict = Verdict::kViolated;
  report.complaint = std::move(complaint);
  report.detail = "key <k07> & \"friends\" \x01";
  report.crash_span = "flush.F2";
  return report;
}

LifeReport AllHold(const Plan& plan, const LifeOptions&) { return Held(plan); }

LifeReport EveryThirdFails(const Plan& plan, const LifeOptions&) {
  return plan.seed % 3 == 2 ? Violated(plan, "acknowledged write lost") : Held(plan);
}

// So that everything else is there before the first chunk.
LifeReport TheFirstIsSlow(const Plan& plan, const LifeOptions& options) {
  if (plan.seed == 0) usleep(50'000);
  return EveryThirdFails(plan, options);
}

LifeReport EachFailsInItsOwnWay(const Plan& plan, const LifeOptions&) {
  return Violated(plan, "complaint " + std::to_string(plan.seed));
}

LifeReport ManyWaysToEnd(const Plan& plan, const LifeOptions& options) {
  switch (plan.seed) {
    case 5:
      return Violated(plan, "acknowledged write lost");
    case 11:
      if (options.on_decision) options.on_decision("cut power after operation 7\n");
      CHECK(plan.seed != 11);
      break;
    case 12:
      std::raise(SIGSEGV);
      break;
    case 21: {
      LifeReport report = Held(plan);
      report.verdict = Verdict::kStuck;
      report.complaint = "a dead process that does not run out";
      return report;
    }
    case 31:
      _exit(0);
    default:
      break;
  }
  return Held(plan);
}

LifeReport OneRunsAway(const Plan& plan, const LifeOptions&) {
  volatile uint64_t turns = 0;
  while (plan.seed == 3) turns = turns + 1;
  return Held(plan);
}

LifeReport OneStopsTheSweep(const Plan& plan, const LifeOptions&) {
  if (plan.seed == 3) {
    kill(getppid(), SIGSTOP);
    usleep(1'500'000);
    kill(getppid(), SIGCONT);
    usleep(200'000);  // It has time to look at the clock.
  }
  return Held(plan);
}

Plan MakeHugePlan(sim::Seed seed, const Engine& engine, const sim::Profile& profile) {
  Plan plan = MakePlan(seed, engine, profile);
  for (uint32_t id = 1; id <= 4000; ++id) {
    Operation& operation = plan.operations.emplace_back();
    operation.id = id;
    for (char c = 'a'; c <= 'z'; ++c) operation.key += std::string(40, c);
  }
  return plan;
}

LifeReport Dies(const Plan& plan, const LifeOptions&) {
  CHECK(plan.operations.empty());
  return Held(plan);
}

LifeReport EachTimeOtherwise(const Plan& plan, const LifeOptions&) {
  static uint64_t lives = 0;
  LifeReport report = Held(plan);
  if (plan.seed == 9) report.digest.low += ++lives;
  return report;
}

// As EachTimeOtherwise, but its events tell where.
LifeReport DrawsFromSomewhereElse(const Plan& plan, const LifeOptions& options) {
  static uint64_t lives = 0;
  LifeReport report = Held(plan);
  sim::Trace trace(options.recording, options.kept_events);
  ++lives;
  for (uint64_t i = 0; i < 20; ++i) {
    const uint64_t drawn = i == 7 && plan.seed == 9 ? lives : i;
    trace.Add({.kind = 1, .time = i, .subject = drawn, .first = 0, .second = 0, .result = 0});
    if (options.on_event && i != 7) options.on_event({.text = "event number " + std::to_string(i)});
  }
  report.digest = trace.Finish();
  report.digest_blocks = trace.blocks();
  return report;
}

// Counted by all processes of a test.
std::atomic<uint64_t>& SharedCount() {
  static void* const memory = mmap(nullptr, sizeof(std::atomic<uint64_t>), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return *static_cast<std::atomic<uint64_t>*>(memory);
}

constexpr uint64_t kReportsLost = 3;

// The last life of a chunk takes its worker's pipe away: the worker dies when it reports.
LifeReport ThriceNobodyListens(const Plan& plan, const LifeOptions&) {
  if (plan.seed == 15 && SharedCount().fetch_add(1) < kReportsLost) close_range(3, ~0u, 0);
  return Held(plan);
}

LifeReport NobodyEverListens(const Plan& plan, const LifeOptions&) {
  if (plan.seed == 15) close_range(3, ~0u, 0);
  return Held(plan);
}

LifeReport CountsItself(const Plan& plan, const LifeOptions&) {
  SharedCount().fetch_add(1);
  usleep(2000);
  return EveryThirdFails(plan, {});
}

LifeReport WithTwoSchedules(const Plan& plan, const LifeOptions&) {
  LifeReport report = Held(plan);
  report.schedule = plan.seed % 3;  // 0: none.
  return report;
}

LifeReport SeedSixIsSafe(const Plan& plan, const LifeOptions&) {
  LifeReport report = Held(plan);
  if (plan.seed == 6) report.counts.kills = 0;
  return report;
}

class Runner : public testing::Test {
 protected:
  Runner() {
    suite_.name = "fake";
    suite_.crashes = true;
    suite_.floor_seeds = 2000;
    suite_.generate = MakePlan;
    engine_.name = "fake";
    engine_.crash_spans = {"flush.F2"};
    engine_.marks = {"wal.switched"};
    profile_.name = "strict";
    request_.suite = &suite_;
    request_.engine = &engine_;
    request_.profile = &profile_;
    request_.seeds = 100;
    request_.live = AllHold;
    request_.artifacts = testing::TempDir() + "/runner_test";
    request_.provenance = {"abc1234", "g++", "", "kiban", {"sweep"}};
  }

  SweepResult Sweep(LifeReport (*live)(const Plan&, const LifeOptions&), unsigned jobs) {
    request_.live = live;
    request_.jobs = jobs;
    return RunSweep(request_, nullptr);
  }

  uint64_t Count(const SweepResult& result, Verdict verdict) {
    return result.tally.verdicts[static_cast<size_t>(verdict)];
  }

  std::vector<uint64_t> FailedSeeds(const SweepResult& result) {
    std::vector<uint64_t> seeds;
    for (const FailureGroup& group : result.failures) {
      for (const WrittenCase& written : group.written) seeds.push_back(written.failure.seed);
    }
    return seeds;
  }

  Suite suite_;
  Engine engine_;
  sim::Profile profile_;
  SweepRequest request_;
};

void ExpectSame(const SweepResult& a, const SweepResult& b) {
  EXPECT_EQ(a.tally.seeds, b.tally.seeds);
  EXPECT_EQ(a.tally.verdicts, b.tally.verdicts);
  EXPECT_EQ(a.tally.digest, b.tally.digest);
  EXPECT_EQ(a.tally.rechecked, b.tally.rechecked);
  EXPECT_EQ(a.tally.counts.operations, b.tally.counts.operations);
  EXPECT_EQ(a.tally.counts.marks, b.tally.counts.marks);
  EXPECT_EQ(a.complete, b.complete);
  ASSERT_EQ(a.failures.size(), b.failures.size());
  for (size_t i = 0; i < a.failures.size(); ++i) {
    EXPECT_EQ(a.failures[i].signature, b.failures[i].signature);
    EXPECT_EQ(a.failures[i].count, b.failures[i].count);
    EXPECT_EQ(a.failures[i].written.front().failure.seed,
              b.failures[i].written.front().failure.seed);
  }
}

TEST_F(Runner, EverySeedIsLivedOnceAndSummedUp) {
  const SweepResult result = Sweep(AllHold, 2);
  EXPECT_EQ(result.tally.seeds, 100u);
  EXPECT_EQ(Count(result, Verdict::kHeld), 100u);
  EXPECT_EQ(result.tally.counts.operations, 100u * 200);
  EXPECT_EQ(result.tally.crashes(), 400u);
  EXPECT_EQ(result.tally.lives_without_flush, 50u);
  sim::Digest expected;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    expected += sim::InSweep(seed, {.high = seed * 3, .low = seed * 7 + 1});
  }
  EXPECT_EQ(result.tally.digest, expected);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(ExitStatus(result), 0);
  EXPECT_GT(result.memory.first_bytes, 0u);
}

TEST_F(Runner, TheNumberOfWorkersDoesNotShow) {
  for (const auto live : {AllHold, TheFirstIsSlow, EachFailsInItsOwnWay, ManyWaysToEnd}) {
    for (const StopAt stop_at : {StopAt::kFirstFailure, StopAt::kTenthSignature, StopAt::kEnd}) {
      request_.stop_at = stop_at;
      ExpectSame(Sweep(live, 1), Sweep(live, 3));
    }
  }
}

TEST_F(Runner, ADeadWorkerCostsItsSeedOnly) {
  const SweepResult result = Sweep(ManyWaysToEnd, 2);
  EXPECT_EQ(result.tally.seeds, 100u);
  EXPECT_EQ(Count(result, Verdict::kHeld), 95u);
  EXPECT_EQ(Count(result, Verdict::kViolated), 1u);
  EXPECT_EQ(Count(result, Verdict::kCrashed), 3u);
  EXPECT_EQ(Count(result, Verdict::kStuck), 1u);
  EXPECT_THAT(FailedSeeds(result), ElementsAre(5, 11, 12, 21, 31));
  EXPECT_THAT(result.harness_error, IsEmpty());
  EXPECT_EQ(ExitStatus(result), 1);
}

TEST_F(Runner, ADeadWorkerLeavesACompleteCaseWithItsStack) {
  const SweepResult result = Sweep(ManyWaysToEnd, 2);
  const auto text = ReadWhole(request_.artifacts + "/fake-11.case");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("CHECK failed: plan.seed != 11"));
  EXPECT_THAT(*text, HasSubstr("# fatal signal SIGABRT"));
  EXPECT_THAT(*text, Not(HasSubstr("\ndigest ")));
  const auto parsed = ParseCaseFile(*text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->plan.seed, 11u);
  EXPECT_THAT(parsed->plan.faults.cuts, SizeIs(1));
  EXPECT_THAT(result.failures[1].signature, HasSubstr("CHECK failed: plan.seed != 11"));
}

TEST_F(Runner, AWorkerThatDiesBetweenTwoLivesCostsNothing) {
  SharedCount() = 0;
  ExpectSame(Sweep(ThriceNobodyListens, 1), Sweep(AllHold, 1));
  EXPECT_EQ(SharedCount(), kReportsLost + 1);
}

TEST_F(Runner, WorkersThatDoNothingButDieEndTheSweep) {
  const SweepResult result = Sweep(NobodyEverListens, 2);
  EXPECT_THAT(result.harness_error, HasSubstr("workers keep dying outside lives"));
  EXPECT_EQ(ExitStatus(result), 2);
}

TEST_F(Runner, ShardsAddUpToTheWhole) {
  request_.seeds = 101;
  const SweepResult whole = Sweep(ManyWaysToEnd, 2);
  Tally sum;
  std::vector<uint64_t> failed;
  for (uint64_t index = 1; index <= 3; ++index) {
    request_.shard = {.index = index, .count = 3, .source = "--shard"};
    ExpectSame(Sweep(ManyWaysToEnd, 1), Sweep(ManyWaysToEnd, 3));
    const SweepResult shard = Sweep(ManyWaysToEnd, 2);
    EXPECT_TRUE(shard.complete);
    sum += shard.tally;
    for (const uint64_t seed : FailedSeeds(shard)) failed.push_back(seed);
  }
  EXPECT_EQ(sum.seeds, 101u);
  EXPECT_EQ(sum.digest, whole.tally.digest);
  EXPECT_EQ(sum.verdicts, whole.tally.verdicts);
  EXPECT_EQ(sum.counts.marks, whole.tally.counts.marks);
  EXPECT_THAT(failed, testing::UnorderedElementsAreArray(FailedSeeds(whole)));
}

TEST_F(Runner, AShardWithoutSeedsHolds) {
  request_.seeds = 2;
  request_.shard = {.index = 3, .count = 3, .source = "--shard"};
  const SweepResult result = Sweep(AllHold, 2);
  EXPECT_EQ(result.tally.seeds, 0u);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(ExitStatus(result), 0);
}

TEST_F(Runner, AnEarlyEndCountsEveryLifeThatWasLived) {
  SharedCount() = 0;
  request_.seeds = 100'000;
  request_.recheck_ppm = 0;
  request_.ends_early = [] { return SharedCount() > 30; };
  const SweepResult result = Sweep(CountsItself, 3);
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.tally.seeds, 30u);
  EXPECT_EQ(result.tally.seeds, SharedCount());
  EXPECT_EQ(result.tally.failed(), result.failures[0].count);
  EXPECT_EQ(ExitStatus(result), 1);
}

TEST_F(Runner, DifferentSchedulesAreCounted) {
  EXPECT_EQ(Sweep(WithTwoSchedules, 2).distinct_schedules, 2u);
  EXPECT_EQ(Sweep(AllHold, 2).distinct_schedules, 0u);
}

TEST_F(Runner, APlantCanStrikeOneSeedOnly) {
  request_.planted_bug = "some-bug";
  request_.plant_seed = 17;
  const auto fails_if_planted = [](const Plan& plan, const LifeOptions&) {
    return plan.planted_bug.empty() ? Held(plan) : Violated(plan, "it was planted");
  };
  EXPECT_THAT(FailedSeeds(Sweep(fails_if_planted, 2)), ElementsAre(17));
}

TEST_F(Runner, ALifeWithoutEndIsAborted) {
  request_.seed_seconds_max = 0.3;
  const SweepResult result = Sweep(OneRunsAway, 2);
  EXPECT_EQ(Count(result, Verdict::kCrashed), 1u);
  EXPECT_EQ(Count(result, Verdict::kHeld), 99u);
  ASSERT_THAT(result.failures, SizeIs(1));
  EXPECT_THAT(result.failures[0].signature, HasSubstr("ran away"));
}

// The sweep runs in a child, so that no shell sees it stopped.
TEST_F(Runner, TimeInWhichTheSweepWasStoppedIsNotTheLives) {
  request_.seed_seconds_max = 0.5;
  const pid_t sweep = fork();
  ASSERT_GE(sweep, 0);
  if (sweep == 0) _exit(ExitStatus(Sweep(OneStopsTheSweep, 2)));
  int status = -1;
  ASSERT_EQ(waitpid(sweep, &status, 0), sweep);
  EXPECT_EQ(status, 0);
}

TEST_F(Runner, APlanThatDoesNotFitIsSaidToBeIncomplete) {
  suite_.generate = MakeHugePlan;
  request_.seeds = 1;
  const SweepResult result = Sweep(Dies, 1);
  ASSERT_THAT(result.failures, SizeIs(1));
  EXPECT_EQ(Count(result, Verdict::kCrashed), 1u);
  EXPECT_THAT(result.failures[0].written[0].failure.detail, HasSubstr("the case is incomplete"));
}

TEST_F(Runner, ACaseThatCannotBeWrittenSaysWhy) {
  ASSERT_TRUE(WriteWhole(testing::TempDir() + "/runner_test_file", "").ok());
  request_.artifacts = testing::TempDir() + "/runner_test_file/below";
  const SweepResult result = Sweep(EveryThirdFails, 2);
  EXPECT_THAT(result.harness_error, HasSubstr("Not a directory"));
  EXPECT_THAT(result.failures[0].written[0].not_written, HasSubstr("Not a directory"));
}

TEST_F(Runner, ASecondRunThatDivergesIsBroken) {
  request_.recheck_ppm = 1'000'000;
  const SweepResult result = Sweep(EachTimeOtherwise, 2);
  EXPECT_EQ(result.tally.rechecked, 100u);
  ASSERT_THAT(FailedSeeds(result), ElementsAre(9));
  EXPECT_THAT(result.failures[0].signature, HasSubstr("second run diverged"));
  EXPECT_EQ(ExitStatus(result), 2);
}

TEST_F(Runner, TheFirstEventThatDiffersIsShown) {
  request_.recheck_ppm = 1'000'000;
  const SweepResult result = Sweep(DrawsFromSomewhereElse, 2);
  ASSERT_THAT(FailedSeeds(result), ElementsAre(9));
  const std::string& detail = result.failures[0].written[0].failure.detail;
  EXPECT_THAT(detail, HasSubstr("event 7 is the first that differs"));
  EXPECT_THAT(detail, testing::ContainsRegex("both         6 .*  event number 6\n"));
  EXPECT_THAT(detail, HasSubstr("first        7  kind 1 time 7 subject "));
  EXPECT_THAT(detail, testing::ContainsRegex("second       8 .*  event number 8\n"));
  const auto text = ReadWhole(request_.artifacts + "/fake-9.case");
  EXPECT_THAT(*text, HasSubstr("#   first        7  kind 1 time 7 subject "));
  EXPECT_TRUE(ParseCaseFile(*text).ok());
  EXPECT_THAT(result.failures[0].written[0].command, HasSubstr(" --twice"));
}

TEST_F(Runner, ADifferenceThatDoesNotRecurIsShownByItsBlock) {
  request_.recheck_ppm = 1'000'000;
  const SweepResult result = Sweep(EachTimeOtherwise, 2);
  EXPECT_THAT(
      result.failures[0].written[0].failure.detail,
      HasSubstr("did not differ again in 5 more runs; the first two parted between event 0"));
}

TEST_F(Runner, AboutTheAskedShareIsLivedTwice) {
  request_.seeds = 2000;
  request_.recheck_ppm = 50'000;
  EXPECT_NEAR(static_cast<double>(Sweep(AllHold, 2).tally.rechecked), 100, 40);
}

TEST_F(Runner, AGeneratedLifeWithFewerCrashesIsBroken) {
  const SweepResult result = Sweep(SeedSixIsSafe, 2);
  ASSERT_THAT(FailedSeeds(result), ElementsAre(6));
  EXPECT_THAT(result.failures[0].signature, HasSubstr("a generated life with fewer crashes"));
}

TEST_F(Runner, FailFastEndsWithTheSmallestFailingSeed) {
  request_.stop_at = StopAt::kFirstFailure;
  const SweepResult result = Sweep(EveryThirdFails, 3);
  EXPECT_THAT(FailedSeeds(result), ElementsAre(2));
  EXPECT_EQ(result.tally.seeds, 3u);
  EXPECT_FALSE(result.complete);
}

TEST_F(Runner, TenSignaturesAreEnough) {
  const SweepResult result = Sweep(EachFailsInItsOwnWay, 2);
  EXPECT_GE(result.failures.size(), kSignaturesMax);
  EXPECT_LT(result.tally.seeds, 100u);
  EXPECT_FALSE(result.complete);
}

TEST_F(Runner, ThreeCasesOfASignatureAreEnough) {
  const SweepResult result = Sweep(EveryThirdFails, 2);
  ASSERT_THAT(result.failures, SizeIs(1));
  EXPECT_EQ(result.failures[0].count, 33u);
  EXPECT_THAT(FailedSeeds(result), ElementsAre(2, 5, 8));
  EXPECT_EQ(result.failures[0].written[0].command,
            "kiban replay " + request_.artifacts + "/fake-2.case --timeline");
}

TEST_F(Runner, FloorsAreJudgedOnceEnoughSeedsRan) {
  engine_.crash_spans = {"flush.F2", "publish.M4"};
  engine_.marks = {"wal.switched", "cache.evicted"};
  const SweepResult small = Sweep(AllHold, 2);
  EXPECT_THAT(small.not_reached, ElementsAre("span publish.M4", "mark cache.evicted"));
  EXPECT_THAT(small.floors_missed, IsEmpty());
  EXPECT_EQ(ExitStatus(small), 0);
  suite_.floor_seeds = 100;
  const SweepResult judged = Sweep(AllHold, 2);
  EXPECT_THAT(judged.floors_missed, ElementsAre("span publish.M4", "mark cache.evicted"));
  EXPECT_EQ(ExitStatus(judged), 1);
  request_.shard = {.index = 1, .count = 2, .source = "--shard"};
  request_.seeds = 200;
  const SweepResult shard = Sweep(AllHold, 2);
  EXPECT_THAT(shard.not_reached, SizeIs(2));
  EXPECT_THAT(shard.floors_missed, IsEmpty());
}

TEST_F(Runner, FormatsAndPairsAreFloorsToo) {
  engine_.format_option = "write_format";
  engine_.options = {{"write_format", {3, 42}}};
  engine_.formats = {"sst3", "ph2"};
  const SweepResult result = Sweep(AllHold, 2);
  EXPECT_THAT(result.not_reached, ElementsAre("format ph2", "pair sst3->sst3", "pair sst3->ph2",
                                              "pair ph2->sst3", "pair ph2->ph2"));
  EXPECT_THAT(NotCoveredText(result), HasSubstr("sst3 100, ph2 0, ph3 200; the format switched "
                                                "at 300 of 300 opens\n"));
}

TEST_F(Runner, JsonHasTheWholeShape) {
  const std::vector<SweepResult> results = {Sweep(ManyWaysToEnd, 2)};
  const std::string json = SweepJson(request_.provenance, results);
  for (const std::string name : {"schema",
                                 "revision",
                                 "build",
                                 "args",
                                 "complete",
                                 "suites",
                                 "suite",
                                 "engine",
                                 "profiles",
                                 "first_seed",
                                 "seeds",
                                 "seeds_asked",
                                 "plant",
                                 "harness_error",
                                 "shard",
                                 "index",
                                 "count",
                                 "source",
                                 "verdicts",
                                 "held",
                                 "gave_up",
                                 "crashes",
                                 "power_cuts",
                                 "kills",
                                 "recoveries_cut",
                                 "reopens",
                                 "operations",
                                 "flushes",
                                 "compactions",
                                 "manifests",
                                 "lives_without",
                                 "micro_ops",
                                 "crash_points",
                                 "marks",
                                 "formats",
                                 "sst3",
                                 "ph2",
                                 "ph3",
                                 "switches",
                                 "format_pairs",
                                 "faults",
                                 "distinct_schedules",
                                 "floors_missed",
                                 "failures",
                                 "seconds",
                                 "cpu_seconds",
                                 "seeds_per_second",
                                 "worker_rss_bytes",
                                 "slowest",
                                 "digest"}) {
    EXPECT_THAT(json, HasSubstr("\"" + name + "\":"));
  }
}

TEST_F(Runner, JsonIsCompleteOnlyIfAllThatWasAskedForIsIn) {
  const std::vector<SweepResult> results = {Sweep(AllHold, 2)};
  EXPECT_THAT(SweepJson(request_.provenance, results), HasSubstr("\"complete\": true"));
  const std::vector<SweepResult> more = {results[0], NotSwept(request_)};
  EXPECT_THAT(SweepJson(request_.provenance, more), HasSubstr("\"complete\": false"));
}

TEST_F(Runner, JunitEscapesWhatEnginesSay) {
  const std::vector<SweepResult> results = {Sweep(EveryThirdFails, 2)};
  const std::string xml = JunitXml(results);
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"1\""));
  EXPECT_THAT(xml, HasSubstr("key &lt;k07&gt; &amp; &quot;friends&quot; ?"));
}

}  // namespace
}  // namespace kiban::suites
