// Goal:   Close() may come at any moment: who waits is refused and certainly not applied, what is
//         being written is finished, maintenance leaves nothing half done, readers end in peace.
// Method: the director holds each of them in the midst of its work until Close() waits for it.
#include <gtest/gtest.h>

#include <vector>

#include "engine/lsm/shared_test_world.h"

namespace kiban::lsm {
namespace {

using SharedClose = StagedWorld;
using SharedCloseByChance = SharedWorld;

void ExpectClosed(Db& db) {
  base::Sequence read_at = 0;
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Put("k", "never", {}).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Sync()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Flush()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Compact()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Get("k", nullptr, &read_at).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.LatestK("", 1, nullptr, &read_at).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.NewCursor({}, nullptr)->status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Close()));
}

TEST_F(SharedClose, RefusesAWriterInAStallAndThoseBehindIt) {
  const std::unique_ptr<Db> db = OpenShared();
  Contents acknowledged;
  stage_.Hold("flush.F1");
  Spawn([&] { EXPECT_FALSE(PutUntilRefused(*db, acknowledged).ok()); });
  stage_.Await("write.stall_entered", 1);
  stage_.Await("flush.F1", 1);  // Or else Close() would find the task not yet at work.
  const uint64_t follows = stage_.Count("write.follow");
  for (int i = 0; i < 3; ++i) {
    Spawn([&, i] {
      const auto put = db->Put("behind" + std::to_string(i), "v", {.sync = true});
      EXPECT_TRUE(absl::IsFailedPrecondition(put.status())) << put.status();
    });
  }
  Spawn([&] { EXPECT_TRUE(absl::IsFailedPrecondition(db->Flush())); });
  stage_.Await("write.follow", follows + 4);
  Spawn([&] { EXPECT_TRUE(db->Close().ok()); });
  stage_.Await("close.refused_writer", 5);
  stage_.Await("close.during_maintenance", 1);
  stage_.LetGo("flush.F1");
  JoinAll();
  ExpectClosed(*db);
  EXPECT_EQ(ReadAll(*OpenDirect()), acknowledged);
}

TEST_F(SharedClose, FinishesTheGroupThatIsBeingWritten) {
  const std::unique_ptr<Db> db = OpenShared();
  stage_.Hold("write.append");
  Spawn([&] { EXPECT_TRUE(db->Put("k", "v", {.sync = true}).ok()); });
  stage_.Await("write.append", 1);
  Spawn([&] {
    const auto put = db->Put("behind", "v", {});
    EXPECT_TRUE(absl::IsFailedPrecondition(put.status())) << put.status();
  });
  stage_.Await("write.follow", 1);
  Spawn([&] { EXPECT_TRUE(db->Close().ok()); });
  stage_.Await("lsm.queue.empty", 1);
  stage_.LetGo("write.append");
  JoinAll();
  EXPECT_EQ(ReadAll(*OpenDirect()), (Contents{{"k", "v"}}));
}

// What fails is maybe done, whoever closes meanwhile: that is no refusal, and not counted as one.
TEST_F(SharedClose, DoesNotMakeARefusalOfALogSwitchThatFails) {
  const std::unique_ptr<Db> db = OpenShared();
  ASSERT_TRUE(db->Put("k", "v", {}).ok());
  stage_.Hold("switch.T2");
  Spawn([&] {
    const absl::Status flushed = db->Flush();
    EXPECT_TRUE(absl::IsUnavailable(flushed)) << flushed;
  });
  stage_.Await("switch.T2", 1);
  Spawn([&] { EXPECT_TRUE(db->Close().ok()); });
  stage_.Await("lsm.queue.empty", 1);
  files_.Arm({.fail_at = 1});
  stage_.LetGo("switch.T2");
  JoinAll();
  EXPECT_EQ(stage_.Count("db.poisoned"), 1u);
  EXPECT_EQ(stage_.Count("close.refused_writer"), 0u);
  files_.Arm({});
  EXPECT_EQ(ReadAll(*OpenDirect()), (Contents{{"k", "v"}}));
}

TEST_F(SharedClose, AbandonsACompactionBetweenTwoOutputs) {
  Contents acknowledged;
  std::vector<std::string> tables;
  const std::unique_ptr<Db> db = OpenShared();
  for (int i = 0; i < 8; ++i) {
    const std::string key = "k" + std::to_string(i);
    ASSERT_TRUE(db->Put(key, Bulk('v'), {}).ok());
    acknowledged[key] = Bulk('v');
  }
  ASSERT_TRUE(db->Flush().ok());
  const uint64_t outputs = stage_.Count("compact.C2");
  const uint64_t compactions = db->GetStats().compactions;
  tables = FilesOf(env());
  stage_.Hold("compact.C2");
  Spawn([&] {
    const absl::Status compacted = db->Compact();
    EXPECT_TRUE(absl::IsFailedPrecondition(compacted)) << compacted;
  });
  stage_.Await("compact.C2", outputs + 1);
  Spawn([&] { EXPECT_TRUE(db->Close().ok()); });
  stage_.Await("close.wait", 1);
  stage_.Await("close.during_maintenance", 1);
  stage_.LetGo("compact.C2");
  JoinAll();
  EXPECT_EQ(stage_.Count("compact.C2"), outputs + 1);
  EXPECT_EQ(stage_.Count("db.poisoned"), 0u);
  EXPECT_EQ(db->GetStats().compactions, compactions);
  EXPECT_EQ(FilesOf(env()), tables);  // The output is gone, the inputs are there.
  EXPECT_EQ(ReadAll(*OpenDirect()), acknowledged);
}

TEST_F(SharedClose, LetsReadsInFlightEndOnTheirView) {
  const std::unique_ptr<Db> db = OpenShared();
  ASSERT_TRUE(db->Put("in_table", "v", {}).ok());
  ASSERT_TRUE(db->Flush().ok());
  ASSERT_TRUE(db->Put("in_memtable", "v", {}).ok());
  std::unique_ptr<Cursor> cursor = db->NewCursor({}, nullptr);
  std::unique_ptr<Snapshot> snapshot = db->TakeSnapshot();
  EXPECT_TRUE(db->Close().ok());
  EXPECT_EQ(ReadAll(*OpenDirect()).size(), 2u);  // The lock is free, the table no longer named.
  cursor->SeekToFirst();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->key(), "in_memtable");
  cursor->Next();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->key(), "in_table");
  EXPECT_EQ(cursor->value(), "v");
  cursor->Next();
  EXPECT_FALSE(cursor->Valid());
  EXPECT_TRUE(cursor->status().ok());
  ExpectClosed(*db);
}

TEST_F(SharedCloseByChance, ComesWhileManyTasksCall) {
  for (int round = 0; round < 8; ++round) {
    const std::unique_ptr<Db> db = OpenShared();
    const base::Sequence found_through = db->last_sequence();
    std::vector<Contents> acknowledged(4);
    for (size_t t = 0; t < acknowledged.size(); ++t) {
      Spawn([&, t] {
        for (int i = 0;; ++i) {
          const std::string key = std::to_string(t) + "." + std::to_string(i % 40);
          const std::string value = std::to_string(round) + "." + std::to_string(i);
          const auto put = db->Put(key, value + Bulk('v'), {.sync = i % 16 == 0});
          if (!put.ok()) {
            EXPECT_TRUE(absl::IsFailedPrecondition(put.status())) << put.status();
            return;
          }
          acknowledged[t][key] = value + Bulk('v');
          const auto got = db->Get(key, nullptr);
          if (got.ok()) {
            EXPECT_TRUE(got->has_value());
          }
          if (i % 50 == 49) (void)db->Compact();
        }
      });
    }
    const base::Sequence enough = found_through + 40 + static_cast<base::Sequence>(round) * 13;
    while (db->last_sequence() < enough) env().tasks->Yield();
    EXPECT_TRUE(db->Close().ok());
    JoinAll();
    ExpectClosed(*db);
    const Contents found = ReadAll(*OpenDirect());
    for (const Contents& mine : acknowledged) {
      for (const auto& [key, value] : mine) {
        ASSERT_EQ(found.count(key), 1u) << key;
        ASSERT_EQ(found.at(key), value);
      }
    }
  }
}

}  // namespace
}  // namespace kiban::lsm
