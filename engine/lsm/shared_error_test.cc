// Goal:   through the shared handle an error reaches exactly those whom it concerns, sticks, is
//         never waited out, and what failed is never visible on the handle.
// Method: the director brings writers and maintenance together, then the files are told to fail.
#include <gtest/gtest.h>

#include <vector>

#include "engine/lsm/shared_test_world.h"

namespace kiban::lsm {
namespace {

using SharedErrors = StagedWorld;

void ExpectPoisoned(Db& db) {
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Put("k", "never", {}).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Sync()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Flush()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db.Compact()));
}

// Holds a first writer in its sync while four queue behind it, and fails their group at `fail_at`:
// 1 is its append, 2 its sync.
class FailedGroup : public StagedWorld, public testing::WithParamInterface<uint64_t> {};

TEST_P(FailedGroup, IsMaybeForEachMemberAndVisibleForNone) {
  const std::unique_ptr<Db> db = OpenShared();
  stage_.Hold("write.sync");
  Spawn([&] { EXPECT_TRUE(db->Put("first", "v", {.sync = true}).ok()); });
  stage_.Await("write.sync", 1);
  for (int i = 0; i < 4; ++i) {
    Spawn([&, i] {
      const auto put = db->Put("k" + std::to_string(i), "v", {.sync = i == 2});
      EXPECT_TRUE(absl::IsUnavailable(put.status())) << put.status();
    });
  }
  stage_.Await("write.follow", 4);
  stage_.Hold("group.append");
  stage_.LetGo("write.sync");
  stage_.Await("group.append", 1);
  files_.Arm({.fail_at = GetParam(), .suffix = ".wal"});
  // This one comes too late for the group.
  Spawn([&] { EXPECT_TRUE(absl::IsFailedPrecondition(db->Put("late", "v", {}).status())); });
  stage_.Await("write.follow", 5);
  stage_.LetGo("group.append");
  JoinAll();

  EXPECT_TRUE(files_.has_failed());
  EXPECT_EQ(db->last_sequence(), 1u);
  EXPECT_EQ(ReadAll(*db), (Contents{{"first", "v"}}));
  ExpectPoisoned(*db);
}
INSTANTIATE_TEST_SUITE_P(InAppendAndSync, FailedGroup, testing::Values(1, 2));

TEST_F(SharedErrors, OfMaintenanceStickAndEndAStall) {
  const std::unique_ptr<Db> db = OpenShared();
  Contents acknowledged;
  stage_.Hold("flush.F1");
  Spawn([&] {
    const absl::Status refused = PutUntilRefused(*db, acknowledged);
    EXPECT_NE(refused.message().find("injected"), absl::string_view::npos) << refused;
  });
  stage_.Await("write.stall_entered", 1);
  files_.Arm({.fail_at = 1, .suffix = ".sst"});
  stage_.LetGo("flush.F1");
  JoinAll();
  EXPECT_EQ(stage_.Count("maintenance.failed"), 1u);
  EXPECT_EQ(stage_.Count("write.stall_left"), 1u);
  ExpectPoisoned(*db);
  EXPECT_EQ(ReadAll(*db), acknowledged);
  EXPECT_TRUE(db->Close().ok());
  EXPECT_EQ(ReadAll(*OpenDirect()), acknowledged);
}

TEST_F(SharedErrors, OfMaintenanceReachThoseWhoWaitForIt) {
  for (const char* const step : {"flush.F1", "compact.C1", "publish.M3"}) {
    for (const bool compact : {false, true}) {
      SCOPED_TRACE(step);
      if (!compact && step == std::string("compact.C1")) continue;
      const posix::TemporaryDir dir = posix::TemporaryDir::Make().value();
      posix::PosixEnv posix(dir.path());
      FaultyFiles files(*posix.env().files, posix.env().tasks);
      engine::Env env = posix.env();
      env.files = &files;
      const auto db = Db::OpenShared(env, "db", TinyOptions()).value();
      ASSERT_TRUE(db->Put("k", "v", {}).ok());
      ASSERT_TRUE(db->Flush().ok());
      ASSERT_TRUE(db->Put("l", "v", {}).ok());
      const uint64_t before = stage_.Count(step);
      stage_.Hold(step);
      const engine::Tasks::Id waiter = env.tasks->Spawn("waiter", [&] {
        const absl::Status status = compact ? db->Compact() : db->Flush();
        EXPECT_TRUE(absl::IsUnavailable(status)) << status;
      });
      stage_.Await(step, before + 1);
      files.Arm({.fail_at = 1, .reach = FaultPlan::Reach::kForever});
      stage_.LetGo(step);
      env.tasks->Join(waiter);
      ExpectPoisoned(*db);
      EXPECT_EQ(ReadAll(*db), (Contents{{"k", "v"}, {"l", "v"}}));
    }
  }
}

TEST_F(SharedErrors, OfALogSwitchAreThoseOfTheWriteThatNeededIt) {
  const std::unique_ptr<Db> db = OpenShared();
  Contents acknowledged;
  stage_.Hold("switch.T2");
  Spawn([&] {
    absl::Status status;
    for (int i = 0; status.ok(); ++i) {
      const std::string key = "k" + std::to_string(i);
      status = db->Put(key, Bulk('v'), {}).status();
      if (status.ok()) acknowledged[key] = Bulk('v');
    }
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  });
  stage_.Await("switch.T2", 1);
  files_.Arm({.fail_at = 1});
  stage_.LetGo("switch.T2");
  JoinAll();
  ExpectPoisoned(*db);
  EXPECT_EQ(ReadAll(*db), acknowledged);
}

// As DbErrors.OneFailedCallPoisonsUnlessItWasARemove, for a life whose calls come from two tasks.
TEST_F(SharedErrors, AnywhereLoseNothingAcknowledgedAndNothingHangs) {
  uint64_t poisoned = 0;
  for (uint64_t n = 1;; ++n) {
    SCOPED_TRACE(n);
    const posix::TemporaryDir dir = posix::TemporaryDir::Make().value();
    posix::PosixEnv posix(dir.path());
    FaultyFiles files(*posix.env().files, posix.env().tasks);
    engine::Env env = posix.env();
    env.files = &files;
    Contents acknowledged;
    std::string maybe;
    {
      const auto db = Db::OpenShared(env, "db", TinyOptions()).value();
      files.Arm({.fail_at = n, .reach = FaultPlan::Reach::kForever});
      absl::Status status;
      for (int i = 0; i < 24 && status.ok(); ++i) {
        const std::string key = "k" + std::to_string(i);
        status = db->Put(key, Bulk('v'), {.sync = i % 4 == 0}).status();
        if (status.ok()) acknowledged[key] = Bulk('v');
        if (!status.ok() && !absl::IsFailedPrecondition(status)) maybe = key;
      }
      if (status.ok()) status = db->Compact();
      if (!status.ok()) {
        ++poisoned;
        ExpectPoisoned(*db);
        EXPECT_EQ(ReadAll(*db), acknowledged);
      }
    }
    const bool has_failed = files.has_failed();
    files.Arm({});
    const auto db = Db::Open(env, "db", TinyOptions()).value();
    Contents found = ReadAll(*db);
    found.erase(maybe);
    ASSERT_EQ(found, acknowledged);
    if (!has_failed) break;
  }
  EXPECT_GT(poisoned, 60u);
}

}  // namespace
}  // namespace kiban::lsm
