// Goal:   under `strict` every outcome that a disk may show is reachable, and no other ever is.
// Method: the litmus programs; each is cut at its end with every legal kept set and a thousand
// drawn ones
//         with torn pages. What can then be read is compared with what is allowed, whole sets where
//         they are small. A run of 100 'a' reads "a100"; zeros are dots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/disk/disk_test_support.h"

namespace kiban::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

std::string Of(char byte, size_t count) { return std::string(count, byte); }

std::set<std::string> Outcomes(const TestDisk& t, std::string_view path) {
  return AfterPowerCut(t.disk, [&](const Disk& disk) { return Read(disk, path); });
}

TEST(Litmus, L1ASyncedFileMayLackItsNameButNeverItsBytes) {
  TestDisk t;
  t.Make("f");
  t.Write("f", 0, Of('a', 100));
  t.Sync("f");
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("missing", "a100"));
}

TEST(Litmus, L2ReplacingByASyncedFileShowsTheOldOrTheNew) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 5000));
  t.Make("t");
  t.Write("t", 0, Of('n', 5000));
  t.Sync("t");
  t.Rename("t", "f");
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("o5000", "n5000"));
}

TEST(Litmus, L3ReplacingByAnUnsyncedFileMayLeaveItEmptyOrZero) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 100));
  t.Make("t");
  t.Write("t", 0, Of('n', 100));
  t.Rename("t", "f");
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("o100", "n100", "empty", ".100"));
}

TEST(Litmus, L4ARemovalMaySurviveAnEarlierLostRename) {
  TestDisk t;
  t.MakeSafe("t", "t");
  t.MakeSafe("g", "g");
  t.Rename("t", "f");
  t.Remove("g");
  EXPECT_THAT(AfterPowerCut(t.disk, Image),
              UnorderedElementsAre("g g1\nt t1\n", "t t1\n", "f t1\ng g1\n", "f t1\n"));
}

TEST(Litmus, L5ASizeMayLeadItsBytesAndAppendsMayInvert) {
  TestDisk t;
  t.MakeSafe("f", Of('a', 4000));
  t.Append("f", Of('b', 96));
  t.Append("f", Of('c', 10));
  const auto seen = Outcomes(t, "f");
  EXPECT_THAT(seen, Contains("a4000 .96"));
  EXPECT_THAT(seen, Contains("a4000 .96 c10"));
  EXPECT_THAT(seen, Each(StartsWith("a4000")));
}

TEST(Litmus, L6PagesOfOneFileAreIndependent) {
  TestDisk t;
  t.MakeSafe("f", Of('a', 2 * kPageBytes));
  t.Write("f", 0, Of('b', 100));
  t.Write("f", kPageBytes, Of('c', 100));
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("a8192", "b100 a8092", "a4096 c100 a3996",
                                                     "b100 a3996 c100 a3996"));
}

TEST(Litmus, L7AnAppendNeverHarmsWhatIsSafeBesideIt) {
  TestDisk t;
  t.MakeSafe("f", Of('a', 100));
  t.Append("f", Of('b', 500));
  EXPECT_THAT(
      Outcomes(t, "f"),  // The append spans two sectors of one page: it may tear between them.
      UnorderedElementsAre("a100", "a100 b500", "a100 .500", "a100 b412 .88", "a100 .412 b88"));
}

TEST(Litmus, L8OfTwoWritesToAPageTheLaterNeedsTheEarlier) {
  TestDisk t;
  t.MakeSafe("f", Of('.', 30));
  t.Write("f", 0, Of('a', 10));
  t.Write("f", 20, Of('b', 10));
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre(".30", "a10 .20", "a10 .10 b10"));
}

TEST(Litmus, L9AnUnsyncedRemovalIsDoneOrUndoneWhole) {
  TestDisk t;
  t.MakeSafe("f", Of('a', 5000));
  t.Remove("f");
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("a5000", "missing"));
}

TEST(Litmus, L10WhatATruncationCutOffStaysGone) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 5000));
  t.disk.Truncate(t.Find("f"), 0);
  t.Write("f", 0, Of('n', 20));
  t.Append("f", Of('n', 10));
  EXPECT_THAT(Outcomes(t, "f"),
              UnorderedElementsAre("o5000", "empty", "n20", "n30", ".20", ".30", "n20 .10"));
}

TEST(Litmus, L10AFileThatGrowsAgainShowsZerosNotOldBytes) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 5000));
  t.disk.Truncate(t.Find("f"), 100);
  t.disk.Truncate(t.Find("f"), 6000);
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("o5000", "o100", "o100 .5900"));
}

TEST(Litmus, L10BytesThatSurviveWithoutTheSizeNeverShow) {
  TestDisk t;
  t.MakeSafe("f", Of('a', 100));
  t.Append("f", Of('b', 5000));
  t.disk.PowerCut({{.kept = true}, {.kept = true}, {.kept = false}});
  EXPECT_EQ(Read(t.disk, "f"), "a100");
  t.disk.Truncate(t.Find("f"), 6000);
  EXPECT_EQ(Read(t.disk, "f"), "a100 .5900");
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("a100", "a100 .5900"));
}

TEST(Litmus, L11ADirectorySyncedInsideMayBeMissingButNeverEmpty) {
  TestDisk t;
  t.MakeDir("d");
  t.Make("d/f");
  t.Write("d/f", 0, Of('a', 10));
  t.Sync("d/f");
  t.SyncDir("d");
  EXPECT_THAT(AfterPowerCut(t.disk, Image), UnorderedElementsAre("", "d/\nd/f a10\n"));
}

TEST(Litmus, L12ASyncAfterAFailedOneProvesNothing) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 100));
  t.Write("f", 0, Of('n', 100));
  EXPECT_EQ(t.disk.FailSync(t.Find("f"), [](uint64_t) { return true; }), 1u);
  t.Sync("f");
  EXPECT_EQ(Read(t.disk, "f"), "n100");
  EXPECT_THAT(Outcomes(t, "f"), ElementsAre("o100"));
}

TEST(Litmus, L13AGhostReadsNewUntilItIsEvictedAndThenOld) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 100));
  t.Write("f", 0, Of('n', 100));
  t.disk.FailSync(t.Find("f"), [](uint64_t) { return true; });
  EXPECT_EQ(Read(t.disk, "f"), "n100");
  t.disk.EvictGhosts();
  EXPECT_EQ(Read(t.disk, "f"), "o100");
  EXPECT_EQ(t.disk.ghost_page_count(), 0u);
}

TEST(Litmus, L15WhatARestartedProcessReadsMayStillBeLost) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 10));
  t.Write("f", 0, Of('A', 10));
  t.disk.Kill();
  EXPECT_EQ(Read(t.disk, "f"), "A10");
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("o10", "A10"));
}

TEST(Litmus, L16ReservedSpaceReadsAsZeros) {
  TestDisk t;
  t.MakeSafe("f", "");
  t.disk.Allocate(t.Find("f"), 65536);
  t.Write("f", 0, Of('a', 100));
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("empty", ".65536", "a100 .65436"));
  t.Sync("f");
  EXPECT_THAT(Outcomes(t, "f"), ElementsAre("a100 .65436"));
}

TEST(Litmus, L17ARecycledFileKeepsItsOldTail) {
  TestDisk t;
  t.MakeSafe("1.wal", Of('o', 2 * kPageBytes));
  t.Rename("1.wal", "2.wal");
  t.Write("2.wal", 0, Of('n', kPageBytes));
  t.Sync("2.wal");
  EXPECT_THAT(AfterPowerCut(t.disk, Image),
              UnorderedElementsAre("1.wal n4096 o4096\n", "2.wal n4096 o4096\n"));
}

TEST(Litmus, L19ASyncedLinkHasItsNameButMaybeNotItsBytes) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 10));
  t.Write("f", 0, Of('n', 20));
  CHECK(t.disk.Link("f", "g").ok());
  t.SyncDir("");
  const auto seen = Outcomes(t, "g");
  EXPECT_THAT(seen, Not(Contains("missing")));
  EXPECT_THAT(seen, UnorderedElementsAre("o10", "n10", "o10 .10", "n20"));
}

TEST(Litmus, ARenameAcrossDirectoriesIsSafeAfterBothSyncs) {
  TestDisk t;
  t.MakeDir("d");
  t.MakeDir("e");
  t.SyncDir("");
  t.MakeSafe("d/f", "x");
  t.Rename("d/f", "e/g");
  const std::string before = "d/\nd/f x1\ne/\n";
  const std::string after = "d/\ne/\ne/g x1\n";
  t.SyncDir("e");
  EXPECT_THAT(AfterPowerCut(t.disk, Image), UnorderedElementsAre(before, after));
  t.SyncDir("d");
  EXPECT_THAT(AfterPowerCut(t.disk, Image), ElementsAre(after));
}

TEST(Litmus, ASyncedNameDragsTheRenameItFollows) {
  TestDisk t;
  t.MakeDir("d");
  t.MakeDir("e");
  t.SyncDir("");
  t.MakeSafe("d/f", "x");
  t.Rename("d/f", "e/g");
  t.Make("d/f");
  t.SyncDir("d");
  EXPECT_THAT(AfterPowerCut(t.disk, Image), ElementsAre("d/\nd/f empty\ne/\ne/g x1\n"));
}

TEST(Litmus, ADraggedRenameBringsItsNewDirectory) {
  TestDisk t;
  t.MakeDir("d");
  t.SyncDir("");
  t.MakeSafe("d/f", "x");
  t.MakeDir("e");
  t.Rename("d/f", "e/g");
  EXPECT_THAT(AfterPowerCut(t.disk, Image),
              UnorderedElementsAre("d/\nd/f x1\n", "d/\nd/f x1\ne/\n", "d/\ne/\ne/g x1\n"));
  t.Make("d/f");
  t.SyncDir("d");
  EXPECT_THAT(AfterPowerCut(t.disk, Image), ElementsAre("d/\nd/f empty\ne/\ne/g x1\n"));
}

TEST(Litmus, AnOpenFileWithoutANameReturnsOnlyIfItsRemovalIsUndone) {
  TestDisk t;
  t.MakeSafe("f", Of('o', 10));
  const InodeId inode = t.Find("f");
  t.disk.Pin(inode);
  t.Write("f", 0, Of('n', 10));
  t.Remove("f");
  EXPECT_EQ(t.disk.Size(inode), 10u);
  EXPECT_THAT(Outcomes(t, "f"), UnorderedElementsAre("missing", "o10", "n10"));
  t.SyncDir("");
  EXPECT_THAT(Outcomes(t, "f"), ElementsAre("missing"));
}

TEST(Litmus, ADirectoryGoesOnlyAfterWhatWasInIt) {
  TestDisk t;
  t.MakeDir("d");
  t.SyncDir("");
  t.MakeSafe("d/f", "x");
  t.Remove("d/f");
  t.Remove("d");
  EXPECT_THAT(AfterPowerCut(t.disk, Image), UnorderedElementsAre("d/\nd/f x1\n", "d/\n", ""));
  t.SyncDir("");
  EXPECT_THAT(AfterPowerCut(t.disk, Image), ElementsAre(""));
}

}  // namespace
}  // namespace kiban::sim
