// Goal:   a case becomes small and stays the same failure, whatever its life does to its process,
//         and its certificate is true.
// Method: lives that are made up here fail by a rule that says what is needed; then planted bugs of
//         real engines are shrunk, and what the certificate claims is tried again.
#include "suites/support/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/hash.h"
#include "suites/crash/crash_suite.h"
#include "suites/support/seed_life.h"
#include "suites/support/shrink_axes.h"
#include "suites/support/sweep_text.h"
#include "suites/support/trial.h"

namespace kiban::suites {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Live = LifeReport(const Plan&, const LifeOptions&);

std::vector<uint32_t> IdsOf(const Plan& plan) {
  std::vector<uint32_t> ids;
  for (const Operation& operation : plan.operations) ids.push_back(operation.id);
  return ids;
}

bool Has(const Plan& plan, uint32_t id) {
  const auto is_it = [&](const Operation& operation) { return operation.id == id; };
  return std::any_of(plan.operations.begin(), plan.operations.end(), is_it);
}

LifeReport Ended(const Plan& plan, Verdict verdict, std::string complaint) {
  LifeReport report;
  report.verdict = verdict;
  report.complaint = std::move(complaint);
  report.resolved = plan;
  return report;
}

LifeReport Held(const Plan& plan) { return Ended(plan, Verdict::kHeld, ""); }

Case CaseOfReads(uint32_t count, uint32_t clients = 0) {
  Case c;
  c.plan.suite = "fake";
  c.plan.clients = clients;
  for (uint32_t id = 1; id <= count; ++id) {
    const uint32_t client = clients == 0 ? 0 : 1 + id % clients;
    c.plan.operations.push_back({.id = id, .client = client, .kind = OpKind::kGet, .key = "k"});
  }
  c.found = Verdict::kViolated;
  return c;
}

Shrunk MustShrink(const Case& c, Live* live) {
  absl::StatusOr<Shrunk> shrunk = Shrink(c, {.seconds_max = 60, .live = live});
  EXPECT_TRUE(shrunk.ok()) << shrunk.status();
  return shrunk.ok() ? *std::move(shrunk) : Shrunk{};
}

std::vector<std::string> ThingsOf(const Case& c, const std::string& axis) {
  for (const TriedAxis& tried : c.certificate) {
    if (tried.name == axis) return tried.things;
  }
  ADD_FAILURE() << "the certificate has nothing on " << axis;
  return {};
}

LifeReport NeedsSevenAndTwentyThree(const Plan& plan, const LifeOptions&) {
  const bool fails = Has(plan, 7) && Has(plan, 23);
  return fails ? Ended(plan, Verdict::kViolated, "lost") : Held(plan);
}

TEST(Shrink, LeavesWhatTheFailureNeeds) {
  const Shrunk result = MustShrink(CaseOfReads(40), NeedsSevenAndTwentyThree);
  EXPECT_THAT(IdsOf(result.shrunk.plan), ElementsAre(7, 23));
  EXPECT_TRUE(result.changed);
  EXPECT_TRUE(result.certified);
  EXPECT_THAT(ThingsOf(result.shrunk, "operations"), ElementsAre("7", "23"));
}

// One failure hides the other as soon as its operation is there.
LifeReport TwoBugs(const Plan& plan, const LifeOptions&) {
  if (Has(plan, 3)) return Ended(plan, Verdict::kViolated, "lost");
  if (Has(plan, 5)) return Ended(plan, Verdict::kUnavailable, "open refused");
  return Held(plan);
}

TEST(Shrink, StaysWithTheFailureItStartedFrom) {
  Case both = CaseOfReads(9);
  EXPECT_THAT(IdsOf(MustShrink(both, TwoBugs).shrunk.plan), ElementsAre(3));
  both.plan.operations.erase(both.plan.operations.begin() + 2);
  const Shrunk other = MustShrink(both, TwoBugs);
  EXPECT_THAT(IdsOf(other.shrunk.plan), ElementsAre(5));
  EXPECT_EQ(other.shrunk.signature, "unavailable: open refused");
}

LifeReport DiesWithoutElevenAndNeedsSeven(const Plan& plan, const LifeOptions&) {
  if (!Has(plan, 11)) std::raise(SIGSEGV);
  if (!Has(plan, 12)) _exit(0);
  return Has(plan, 7) ? Ended(plan, Verdict::kStuck, "deadlock") : Held(plan);
}

TEST(Shrink, OutlivesCandidatesThatDie) {
  const Shrunk result = MustShrink(CaseOfReads(20), DiesWithoutElevenAndNeedsSeven);
  EXPECT_THAT(IdsOf(result.shrunk.plan), ElementsAre(7, 11, 12));
}

LifeReport DiesOfSeven(const Plan& plan, const LifeOptions&) {
  if (Has(plan, 7)) std::raise(SIGSEGV);
  return Held(plan);
}

TEST(Shrink, MakesALifeSmallThatKillsItsProcess) {
  Case c = CaseOfReads(20);
  c.found = Verdict::kCrashed;
  const Shrunk result = MustShrink(c, DiesOfSeven);
  EXPECT_THAT(IdsOf(result.shrunk.plan), ElementsAre(7));
  EXPECT_THAT(result.shrunk.signature, StartsWith("crashed: "));
}

LifeReport HangsWithoutSeven(const Plan& plan, const LifeOptions&) {
  volatile uint64_t turns = 0;
  while (!Has(plan, 2)) turns = turns + 1;
  return Ended(plan, Verdict::kViolated, "lost");
}

TEST(Shrink, EndsCandidatesThatHang) {
  const Shrunk result = MustShrink(CaseOfReads(2), HangsWithoutSeven);
  EXPECT_THAT(IdsOf(result.shrunk.plan), ElementsAre(2));
}

// Only the 41st step of client 2 in the second process matters.
LifeReport NeedsOneDrawnStep(const Plan& plan, const LifeOptions&) {
  const sim::DrawnSteps needed{.boot = 2, .task = "client-2", .from = 41, .to = 41};
  bool is_drawn = !plan.schedule.has_value();
  for (const sim::DrawnSteps& steps : plan.schedule.value_or(std::vector<sim::DrawnSteps>{})) {
    is_drawn |= steps.boot == needed.boot && steps.task == needed.task &&
                steps.from <= needed.from && needed.to <= steps.to;
  }
  const bool fails = is_drawn && plan.clients >= 2;
  LifeReport report = fails ? Ended(plan, Verdict::kViolated, "lost") : Held(plan);
  for (const uint32_t boot : {1u, 2u}) {
    for (const char* const task : {"main", "client-1", "client-2"}) {
      report.steps.push_back({.boot = boot, .task = task, .from = 0, .to = 1000});
    }
  }
  return report;
}

TEST(Shrink, FindsTheOneStepThatMustBeDrawn) {
  const Shrunk result = MustShrink(CaseOfReads(6, 3), NeedsOneDrawnStep);
  ASSERT_TRUE(result.shrunk.plan.schedule.has_value());
  EXPECT_THAT(*result.shrunk.plan.schedule,
              ElementsAre(sim::DrawnSteps{.boot = 2, .task = "client-2", .from = 41, .to = 41}));
  EXPECT_THAT(ThingsOf(result.shrunk, "steps"), ElementsAre("client-2@2.0:41"));
}

// As a life that asks a real clock: the second of a process may be another.
LifeReport DiffersFromTheLast(const Plan& plan, const LifeOptions&) {
  static uint64_t lives = 0;
  LifeReport report = Held(plan);
  if (Has(plan, 4)) report.digest.low = ++lives;
  return report;
}

TEST(Shrink, MakesALifeSmallThatIsNotTheSameTwice) {
  Case c = CaseOfReads(9);
  c.found = Verdict::kBroken;
  const Shrunk result = MustShrink(c, DiffersFromTheLast);
  EXPECT_THAT(IdsOf(result.shrunk.plan), ElementsAre(4));
  EXPECT_EQ(result.shrunk.found, Verdict::kBroken);
}

TEST(Shrink, HasNothingToDoWhereNothingFails) {
  const auto result = Shrink(CaseOfReads(3), {.live = NeedsSevenAndTwentyThree});
  EXPECT_TRUE(absl::IsFailedPrecondition(result.status())) << result.status();
}

TEST(Shrink, CertifiesNothingOnceItIsToEnd) {
  int asked = 0;
  const auto result = Shrink(CaseOfReads(40), {.ends_early = [&] { return ++asked > 30; },
                                               .live = NeedsSevenAndTwentyThree});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->changed);
  EXPECT_FALSE(result->certified);
  EXPECT_THAT(result->shrunk.certificate, IsEmpty());
  EXPECT_TRUE(Has(result->shrunk.plan, 7) && Has(result->shrunk.plan, 23));
}

// The first seed that fails with the bug, and with this signature if one is asked for.
Case FirstCase(const std::function<void(Plan&)>& plant, const Engine& engine,
               const std::string& signature = "") {
  for (sim::Seed seed = 0; seed < 100; ++seed) {
    Plan plan = GenerateCrashLife(seed, engine, sim::kStrict);
    plant(plan);
    Trial trial = LiveTrial(plan, {.live = RunLife});
    const bool is_it = signature.empty() ? trial.report.verdict != Verdict::kHeld
                                         : trial.report.Signature() == signature;
    if (is_it) return CaseOf({}, trial.report);
  }
  ADD_FAILURE() << "no seed fails so";
  return {};
}

struct Planted {
  std::string engine;
  std::string bug;
};

// How testing::ValuesIn shows them.
void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.bug; }

class ShrinkPlanted : public testing::TestWithParam<Planted> {
 protected:
  Case Found() const {
    const Planted& planted = GetParam();
    return FirstCase(
        [&](Plan& plan) {
          const auto seam = sim::FindPlant(planted.bug);
          if (seam.has_value()) {
            plan.faults.plants.push_back(*seam);
          } else {
            plan.planted_bug = planted.bug;
          }
        },
        *FindEngine(planted.engine));
  }
};

// As a file, in another process.
void ExpectReplays(const Case& c) {
  const auto read = ParseCaseFile(FormatCase(c));
  ASSERT_TRUE(read.ok()) << read.status();
  const Trial again = LiveTrial(read->plan, {.live = RunLife});
  EXPECT_EQ(again.report.Signature(), c.signature);
  EXPECT_EQ(again.report.misfits, 0u) << again.report.first_misfit;
}

void ExpectTrueCertificate(const Case& c) {
  const Trial last = LiveTrial(c.plan, {.live = RunLife});
  size_t tried = 0;
  for (const ShrinkAxis& axis : ShrinkAxes()) {
    const std::vector<std::string> things = axis.things(last.drawn_again);
    EXPECT_EQ(things, ThingsOf(c, std::string(axis.name))) << axis.name;
    for (size_t i = 0; i < things.size(); ++i, ++tried) {
      Plan without = last.drawn_again;
      axis.take_away(without, i, 1, 0);
      const Trial trial =
          LiveTrial(without, {.fate_match = sim::FateMatch::kAlike, .live = RunLife});
      EXPECT_NE(trial.report.Signature(), c.signature) << axis.name << " " << things[i];
    }
  }
  EXPECT_GT(tried, 0u);
}

void ExpectLeftAlone(const Case& c) {
  const Shrunk again = MustShrink(c, RunLife);
  EXPECT_FALSE(again.changed);
  EXPECT_TRUE(again.certified);
  EXPECT_EQ(FormatCase(again.shrunk), FormatCase(c));
  EXPECT_LT(again.trials, 120u);  // At a millisecond each.
}

TEST_P(ShrinkPlanted, BecomesSmallStaysTheSameFailureAndIsCertified) {
  const Case found = Found();
  const Shrunk result = MustShrink(found, RunLife);
  EXPECT_EQ(result.shrunk.signature, found.signature);
  EXPECT_LE(result.shrunk.plan.operations.size(), 10u) << FormatCase(result.shrunk);
  EXPECT_TRUE(result.certified);
  ExpectReplays(result.shrunk);
  ExpectTrueCertificate(result.shrunk);
  ExpectLeftAlone(result.shrunk);
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, ShrinkPlanted,
    testing::Values(Planted{"lsm", "no-wal-sync"}, Planted{"lsm", "no-table-sync"},
                    Planted{"lsm", "no-directory-sync"}, Planted{"lsm", "sync-error-ignored"},
                    Planted{"toy", "toy-no-sync"}, Planted{"toy", "toy-publish-before-sync"},
                    Planted{"toy", "toy-wild-pointer"}, Planted{"toy", "toy-tries-for-ever"}),
    [](const auto& each) {
      std::string name = each.param.bug;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Shrink, IsToldBesideTheCase) {
  SweepRequest request;
  request.suite = FindSuite("crash");
  FailureGroup group{.signature = "x", .count = 1, .written = {WrittenCase{}}};
  WrittenCase& written = group.written.front();
  written.path = "a.case";
  EXPECT_THAT(FailureText(request, group), HasSubstr("case:   a.case\n"));
  written.shrunk = {.path = "a.min.case", .operations = 1, .certified = true};
  EXPECT_THAT(FailureText(request, group),
              HasSubstr("case:   a.case      (shrunk: a.min.case, 1 operation)\n"));
  written.shrunk = {.path = "a.min.case", .operations = 12, .certified = false};
  EXPECT_THAT(FailureText(request, group),
              HasSubstr("(shrunk: a.min.case, 12 operations; time ran out)\n"));
  written.shrunk = {.why_not = "it holds here"};
  EXPECT_THAT(FailureText(request, group), HasSubstr("a.case      (not shrunk: it holds here)\n"));
}

// Both bugs are in every candidate; each case stays with its own.
TEST(Shrink, TellsTwoPlantedBugsApart) {
  const auto both = [](Plan& plan) {
    plan.faults.plants = {sim::Plant::kNoWalSync, sim::Plant::kNoDirectorySync};
  };
  for (const char* const signature :
       {"violated: durable write lost", "unavailable: open refused"}) {
    const Case found = FirstCase(both, *FindEngine("lsm"), signature);
    const Shrunk result = MustShrink(found, RunLife);
    EXPECT_EQ(result.shrunk.signature, signature);
    EXPECT_THAT(result.shrunk.plan.faults.plants,
                ElementsAre(sim::Plant::kNoWalSync, sim::Plant::kNoDirectorySync));
    EXPECT_LE(result.shrunk.plan.operations.size(), 10u);
  }
}

}  // namespace
}  // namespace kiban::suites
