// Goal:   a database holds what the model says, whatever formats it was written in, however it is
//         reopened, and wherever the power was cut.
// Method: random commands on the simulated disk. Planted is one that does not keep to PH2.
#include <gtest/gtest.h>

#include "suites/properties/property.h"
#include "suites/properties/reopen_life.h"

namespace kiban::suites {
namespace {

TEST(ReopenProperties, ADatabaseOfMixedFormatsHoldsWhatTheModelSays) {
  ReopenReach reach;
  const bool held = Holds<ReopenScript>(ReopenScripts(), [&](const ReopenScript& script) {
    return WhyNotModel(script, OpenAsAsked, reach);
  });
  const auto number = [](uint64_t count) { return static_cast<unsigned long long>(count); };
  std::printf(
      "counted  %llu reopens, %llu power cuts, %llu recoveries cut, %llu refused, %llu went back, "
      "%llu rewritten, %llu mixed, %llu gets by index, %llu snapshots read\n",
      number(reach.reopens), number(reach.power_cuts), number(reach.recoveries_cut),
      number(reach.refused), number(reach.went_back), number(reach.rewritten), number(reach.mixed),
      number(reach.gets_from_index), number(reach.read_snapshots));
  if (!held) return;
  EXPECT_GT(reach.power_cuts, 500u);
  EXPECT_GT(reach.recoveries_cut, 200u);
  EXPECT_GT(reach.refused, 100u);
  EXPECT_GT(reach.went_back, 100u);
  EXPECT_GT(reach.rewritten, 200u);
  EXPECT_GT(reach.mixed, 500u);
  EXPECT_GT(reach.gets_from_index, 1000u);
  EXPECT_GT(reach.read_snapshots, 200u);
  for (const uint64_t tables : reach.tables_written) EXPECT_GT(tables, 1000u);
  EXPECT_EQ(reach.switches.size(), 9u);
}

// Planted: a reader that was limited to PH2 and opens PH3 all the same.
TEST(ReopenProperties, AReaderThatIgnoresItsLimitIsFoundAndShrunk) {
  const OpenDb careless = [](const engine::Env& env, OpenAs as) {
    as.written = as.format();
    as.knows_ph3 = true;
    return OpenAsAsked(env, as);
  };
  ReopenReach reach;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto smallest = SmallestFailing<ReopenScript>(
        ReopenScripts(),
        [&](const ReopenScript& script) { return WhyNotModel(script, careless, reach); }, seed);
    ASSERT_TRUE(smallest.has_value());
    EXPECT_LE(smallest->commands.size(), 6u) << rc::toString(*smallest);
  }
}

}  // namespace
}  // namespace kiban::suites
