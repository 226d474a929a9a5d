// Goal:   a failed sync leaves pages that lie (fault model section 4, ext4-ordered): new in V, old
// in D,
//         owed to nobody, until they are written again or evicted.
// Method: each transition by hand, then random lives in which a model of V and D must agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/disk/disk_test_support.h"

namespace kiban::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::string Of(char byte, size_t count) { return std::string(count, byte); }

const auto kEvery = [](uint64_t) { return true; };

std::set<std::string> Outcomes(const TestDisk& t) {
  return AfterPowerCut(t.disk, [](const Disk& disk) { return Read(disk, "f"); });
}

TEST(FailedSync, DamagesSomePagesAndMakesTheRestAndTheSizeSafe) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 10));
  t.Write("f", 0, Of('n', 3 * kPageBytes));
  const uint64_t ghosts = t.disk.FailSync(t.Find("f"), [](uint64_t page) { return page == 1; });
  EXPECT_EQ(ghosts, 1u);
  EXPECT_EQ(t.disk.ghost_page_count(), 1u);
  EXPECT_THAT(Pending(t.disk), ElementsAre());
  EXPECT_EQ(Read(t.disk, "f"), "n12288");
  EXPECT_THAT(Outcomes(t), ElementsAre("n4096 .4096 n4096"));
}

TEST(FailedSync, IsHealedWholeByOneMoreWrite) {
  TestDisk t;
  t.MakeSafe("f", Of('o', kPageBytes));
  t.Write("f", 0, Of('n', kPageBytes));
  t.disk.FailSync(t.Find("f"), kEvery);
  t.Write("f", 0, "x");
  EXPECT_EQ(t.disk.ghost_page_count(), 0u);
  EXPECT_EQ(t.disk.owed_bytes(), kPageBytes);  // Every sector may tear.
  t.Sync("f");
  EXPECT_THAT(Outcomes(t), ElementsAre("x1 n4095"));
}

TEST(FailedSync, HealsOnlyTheSectorsThatDiffer) {
  TestDisk t;
  t.MakeSafe("f", Of('o', kPageBytes));
  t.Write("f", 512, Of('n', 512));
  t.disk.FailSync(t.Find("f"), kEvery);
  t.Write("f", 1024, Of('x', 512));
  EXPECT_EQ(t.disk.owed_bytes(), 2 * kSectorBytes);
  EXPECT_THAT(Outcomes(t), UnorderedElementsAre("o4096", "o512 n512 x512 o2560", "o512 n512 o3072",
                                                "o1024 x512 o2560"));
}

TEST(FailedSync, AnEvictedPageIsWrittenOverTheOldBytes) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 100));
  t.Write("f", 0, Of('n', 100));
  t.disk.FailSync(t.Find("f"), kEvery);
  t.disk.EvictGhosts();
  t.Write("f", 0, "x");
  EXPECT_THAT(Pending(t.disk), ElementsAre("page f@1:test#1 0 v3"));
  EXPECT_EQ(Read(t.disk, "f"), "x1 o99");
  EXPECT_THAT(Outcomes(t), UnorderedElementsAre("o100", "x1 o99"));
}

TEST(FailedSync, EvictionRespectsACutThatIsStillOwed) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 1000));
  t.Write("f", 0, Of('n', 1000));
  t.disk.FailSync(t.Find("f"), kEvery);
  t.disk.Truncate(t.Find("f"), 10);
  t.disk.Truncate(t.Find("f"), 20);
  EXPECT_EQ(Read(t.disk, "f"), "n10 .10");
  t.disk.EvictGhosts();
  EXPECT_EQ(Read(t.disk, "f"), "o10 .10");
  t.Write("f", 15, "x");
  t.Sync("f");
  EXPECT_THAT(Outcomes(t), ElementsAre("o10 .5 x1 .4"));
}

TEST(FailedSync, ACutPageIsNoGhost) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 2 * kPageBytes));
  t.Write("f", 0, Of('n', 2 * kPageBytes));
  t.disk.FailSync(t.Find("f"), kEvery);
  t.disk.Truncate(t.Find("f"), kPageBytes);
  EXPECT_EQ(t.disk.ghost_page_count(), 1u);
  t.disk.Truncate(t.Find("f"), 0);
  EXPECT_EQ(t.disk.ghost_page_count(), 0u);
  t.Write("f", 0, "x");
  EXPECT_EQ(t.disk.owed_bytes(), kSectorBytes);
}

TEST(FailedSync, SurvivesAKillAndNotAPowerCut) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 10));
  t.Write("f", 0, Of('n', 10));
  t.disk.FailSync(t.Find("f"), kEvery);
  t.disk.Kill();
  EXPECT_EQ(Read(t.disk, "f"), "n10");
  t.disk.PowerCut({});
  EXPECT_EQ(Read(t.disk, "f"), "o10");
  EXPECT_EQ(t.disk.ghost_page_count(), 0u);
}

// Where no page is a ghost, what all owed operations make of D is exactly V: nothing was forgotten.
TEST(FailedSync, LosingNothingLeavesWhatWasSeenUnlessItWasAGhost) {
  uint64_t ghosts = 0;
  for (Seed seed = 0; seed < 2000; ++seed) {
    Disk disk(kStrict);
    RandomLife{.steps = 60, .syncs_fail = true}.Live(disk, Rng(seed));
    ghosts += disk.ghost_page_count();
    disk.EvictGhosts();
    const std::string seen = Image(disk);
    disk.PowerCut(KeptSet(disk.pending().size(), {.kept = true}));
    ASSERT_EQ(Image(disk), seen) << seed;
  }
  EXPECT_GT(ghosts, 500u);
}

}  // namespace
}  // namespace kiban::sim
