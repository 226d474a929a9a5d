// Goal:   whichever call fails, the handle says so, is poisoned exactly if db.h says so, goes on
// reading what it
//         had, and what a restart finds is what was acknowledged, with or without the mutation that
//         failed.
// Method: one scripted life is counted once, then lived again for every n with the n-th changing
// call failing:
//         without an effect, with its whole effect, and for good (the process dies there). A
//         process that has died is restarted with recovery dying at every one of its own calls.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "engine/lsm/db_for_test.h"
#include "engine/lsm/faulty_files_for_test.h"
#include "engine/memory/memory_env.h"

namespace kiban::lsm {
namespace {

engine::Env EnvOf(engine::FileSystem& files) {
  return {.files = &files, .clock = nullptr, .tasks = nullptr, .random = nullptr};
}

// What a life has been told: acknowledged contents, and those that hold besides if the failed call
// counts.
struct Told {
  Contents acknowledged;
  std::optional<Contents> maybe;
  absl::Status error;  // The first that is not a refusal.
  bool opened = false;
};

class ScriptedLife {
 public:
  explicit ScriptedLife(engine::FileSystem& files) : env_(EnvOf(files)) {}

  // Ends at the first error.
  Told Run() {
    Open();
    for (int i = 0; i < 36 && told_.error.ok(); ++i) Write(i);
    Do([&] { return db_->Flush(); });
    Do([&] { return db_->Compact(); });
    for (int i = 36; i < 50 && told_.error.ok(); ++i) Write(i);
    Do([&] { return db_->Sync(); });
    if (!told_.error.ok()) return told_;
    db_.reset();
    Open();
    for (int i = 50; i < 60 && told_.error.ok(); ++i) Write(i);
    return told_;
  }

  Db* db() { return db_.get(); }

 private:
  void Do(const std::function<absl::Status()>& call) {
    if (told_.error.ok()) told_.error = call();
  }
  void Open() {
    Do([&] {
      auto db = Db::Open(env_, "db", TinyOptions());
      told_.opened = db.ok();
      if (db.ok()) db_ = *std::move(db);
      return db.status();
    });
  }
  void Write(int i) {
    Batch batch;
    Contents next = told_.acknowledged;
    for (int k = 0; k < 1 + i % 3; ++k) {
      const std::string key = "k" + std::to_string((i * 7 + k * 5) % 11);
      const std::string value = std::to_string(i) + std::string(static_cast<size_t>(i), '.');
      if ((i + k) % 5 == 0) {
        batch.Delete(key);
        next.erase(key);
      } else {
        batch.Put(key, value);
        next[key] = value;
      }
    }
    Do([&] { return db_->Write(batch, {.sync = i % 4 == 0}).status(); });
    (told_.error.ok() ? told_.acknowledged : told_.maybe.emplace()) = next;
  }

  engine::Env env_;
  std::unique_ptr<Db> db_;
  Told told_;
};

void ExpectPermitted(const Contents& found, const Told& told) {
  EXPECT_TRUE(found == told.acknowledged || found == told.maybe) << told.error;
}

uint64_t ChangingCalls() {
  memory::MemoryEnv env;
  FaultyFiles files(*env.env().files);
  files.Arm({});
  const Told told = ScriptedLife(files).Run();
  EXPECT_TRUE(told.error.ok()) << told.error;
  return files.calls();
}

void ExpectPoisoned(Db& db, const Told& told) {
  const auto refused = [](const absl::Status& status) {
    return absl::IsFailedPrecondition(status);
  };
  EXPECT_FALSE(refused(told.error)) << told.error;
  EXPECT_TRUE(refused(db.Put("k", "never", {}).status()));
  EXPECT_TRUE(refused(db.Delete("k", {}).status()));
  EXPECT_TRUE(refused(db.Sync()));
  EXPECT_TRUE(refused(db.Flush()));
  EXPECT_TRUE(refused(db.Compact()));
  EXPECT_EQ(ReadAll(db), told.acknowledged);  // What failed is not visible on this handle.
}

TEST(DbErrors, OneFailedCallPoisonsUnlessItWasARemove) {
  const uint64_t calls = ChangingCalls();
  ASSERT_GT(calls, 150u);
  uint64_t poisoned = 0;
  uint64_t removes = 0;
  for (const auto effect : {FaultPlan::Effect::kNone, FaultPlan::Effect::kAll}) {
    for (uint64_t n = 1; n <= calls; ++n) {
      SCOPED_TRACE(n);
      memory::MemoryEnv env;
      FaultyFiles files(*env.env().files);
      files.Arm({.fail_at = n, .effect = effect});
      ScriptedLife life(files);
      const Told told = life.Run();
      ASSERT_TRUE(files.has_failed());
      if (files.failed_kind() == CallKind::kRemove) {
        ++removes;
        EXPECT_TRUE(told.error.ok()) << told.error;
      } else {
        ASSERT_FALSE(told.error.ok()) << files.failed_path();
        EXPECT_TRUE(absl::IsUnavailable(told.error)) << told.error;
        EXPECT_NE(told.error.message().find("injected"), absl::string_view::npos);
      }
      if (life.db() != nullptr && told.opened && !told.error.ok()) {
        ++poisoned;
        ExpectPoisoned(*life.db(), told);
      }
      memory::MemoryEnv restarted;
      env.CopyFilesTo(restarted);
      const std::unique_ptr<Db> db = OpenDb(restarted.env(), TinyOptions());
      ASSERT_NE(db, nullptr) << files.failed_path();
      ExpectPermitted(ReadAll(*db), told);
      if (HasFailure()) FAIL() << "call " << n << " on " << files.failed_path();
    }
  }
  EXPECT_GT(removes, 20u);
  EXPECT_GT(poisoned, 150u);
}

TEST(DbErrors, AKillAnywhereAndAgainInRecoveryLosesNothingAcknowledged) {
  const uint64_t calls = ChangingCalls();
  uint64_t nested = 0;
  for (uint64_t n = 1; n <= calls; ++n) {
    SCOPED_TRACE(n);
    memory::MemoryEnv env;
    FaultyFiles files(*env.env().files);
    files.Arm({.fail_at = n, .reach = FaultPlan::Reach::kForever});
    const Told told = ScriptedLife(files).Run();
    for (uint64_t m = 1;; ++m) {
      SCOPED_TRACE(m);
      memory::MemoryEnv restarted;
      env.CopyFilesTo(restarted);
      FaultyFiles dying(*restarted.env().files);
      dying.Arm({.fail_at = m, .reach = FaultPlan::Reach::kForever});
      const auto first = Db::Open(EnvOf(dying), "db", TinyOptions());
      memory::MemoryEnv again;
      restarted.CopyFilesTo(again);
      const std::unique_ptr<Db> db = OpenDb(again.env(), TinyOptions());
      ASSERT_NE(db, nullptr);
      ExpectPermitted(ReadAll(*db), told);
      if (!dying.has_failed()) break;
      ++nested;
    }
    if (HasFailure()) FAIL() << files.failed_path();
  }
  EXPECT_GT(nested, 500u);
}

// A read error is an error: never "not found", never an older version, never the end of a scan.
TEST(DbErrors, AFailedReadIsNeverAnAnswer) {
  memory::MemoryEnv env;
  const Told told = ScriptedLife(*env.env().files).Run();
  ASSERT_TRUE(told.error.ok());
  FaultyFiles files(*env.env().files);
  KibanOptions options = TinyOptions();
  options.block_cache_bytes = 0;
  const auto db = Db::Open(EnvOf(files), "db", options).value();
  uint64_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    files.Arm({.reads = true, .fail_at = n});
    uint64_t errors = 0;
    for (int k = 0; k < 11; ++k) {
      const std::string key = "k" + std::to_string(k);
      const auto got = db->Get(key, nullptr);
      errors += got.ok() ? 0 : 1;
      ASSERT_TRUE(!got.ok() || got->has_value() == (told.acknowledged.count(key) == 1));
    }
    ASSERT_EQ(errors, files.has_failed() ? 1u : 0u);
    if (!files.has_failed()) break;
    ++failures;
  }
  for (uint64_t n = 1;; ++n) {
    files.Arm({.reads = true, .fail_at = n});
    const auto cursor = db->NewCursor({}, nullptr);
    for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev()) continue;
    if (!files.has_failed()) break;
    ++failures;
    ASSERT_TRUE(absl::IsUnavailable(cursor->status()));
    cursor->SeekToFirst();
    ASSERT_FALSE(cursor->Valid());  // It sticks.
    files.Arm({.reads = true, .fail_at = n});
    ASSERT_TRUE(absl::IsUnavailable(db->LatestK("", 100, nullptr).status()));
  }
  EXPECT_GT(failures, 10u);
  files.Arm({});
  EXPECT_EQ(ReadAll(*db), told.acknowledged);
}

TEST(DbErrors, AFailedReadInACompactionPoisonsAndLosesNothing) {
  uint64_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    memory::MemoryEnv env;
    const Told told = ScriptedLife(*env.env().files).Run();
    FaultyFiles files(*env.env().files);
    KibanOptions options = TinyOptions();
    options.block_cache_bytes = 0;
    auto db = Db::Open(EnvOf(files), "db", options).value();
    files.Arm({.reads = true, .fail_at = n});
    const absl::Status compacted = db->Compact();
    if (!files.has_failed()) break;
    ++failures;
    ASSERT_TRUE(absl::IsUnavailable(compacted)) << compacted;
    EXPECT_TRUE(absl::IsFailedPrecondition(db->Compact()));
    EXPECT_EQ(ReadAll(*db), told.acknowledged);
    db.reset();
    EXPECT_EQ(ReadAll(*OpenDb(env.env(), TinyOptions())), told.acknowledged);
  }
  EXPECT_GT(failures, 5u);
}

}  // namespace
}  // namespace kiban::lsm
