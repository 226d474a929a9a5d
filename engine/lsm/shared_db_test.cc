// Goal:   writers who meet share appends and syncs; maintenance runs beside them, and they wait for
//         it exactly when it has fallen behind.
// Method: a director holds tasks at the entrance of a step until the others are where the story
//         wants them, so that every meeting is certain; then one life with no director.
#include <gtest/gtest.h>

#include <vector>

#include "engine/lsm/shared_test_world.h"

namespace kiban::lsm {
namespace {

using SharedDb = StagedWorld;
using SharedLife = SharedWorld;

// The first writer is held in its sync until `followers` wait behind it.
TEST_F(SharedDb, WritersWhoMeetShareOneAppendAndOneSync) {
  const std::unique_ptr<Db> db = OpenShared();
  constexpr int kFollowers = 5;
  stage_.Hold("write.sync");
  Spawn([&] { EXPECT_TRUE(db->Put("first", "v", {.sync = true}).ok()); });
  stage_.Await("write.sync", 1);
  for (int i = 0; i < kFollowers; ++i) {
    Spawn([&, i] {
      const bool sync = i % 2 == 0;
      EXPECT_TRUE(db->Put("k" + std::to_string(i), "v", {.sync = sync}).ok());
    });
  }
  Spawn([&] { EXPECT_TRUE(db->Sync().ok()); });
  stage_.Await("write.follow", kFollowers + 1);
  EXPECT_EQ(db->last_sequence(), 0u);  // Not visible before its sync.
  stage_.LetGo("write.sync");
  JoinAll();

  EXPECT_EQ(db->last_sequence(), 1u + kFollowers);
  EXPECT_EQ(db->GetStats().log_syncs, 2u);
  EXPECT_EQ(db->GetStats().puts, 1u + kFollowers);
  EXPECT_EQ(stage_.Count("group.append"), 1u);
  EXPECT_EQ(stage_.Count("group.of_three_synced"), 1u);
  EXPECT_EQ(stage_.Count("group.sync_shared"), 1u);
  EXPECT_EQ(ReadAll(*db).size(), 1u + kFollowers);
}

TEST_F(SharedDb, AGroupTakesNoMoreThanTheMemtableHasRoomFor) {
  KibanOptions options = TinyOptions();
  options.write_buffer_bytes = 1000;
  const std::unique_ptr<Db> db = OpenShared(options);
  stage_.Hold("write.append");
  for (char with = 'a'; with < 'k'; ++with) {
    Spawn([&, with] { EXPECT_TRUE(db->Put(std::string(1, with), Bulk(with), {}).ok()); });
  }
  stage_.Await("write.append", 1);
  stage_.Await("write.follow", 9);
  stage_.LetGo("write.append");
  JoinAll();
  EXPECT_GE(db->GetStats().log_switches, 2u);
  EXPECT_EQ(ReadAll(*db).size(), 10u);
}

// Of small records the memtable's nodes are most of what they take.
TEST_F(SharedDb, AGroupOfSmallRecordsIsCountedAsTheMemtableWillCountIt) {
  constexpr int kFollowers = 39;
  KibanOptions options = TinyOptions();
  options.write_buffer_bytes = 1000;
  const std::unique_ptr<Db> db = OpenShared(options);
  stage_.Hold("write.append");
  for (int i = 0; i <= kFollowers; ++i) {
    Spawn([&, i] { EXPECT_TRUE(db->Put(std::to_string(i), "v", {}).ok()); });
  }
  stage_.Await("write.append", 1);
  stage_.Await("write.follow", kFollowers);
  stage_.LetGo("write.append");
  JoinAll();
  // An entry takes between 64 and 96 bytes: 11 to 16 of them fill a memtable.
  EXPECT_GE(db->GetStats().log_switches, 2u);
  EXPECT_LE(db->GetStats().log_switches, 3u);
  EXPECT_EQ(ReadAll(*db).size(), 1u + kFollowers);
}

// The leader is larger than the memtable has room for; a Sync() behind it needs none.
TEST_F(SharedDb, AGroupTakesASyncAlongHoweverFullTheMemtableIs) {
  KibanOptions options = TinyOptions();
  options.write_buffer_bytes = 256;
  const std::unique_ptr<Db> db = OpenShared(options);
  stage_.Hold("write.append");
  Spawn([&] { EXPECT_TRUE(db->Put("first", "v", {}).ok()); });
  stage_.Await("write.append", 1);
  Spawn([&] { EXPECT_TRUE(db->Put("large", Bulk('v'), {}).ok()); });
  stage_.Await("write.follow", 1);
  Spawn([&] { EXPECT_TRUE(db->Sync().ok()); });
  stage_.Await("write.follow", 2);
  stage_.LetGo("write.append");
  JoinAll();
  EXPECT_EQ(stage_.Count("group.sync"), 1u);
  EXPECT_EQ(stage_.Count("write.sync"), 0u);
}

TEST_F(SharedDb, AWriterWaitsWhileTheLastMemtableIsNotFlushed) {
  const std::unique_ptr<Db> db = OpenShared();
  stage_.Hold("flush.F1");
  Spawn([&] {
    for (char with = 'a'; with < 'k'; ++with) {
      EXPECT_TRUE(db->Put(std::string(1, with), Bulk(with), {}).ok());
    }
  });
  stage_.Await("write.stall_entered", 1);
  EXPECT_EQ(db->GetStats().log_switches, 1u);
  EXPECT_GT(ReadAll(*db).size(), 4u);  // Readers do not wait.
  EXPECT_EQ(stage_.Count("write.stall_left"), 0u);
  EXPECT_EQ(stage_.Count("write.stall_level0"), 0u);
  stage_.LetGo("flush.F1");
  JoinAll();
  EXPECT_GE(stage_.Count("write.stall_left"), 1u);
  EXPECT_EQ(ReadAll(*db).size(), 10u);
}

TEST_F(SharedDb, AWriterWaitsWhileLevel0IsAtItsCeiling) {
  KibanOptions options = TinyOptions();
  options.l0_compaction_trigger = 2;
  options.l0_write_stall_trigger = 2;
  const std::unique_ptr<Db> db = OpenShared(options);
  const auto put = [&] { ASSERT_TRUE(db->Put("k", Bulk('v'), {}).ok()); };
  stage_.Hold("compact.C1");
  while (db->GetStats().log_switches < 2) put();
  stage_.Await("compact.C1", 1);
  // With the one that needed the second switch, as many as fill the memtable.
  for (int i = 0; i < 2; ++i) put();
  const uint64_t stalls = stage_.Count("write.stall_entered");
  ASSERT_EQ(stage_.Count("write.stall_left"), stalls);
  const uint64_t by_level0 = stage_.Count("write.stall_level0");
  Spawn(put);
  stage_.Await("write.stall_entered", stalls + 1);
  stage_.Await("write.stall_level0", by_level0 + 1);
  EXPECT_EQ(db->GetStats().level_tables[0], 2u);
  EXPECT_EQ(db->GetStats().log_switches, 2u);
  EXPECT_EQ(db->GetStats().flushes, 2u);
  stage_.LetGo("compact.C1");
  JoinAll();
  EXPECT_EQ(stage_.Count("write.stall_left"), stalls + 1);
  EXPECT_EQ(db->GetStats().log_switches, 3u);
}

TEST_F(SharedDb, FlushLeavesEverythingInTablesAndNothingDue) {
  const std::unique_ptr<Db> db = OpenShared();
  EXPECT_TRUE(db->Flush().ok());  // Of nothing.
  EXPECT_EQ(db->GetStats().flushes, 0u);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(db->Put("k" + std::to_string(i), Bulk('v'), {}).ok());
  }
  ASSERT_TRUE(db->Put("last", "v", {}).ok());
  ASSERT_TRUE(db->Flush().ok());
  ASSERT_TRUE(db->Get("last", nullptr).ok());
  const Stats stats = db->GetStats();
  EXPECT_EQ(stats.gets_from_cache + stats.gets_from_disk, 1u);
  EXPECT_EQ(stats.flushes, stats.log_switches);
  EXPECT_GT(stats.compactions, 0u);
  EXPECT_LT(stats.level_tables[0], TinyOptions().l0_compaction_trigger);
  ASSERT_TRUE(db->Flush().ok());  // Of nothing again.
  EXPECT_EQ(db->GetStats().flushes, stats.flushes);
}

TEST_F(SharedDb, CompactLeavesOneLevel) {
  const std::unique_ptr<Db> db = OpenShared();
  EXPECT_TRUE(db->Compact().ok());  // Of nothing.
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(db->Put("k" + std::to_string(i % 11), Bulk('v'), {}).ok());
  }
  ASSERT_TRUE(db->Delete("k3", {}).ok());
  ASSERT_TRUE(db->Compact().ok());
  uint64_t levels = 0;
  for (const uint64_t tables : db->GetStats().level_tables) levels += tables > 0 ? 1 : 0;
  EXPECT_EQ(levels, 1u);
  EXPECT_EQ(ReadAll(*db).size(), 10u);
}

// Always one more Compact() waits, as if two tasks called it in a loop, and so does a Flush(): one
// merge may go before it, not two.
TEST_F(SharedDb, FlushAndCompactTakeTurns) {
  const std::unique_ptr<Db> db = OpenShared();
  const auto compact = [&] { EXPECT_TRUE(db->Compact().ok()); };
  ASSERT_TRUE(db->Put("a", "v", {}).ok());
  ASSERT_TRUE(db->Flush().ok());
  stage_.Hold("compact.C1");
  Spawn(compact);
  stage_.Await("compact.C1", 1);
  uint64_t waits = stage_.Count("lsm.progress");
  Spawn(compact);  // Next in turn.
  stage_.Await("lsm.progress", ++waits);
  ASSERT_TRUE(db->Put("b", "v", {}).ok());
  const engine::Tasks::Id flusher =
      env().tasks->Spawn("flusher", [&] { EXPECT_TRUE(db->Flush().ok()); });
  stage_.Await("lsm.progress", ++waits);

  stage_.Hold("compact.C3");
  stage_.LetGo("compact.C1");
  stage_.Await("compact.C3", 1);
  stage_.Hold("flush.F1");
  stage_.LetGo("compact.C3");
  stage_.Await("flush.F1", 2);  // The first merge is done, the flush is under way.
  stage_.Hold("compact.C3");
  stage_.LetGo("flush.F1");
  stage_.Await("compact.C3", 2);  // It was the turn of the second merge.
  waits = stage_.Count("lsm.progress");
  Spawn(compact);
  stage_.Await("lsm.progress", waits + 1);
  stage_.Hold("compact.C1");
  stage_.LetGo("compact.C3");
  env().tasks->Join(flusher);
  stage_.Await("compact.C1", 3);  // The third merge came after it, and is still held.
  stage_.LetGo("compact.C1");
  JoinAll();
  EXPECT_EQ(ReadAll(*db).size(), 2u);
}

TEST_F(SharedDb, RefusesWhatTheDirectHandleRefuses) {
  const std::unique_ptr<Db> db = OpenShared();
  EXPECT_TRUE(absl::IsInvalidArgument(db->Write(Batch(), {}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(db->Put(std::string((1 << 20) + 1, 'k'), "", {}).status()));
  EXPECT_TRUE(db->Put("k", "v", {}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(Db::OpenShared(env(), "db", TinyOptions()).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(Db::Open(env(), "db", TinyOptions()).status()));
}

// Each task owns some keys and so knows what they must be; all share memtables, groups, tables.
TEST_F(SharedLife, OfManyTasksLeavesWhatEachOfThemHasWritten) {
  constexpr int kTasks = 6;
  std::vector<Contents> left(kTasks);
  {
    const std::unique_ptr<Db> db = OpenShared();
    for (int t = 0; t < kTasks; ++t) {
      Spawn([&, t] {
        Dice dice(static_cast<uint64_t>(t));
        Contents& mine = left[static_cast<size_t>(t)];
        for (int i = 0; i < 250; ++i) {
          const std::string key = std::to_string(t) + "." + std::to_string(dice.Below(20));
          if (dice.OneIn(5)) {
            ASSERT_TRUE(db->Delete(key, {.sync = dice.OneIn(10)}).ok());
            mine.erase(key);
          } else {
            mine[key] = std::string(dice.Below(120), static_cast<char>('a' + i % 26));
            ASSERT_TRUE(db->Put(key, mine[key], {.sync = dice.OneIn(10)}).ok());
          }
          if (dice.OneIn(60)) {
            ASSERT_TRUE(db->Flush().ok());
          }
          if (dice.OneIn(120)) {
            ASSERT_TRUE(db->Compact().ok());
          }
          const auto got = db->Get(key, nullptr);
          ASSERT_TRUE(got.ok());
          ASSERT_EQ(got->has_value(), mine.count(key) == 1);
          ASSERT_TRUE(!got->has_value() || **got == mine[key]);
        }
      });
    }
    JoinAll();
    EXPECT_GT(db->GetStats().compactions, 3u);
  }
  Contents expected;
  for (const Contents& mine : left) expected.insert(mine.begin(), mine.end());
  ASSERT_GT(expected.size(), 60u);
  EXPECT_EQ(ReadAll(*OpenShared()), expected);
  EXPECT_EQ(ReadAll(*OpenDirect()), expected);
}

}  // namespace
}  // namespace kiban::lsm
