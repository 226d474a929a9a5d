#include "sim/disk/disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/base/bytes.h"
#include "sim/disk/disk_test_support.h"

namespace kiban::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Code = absl::StatusCode;

FileLabel AnyLabel() { return {"any", 1, "test", 1, 1}; }

TEST(Disk, FindsNamesInDirectories) {
  TestDisk t;
  t.MakeDir("d");
  t.MakeDir("d/e");
  t.Make("d/e/f");
  t.Make("g");
  EXPECT_EQ(*t.disk.Lookup(""), 0u);
  EXPECT_TRUE(t.disk.IsDirectory(t.Find("d/e")));
  EXPECT_FALSE(t.disk.IsDirectory(t.Find("d/e/f")));
  EXPECT_THAT(*t.disk.List(""), ElementsAre("d", "g"));
  EXPECT_THAT(*t.disk.List("d/e"), ElementsAre("f"));
}

TEST(Disk, RefusesWhatIsNoPath) {
  TestDisk t;
  t.MakeDir("d");
  t.Make("f");
  for (const char* path : {"/f", "./f", "../f", "d//f", "d/", "d/.", "d/../f", "/", "//", "f/"}) {
    EXPECT_EQ(t.disk.Lookup(path).status().code(), Code::kInvalidArgument) << path;
    EXPECT_EQ(t.disk.Create(path, AnyLabel()).status().code(), Code::kInvalidArgument) << path;
    EXPECT_EQ(t.disk.Rename("f", path).code(), Code::kInvalidArgument) << path;
  }
  for (const char* path : {"/d", "d/", "./d", "d/..", "/"}) {
    EXPECT_EQ(t.disk.List(path).status().code(), Code::kInvalidArgument) << path;
    EXPECT_EQ(t.disk.SyncDir(path).code(), Code::kInvalidArgument) << path;
  }
  EXPECT_EQ(t.disk.Remove("").code(), Code::kInvalidArgument);
}

TEST(Disk, ErrorsNameThePath) {
  TestDisk t;
  t.MakeDir("d");
  t.Make("d/f");
  t.Make("g");
  EXPECT_EQ(t.disk.Lookup("x/f").status().code(), Code::kNotFound);
  EXPECT_THAT(std::string(t.disk.Lookup("d/h").status().message()), HasSubstr("d/h"));
  EXPECT_EQ(t.disk.Lookup("g/f").status().code(), Code::kFailedPrecondition);
  EXPECT_EQ(t.disk.List("g").status().code(), Code::kFailedPrecondition);
  EXPECT_EQ(t.disk.Create("d/f", AnyLabel()).status().code(), Code::kAlreadyExists);
  EXPECT_EQ(t.disk.MakeDir("g", AnyLabel()).code(), Code::kAlreadyExists);
  EXPECT_EQ(t.disk.Link("g", "d/f").code(), Code::kAlreadyExists);
  EXPECT_EQ(t.disk.Link("d", "e").code(), Code::kFailedPrecondition);
  EXPECT_EQ(t.disk.Remove("d").code(), Code::kFailedPrecondition);
  EXPECT_EQ(t.disk.Rename("g", "d").code(), Code::kFailedPrecondition);
  EXPECT_EQ(t.disk.Rename("d", "g").code(), Code::kFailedPrecondition);
  EXPECT_EQ(t.disk.Rename("x", "y").code(), Code::kNotFound);
  EXPECT_EQ(t.disk.SyncDir("x").code(), Code::kNotFound);
}

TEST(Disk, DirectoriesAreRenamedWithinTheirParent) {
  TestDisk t;
  t.MakeDir("d");
  t.MakeDir("e");
  t.Make("d/f");
  EXPECT_EQ(t.disk.Rename("d", "e/d").code(), Code::kFailedPrecondition);
  t.Rename("d", "c");
  EXPECT_EQ(Image(t.disk), "c/\nc/f empty\ne/\n");
}

TEST(Disk, RenameReplacesAndKeepsOpenFilesReadable) {
  TestDisk t;
  t.MakeSafe("f", "old");
  t.MakeSafe("t", "new");
  const InodeId old = t.Find("f");
  t.disk.Pin(old);
  t.Rename("t", "f");
  EXPECT_EQ(Image(t.disk), "f n1 e1 w1\n");
  EXPECT_EQ(ReadBytes(t.disk, old), "old");
}

TEST(Disk, RenameOfALinkToItselfDoesNothing) {
  TestDisk t;
  t.MakeSafe("f", "x");
  ASSERT_TRUE(t.disk.Link("f", "g").ok());
  t.Rename("f", "g");
  t.Rename("f", "f");
  EXPECT_EQ(Image(t.disk), "f x1\ng x1\n");
}

TEST(Disk, DescribesWhatIsOwedByFileAndVersion) {
  TestDisk t;
  t.MakeDir("db");
  t.Make("db/000007.wal");
  t.Append("db/000007.wal", std::string(4000, 'a'));
  t.Append("db/000007.wal", std::string(200, 'b'));
  t.disk.Allocate(t.Find("db/000007.wal"), 9000);
  t.disk.Truncate(t.Find("db/000007.wal"), 10);
  t.Rename("db/000007.wal", "db/000008.wal");
  t.Remove("db/000008.wal");
  EXPECT_THAT(Pending(t.disk),
              ElementsAre("add db@1:test#1 db", "add wal@1:test#1.2 db/000007.wal",
                          "page wal@1:test#1.2 0 v1", "size wal@1:test#1.2 4000 v1",
                          "page wal@1:test#1.2 0 v2", "page wal@1:test#1.2 1 v1",
                          "size wal@1:test#1.2 4200 v2", "alloc wal@1:test#1.2 9000 v3",
                          "shrink wal@1:test#1.2 10 v4",
                          "rename wal@1:test#1.2 db/000007.wal -> db/000008.wal",
                          "del wal@1:test#1.2 db/000008.wal"));
}

TEST(Disk, NumbersNameOperationsThatWouldReadTheSame) {
  TestDisk t;
  t.MakeSafe("f", "x");
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(t.disk.Link("f", "g").ok());
    t.Remove("g");
  }
  EXPECT_THAT(Pending(t.disk), ElementsAre("add f@1:test#1 g", "del f@1:test#1 g",
                                           "add f@1:test#1 g v2", "del f@1:test#1 g v2"));
}

TEST(Disk, VersionsDoNotDependOnSyncs) {
  TestDisk t;
  t.MakeSafe("f", "x");
  t.Append("f", "y");
  EXPECT_THAT(Pending(t.disk), ElementsAre("page f@1:test#1 0 v2", "size f@1:test#1 2 v2"));
}

TEST(Disk, DescriptionsAndKeysAreUnique) {
  for (Seed seed = 0; seed < 200; ++seed) {
    Disk disk(kStrict);
    RandomLife{.steps = 100}.Live(disk, Rng(seed));
    std::set<std::string> texts;
    std::set<uint64_t> keys;
    for (const MicroOp& op : disk.pending()) {
      EXPECT_TRUE(texts.insert(disk.Describe(op)).second) << disk.Describe(op);
      EXPECT_TRUE(keys.insert(disk.Key(op)).second) << disk.Describe(op);
    }
  }
}

TEST(Disk, ALimitedWriteIsAShortWrite) {
  TestDisk t;
  t.MakeSafe("f", "x");
  const std::string bytes(2 * kPageBytes, 'a');
  EXPECT_EQ(t.disk.WriteSteps(t.Find("f"), 100, bytes.size()), 3u);
  const auto run = [&](uint64_t steps) {
    const auto copy = t.disk.Snapshot();
    copy->WriteAt(t.Find("f"), 100, base::AsBytes(bytes), steps);
    return Read(*copy, "f");
  };
  EXPECT_EQ(run(0), "x1");
  EXPECT_EQ(run(1), "x1 .99 a3996");
  EXPECT_EQ(run(2), "x1 .99 a8092");
  EXPECT_EQ(run(3), "x1 .99 a8192");
}

TEST(Disk, ALimitedSyncMakesTheFirstOperationsSafe) {
  TestDisk t;
  t.MakeSafe("f", "x");
  t.Write("f", 0, std::string(2 * kPageBytes, 'a'));
  EXPECT_EQ(t.disk.SyncSteps(t.Find("f")), 3u);
  t.disk.Sync(t.Find("f"), 2);
  EXPECT_THAT(Pending(t.disk), ElementsAre("size f@1:test#1 8192 v2"));
  EXPECT_THAT(AfterPowerCut(t.disk, Image), testing::UnorderedElementsAre("f a1\n", "f a8192\n"));
}

TEST(Disk, ALimitedSyncDirMakesTheFirstNamesSafe) {
  TestDisk t;
  t.Make("f");
  t.Make("g");
  t.MakeDir("d");
  t.Make("d/f");
  EXPECT_EQ(t.disk.SyncDirSteps(""), 3u);
  ASSERT_TRUE(t.disk.SyncDir("", 1).ok());
  EXPECT_EQ(Pending(t.disk).size(), 3u);
  t.SyncDir("");
  EXPECT_EQ(Pending(t.disk).size(), 1u);
}

TEST(Disk, ASyncTakesOnlyItsOwnFile) {
  TestDisk t;
  t.Make("f");
  t.Make("g");
  t.Append("f", "f");
  t.Append("g", "g");
  EXPECT_EQ(t.disk.owed_bytes(), 2 * kSectorBytes);
  t.Sync("g");
  EXPECT_THAT(Pending(t.disk), ElementsAre("add f@1:test#1 f", "add g@1:test#1.2 g",
                                           "page f@1:test#1 0 v1", "size f@1:test#1 1 v1"));
}

TEST(Disk, WhatNothingReachesOwesNothing) {
  TestDisk t;
  t.Make("f");
  t.disk.Pin(t.Find("f"));
  const InodeId inode = t.Find("f");
  t.Append("f", "x");
  t.Remove("f");
  t.SyncDir("");
  EXPECT_EQ(t.disk.pending().size(), 2u);  // It is still open.
  EXPECT_EQ(ReadBytes(t.disk, inode), "x");
  t.disk.Unpin(inode);
  EXPECT_EQ(t.disk.pending().size(), 0u);
  EXPECT_EQ(t.Make("g"), inode);  // Numbers are used again.
  EXPECT_EQ(Image(t.disk), "g empty\n");
}

TEST(Disk, AKillKeepsEverythingButPins) {
  TestDisk t;
  t.MakeSafe("f", "x");
  t.disk.Pin(t.Find("f"));
  t.Append("f", "y");
  t.Remove("f");
  const auto pending = Pending(t.disk);
  t.disk.Kill();
  EXPECT_EQ(Image(t.disk), "");
  EXPECT_EQ(Pending(t.disk), pending);
  t.disk.PowerCut(KeptSet(pending.size()));
  EXPECT_EQ(Image(t.disk), "f x1\n");
}

TEST(Disk, SnapshotsNeverSeeLaterCalls) {
  for (Seed seed = 0; seed < 50; ++seed) {
    Disk disk(kStrict);
    std::vector<std::unique_ptr<Disk>> snapshots;
    std::vector<std::string> images;
    std::vector<std::vector<std::string>> pending;
    for (uint64_t round = 0; round < 5; ++round) {
      RandomLife{.steps = 20, .syncs_fail = true}.Live(disk, Rng(seed).Fork(round));
      snapshots.push_back(disk.Snapshot());
      images.push_back(Image(disk));
      pending.push_back(Pending(disk));
      if (round == 2) disk.PowerCut(DrawKeptSet(disk, Rng(seed)).kept);
    }
    for (size_t i = 0; i < snapshots.size(); ++i) {
      ASSERT_EQ(Image(*snapshots[i]), images[i]);
      ASSERT_EQ(Pending(*snapshots[i]), pending[i]);
    }
  }
}

TEST(Disk, HistoryChangesNothing) {  // Sharing with snapshots must not show in what is owed.
  for (Seed seed = 0; seed < 50; ++seed) {
    Disk alone(kStrict);
    Disk watched(kStrict);
    std::vector<std::unique_ptr<Disk>> history;
    for (uint64_t round = 0; round < 60; ++round) {
      const RandomLife life = {.steps = 1, .syncs_fail = true};
      life.Live(alone, Rng(seed).Fork(round));
      life.Live(watched, Rng(seed).Fork(round));
      history.push_back(watched.Snapshot());
    }
    ASSERT_EQ(Pending(alone), Pending(watched));
    ASSERT_EQ(alone.owed_bytes(), watched.owed_bytes());
    const KeptSet kept = DrawKeptSet(alone, Rng(seed)).kept;
    ASSERT_EQ(kept, DrawKeptSet(watched, Rng(seed)).kept);
    alone.PowerCut(kept);
    watched.PowerCut(kept);
    ASSERT_EQ(Image(alone), Image(watched));
  }
}

TEST(DiskDeathTest, RefusesFilesThatAreNotThere) {
  TestDisk t;
  t.MakeSafe("f", "x");
  const InodeId inode = t.Find("f");
  t.Remove("f");
  EXPECT_DEATH(t.disk.Size(inode), "pins");
  EXPECT_DEATH(t.disk.Size(77), "size");
}

TEST(DiskDeathTest, RefusesAnIllegalPowerCut) {
  TestDisk t;
  t.MakeSafe("f", "xy");
  t.Write("f", 0, "a");
  t.Write("f", 1, "b");
  EXPECT_DEATH(t.disk.PowerCut({{.kept = false}, {.kept = true}}), "WhyNotAllowed");
}

}  // namespace
}  // namespace kiban::sim
