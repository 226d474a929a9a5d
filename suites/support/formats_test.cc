// Goal:   lives switch formats all the time: by seed at first, by draws of their own later, at
//         clean reopens and at recoveries, also at those that are cut and begun anew.
// Method: draw 1,000 lives of each long suite and walk through their opens; live some of them and
//         compare what they count.
#include "suites/support/formats.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sim/disk/profile.h"
#include "suites/support/case_file.h"
#include "suites/support/life.h"
#include "suites/support/suite.h"

namespace kiban::suites {
namespace {

constexpr sim::Seed kLives = 1000;
constexpr sim::Seed kLivedSeeds = 24;

const Engine& Lsm() { return *FindEngine("lsm"); }

Plan PlanOf(std::string_view suite, sim::Seed seed) {
  return FindSuite(suite)->generate(seed, Lsm(), sim::kStrict);
}

TEST(Formats, TheSeedSaysWhichOneALifeBeginsWith) {
  for (const char* const suite : {"crash", "concurrent"}) {
    for (sim::Seed seed = 0; seed < kLives; ++seed) {
      const std::string_view begins = FormatOf(Lsm(), PlanOf(suite, seed).options);
      EXPECT_EQ(begins, seed % 8 == 0 ? "ph2" : seed % 2 == 0 ? "sst3" : "ph3") << seed;
    }
  }
}

// As if every reopen came before every crash: draws know nothing of each other.
TEST(Formats, ClearlyMoreThanHalfOfAllReopensSwitch) {
  for (const char* const suite : {"crash", "concurrent"}) {
    uint64_t reopens = 0, switches = 0;
    std::map<std::string, uint64_t> pairs;
    for (sim::Seed seed = 0; seed < kLives; ++seed) {
      const Plan plan = PlanOf(suite, seed);
      std::string_view before = FormatOf(Lsm(), plan.options);
      const auto open = [&](const EngineOptions& options) {
        const std::string_view format = FormatOf(Lsm(), options);
        ASSERT_TRUE(options.contains("write_format"));
        ++reopens;
        switches += format != before ? 1 : 0;
        ++pairs[FormatPair(before, format)];
        before = format;
      };
      for (const Operation& operation : plan.operations) {
        if (operation.kind == OpKind::kReopen) open(operation.options);
      }
      ASSERT_EQ(plan.boots.size(), plan.faults.cuts.size()) << seed;
      for (const auto& [boot, options] : plan.boots) open(options);
    }
    EXPECT_GT(reopens, 5 * kLives);
    EXPECT_GT(switches * 100, reopens * 62);
    EXPECT_EQ(pairs.size(), FormatPairs(Lsm()).size());
    for (const auto& [pair, count] : pairs) EXPECT_GT(count * 16, reopens) << pair;
  }
}

TEST(Formats, ReopensAndRecoveriesChooseThemEvenly) {
  for (const char* const suite : {"crash", "concurrent"}) {
    std::map<std::string_view, uint64_t> by_reopens, by_boots;
    uint64_t reopens = 0, boots = 0;
    for (sim::Seed seed = 0; seed < kLives; ++seed) {
      const Plan plan = PlanOf(suite, seed);
      for (const Operation& operation : plan.operations) {
        if (operation.kind != OpKind::kReopen) continue;
        ++reopens;
        ++by_reopens[FormatOf(Lsm(), operation.options)];
      }
      for (const auto& [boot, options] : plan.boots) {
        ++boots;
        ++by_boots[FormatOf(Lsm(), options)];
      }
    }
    for (const std::string_view format : Lsm().formats) {
      EXPECT_NEAR(static_cast<double>(by_reopens[format]) / static_cast<double>(reopens), 0.333,
                  0.05);
      EXPECT_NEAR(static_cast<double>(by_boots[format]) / static_cast<double>(boots), 0.333, 0.05);
    }
  }
}

TEST(Formats, LivesCountWhatTheySwitched) {
  LifeCounts counts;
  for (const char* const suite : {"crash", "concurrent"}) {
    for (sim::Seed seed = 0; seed < kLivedSeeds; ++seed) {
      counts += RunLife(PlanOf(suite, seed), {}).counts;
    }
  }
  uint64_t pairs = 0, switches = 0;
  for (const auto& [pair, count] : counts.format_pairs) {
    const size_t arrow = pair.find("->");
    pairs += count;
    switches += pair.substr(0, arrow) != pair.substr(arrow + 2) ? count : 0;
  }
  EXPECT_EQ(counts.format_pairs.size(), FormatPairs(Lsm()).size());
  EXPECT_EQ(switches, counts.format_switches);
  EXPECT_GT(switches * 2, pairs);
  // Each crash and each reopen ends in one completed open, but for those while the database is
  // made.
  EXPECT_LE(pairs, counts.power_cuts + counts.kills + counts.reopens);
  EXPECT_GT(pairs * 10, (counts.power_cuts + counts.kills + counts.reopens) * 9);
  EXPECT_GT(counts.tables.sst3, 0u);
  EXPECT_GT(counts.tables.ph2, 0u);
  EXPECT_GT(counts.tables.ph3, 0u);
}

// The writer of the next format takes over from a recovery that was itself cut.
TEST(Formats, ARecoveryThatIsCutIsBegunAnewInTheFormatOfItsBoot) {
  const auto c = ParseCase(
      "case 1\nsuite crash engine lsm profile strict seed 1\n"
      "options write_format=43\n"
      "boot 2 write_format=3\n"
      "boot 3 write_format=42\n"
      "op 1 put \"a\" 100 sync\n"
      "op 2 put \"b\" 100 sync\n"
      "op 3 flush\n"
      "op 4 compact\n"
      "cut kill after operation 2\n"
      "recovery-cut kill after call 1 of publish.M2#1 in boot 2\n");
  ASSERT_TRUE(c.ok()) << c.status();
  const LifeReport report = RunLife(c->plan, {});
  EXPECT_EQ(report.verdict, Verdict::kHeld) << report.detail;
  EXPECT_EQ(report.misfits, 0u) << report.first_misfit;
  EXPECT_EQ(report.counts.format_pairs, (std::map<std::string, uint64_t>{{"ph3->ph2", 1}}));
  EXPECT_EQ(report.resolved.boots, c->plan.boots);
}

TEST(Formats, AnEngineWithOneFormatHasNothingToSwitch) {
  const Engine& toy = *FindEngine("toy");
  const Plan plan = FindSuite("crash")->generate(1, toy, sim::kStrict);
  EXPECT_TRUE(plan.boots.empty());
  EXPECT_EQ(FormatOf(toy, plan.options), "");
  EXPECT_TRUE(FormatPairs(toy).empty());
  EXPECT_TRUE(RunLife(plan, {}).counts.format_pairs.empty());
}

}  // namespace
}  // namespace kiban::suites
