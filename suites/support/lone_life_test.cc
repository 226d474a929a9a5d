// Goal:   a life in a process of its own is told to the last, however it ends.
// Method: lives that are none.
#include "suites/support/lone_life.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "engine/base/check.h"

namespace kiban::suites {
namespace {

using ::testing::SizeIs;

LifeReport TakesItsTime(const Plan&, const LifeOptions&) {
  usleep(400'000);
  return {};
}

TEST(LoneLife, RunsAwayIfItTakesTooLong) {
  EXPECT_EQ(LiveAlone(Plan{}, {.seconds_max = 0.1, .live = TakesItsTime}).complaint, "ran away");
  EXPECT_EQ(LiveAlone(Plan{}, {.live = TakesItsTime}).verdict, Verdict::kHeld);
}

LifeReport TellsAndDies(const Plan&, const LifeOptions& options) {
  for (uint64_t event = 0; event < 1000; ++event) {
    options.on_event({.kind = sim::Told::Kind::kCall,
                      .event = event,
                      .text = std::string(event, 'x'),
                      .label = "wal",
                      .owes = {"size wal 1"},
                      .gone = {"size old 1"},
                      .fates = {{.text = "a", .fate = "lost", .rule = "D1"}}});
  }
  CHECK(options.on_event == nullptr);
  return {};
}

TEST(LoneLife, IsToldToItsLastEventThoughItDies) {
  std::vector<sim::Told> all;
  const LifeReport report = LiveAlone(
      Plan{},
      {.on_event = [&](const sim::Told& told) { all.push_back(told); }, .live = TellsAndDies});
  EXPECT_EQ(report.verdict, Verdict::kCrashed);
  ASSERT_THAT(all, SizeIs(1000));
  EXPECT_EQ(all[999].event, 999u);
  EXPECT_EQ(all[999].kind, sim::Told::Kind::kCall);
  EXPECT_EQ(all[999].text.size(), 999u);
  EXPECT_EQ(all[999].label, "wal");
  EXPECT_EQ(all[999].owes, std::vector<std::string>{"size wal 1"});
  EXPECT_EQ(all[999].gone, std::vector<std::string>{"size old 1"});
  EXPECT_EQ(all[999].fates[0].rule, "D1");
}

}  // namespace
}  // namespace kiban::suites
