// Goal:   a database may be opened with any choice of formats at any time: what it holds is the
// same,
//         tables of all formats stand side by side, and there is a way back to format 3.
// Method: one database that is written, compacted and opened with changing options, and read whole
//         after each change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/lsm/db.h"
#include "engine/lsm/db_for_test.h"
#include "engine/memory/memory_env.h"
#include "engine/memory/watched_files.h"

namespace kiban::lsm {
namespace {

using pointindex::Layout;

KibanOptions WithIndex(Layout layout = Layout::kPh3) {
  KibanOptions options = TinyOptions();
  options.block_cache_bytes = uint64_t{1} << 20;
  options.point_index = true;
  options.for_tests.written = pointindex::BuilderOptions{.layout = layout};
  return options;
}

KibanOptions WithoutIndex() {
  KibanOptions options = WithIndex();
  options.point_index = false;
  return options;
}

class PointIndexTest : public testing::Test {
 protected:
  std::unique_ptr<Db> Open(const KibanOptions& options) { return OpenDb(env_.env(), options); }

  // Puts under keys that other calls put too, and flushes.
  void Fill(Db& db, char value) {
    for (int i = 0; i < 40; ++i) {
      const std::string key = "key" + std::to_string(i * 7 % 90 + value % 3);
      ASSERT_TRUE(db.Put(key, std::string(30, value), {}).ok());
      contents_[key] = std::string(30, value);
    }
    ASSERT_TRUE(db.Flush().ok());
  }

  // Makes a database of one table. The options' budget is too small for that table and the one that
  // a compaction makes of it.
  KibanOptions WithRoomForOne() {
    KibanOptions options = WithIndex();
    options.table_bytes = 1u << 20;
    const auto db = Open(options);
    Fill(*db, 'a');
    EXPECT_TRUE(db->Compact().ok());
    options.block_cache_bytes = db->GetStats().index_charged_bytes * 3 / 2;
    return options;
  }

  memory::MemoryEnv env_;
  Contents contents_;
};

TEST_F(PointIndexTest, IsOffUnlessItIsChosen) {
  EXPECT_FALSE(KibanOptions{}.point_index);
  const auto db = Open(TinyOptions());
  Fill(*db, 'a');
  EXPECT_EQ(db->GetStats().index_charged_bytes, 0u);
  EXPECT_GT(db->GetStats().tables_written_sst3, 0u);
  EXPECT_EQ(db->GetStats().tables_written_ph3, 0u);
}

TEST_F(PointIndexTest, AnswersEveryReadOfTables) {
  const auto db = Open(WithIndex());
  Fill(*db, 'a');
  ASSERT_TRUE(db->Compact().ok());
  const Stats before = db->GetStats();
  EXPECT_GT(before.tables_written_ph3, 0u);
  EXPECT_GT(before.index_charged_bytes, 0u);
  for (const auto& [key, value] : contents_) EXPECT_EQ(db->Get(key, nullptr).value(), value);
  const Stats after = db->GetStats();
  EXPECT_EQ(after.gets_from_index - before.gets_from_index, contents_.size());
  EXPECT_EQ(after.cache_misses, before.cache_misses);
}

TEST_F(PointIndexTest, FormatsStandSideBySideAndTakeTurns) {
  ASSERT_NO_FATAL_FAILURE(Fill(*Open(WithoutIndex()), 'a'));
  ASSERT_NO_FATAL_FAILURE(Fill(*Open(WithIndex(Layout::kPh2)), 'b'));
  ASSERT_NO_FATAL_FAILURE(Fill(*Open(WithIndex(Layout::kPh3)), 'c'));
  KibanOptions none = WithIndex();
  none.block_cache_bytes = 0;
  KibanOptions sorted_writer = WithIndex();
  sorted_writer.for_tests.written = std::nullopt;
  for (const KibanOptions& options : {WithoutIndex(), WithIndex(), none, sorted_writer}) {
    const auto db = Open(options);
    EXPECT_EQ(ReadAll(*db), contents_);
  }
}

TEST_F(PointIndexTest, AReaderFromBeforePh3IsToldTheWayBack) {
  ASSERT_NO_FATAL_FAILURE(Fill(*Open(WithIndex()), 'a'));
  KibanOptions old = WithoutIndex();
  old.for_tests.newest_layout = Layout::kPh2;
  const absl::Status refused = Db::Open(env_.env(), "db", old).status();
  EXPECT_TRUE(absl::IsUnimplemented(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("with the point index off"));

  {
    const auto db = Open(WithoutIndex());
    ASSERT_TRUE(db->Compact().ok());
    EXPECT_GT(db->GetStats().tables_written_sst3, 0u);
  }
  const auto db = Open(old);
  ASSERT_NE(db, nullptr);
  EXPECT_EQ(ReadAll(*db), contents_);
}

TEST_F(PointIndexTest, CompactWithTheIndexOffRewritesATableThatStandsAlone) {
  {
    const auto db = Open(WithIndex());
    ASSERT_TRUE(db->Put("k", "v", {}).ok());
    ASSERT_TRUE(db->Compact().ok());
    ASSERT_EQ(db->GetStats().tables_written_ph3, 2u);  // The flush's, and its rewriting.
  }
  const auto db = Open(WithoutIndex());
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(db->GetStats().tables_written_sst3, 1u);
}

TEST_F(PointIndexTest, TheChargeEndsWithTheTables) {
  const auto db = Open(WithIndex());
  Fill(*db, 'a');
  const uint64_t one = db->GetStats().index_charged_bytes;
  EXPECT_GT(one, 0u);
  for (const auto& [key, value] : contents_) ASSERT_TRUE(db->Delete(key, {}).ok());
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(db->GetStats().index_charged_bytes, 0u);
}

TEST_F(PointIndexTest, RoomThatACompactionLeavesIsUsed) {
  const KibanOptions options = WithRoomForOne();
  const auto db = Open(options);
  ASSERT_GT(db->GetStats().index_charged_bytes, 0u);
  ASSERT_TRUE(db->Compact().ok());
  for (const auto& [key, value] : contents_) EXPECT_EQ(db->Get(key, nullptr).value(), value);
  EXPECT_EQ(db->GetStats().gets_from_index, contents_.size());
}

// Each read of a compaction fails in turn. The last ones are those of an index that has room at
// last: the compaction is done by then, and stays so.
TEST_F(PointIndexTest, AnIndexThatCannotBeLoadedLaterIsCounted) {
  const KibanOptions options = WithRoomForOne();
  memory::WatchedFiles files(*env_.env().files);
  engine::Env watched = env_.env();
  watched.files = &files;
  uint64_t counted = 0;
  for (uint64_t nth = 1;; ++nth) {
    const auto db = OpenDb(watched, options);
    ASSERT_NE(db, nullptr);
    const uint64_t struck = files.watch.fail_read = files.watch.reads + nth;
    const absl::Status compacted = db->Compact();
    const bool was_struck = files.watch.reads >= struck;
    files.watch.fail_read = 0;
    EXPECT_EQ(ReadAll(*db), contents_);
    if (!was_struck) break;
    EXPECT_EQ(db->GetStats().indexes_not_loaded, compacted.ok() ? 1u : 0u);
    EXPECT_EQ(db->Sync().ok(), compacted.ok());
    counted += compacted.ok() ? 1 : 0;
  }
  EXPECT_GT(counted, 0u);
}

TEST_F(PointIndexTest, ABudgetThatNobodyChoseIsTheRules) {
  const auto budget = [&](std::optional<uint64_t> chosen, const cache::MemoryBounds& memory) {
    KibanOptions options = TinyOptions();
    options.block_cache_bytes = chosen;
    options.host_memory = memory;
    return Open(options)->GetStats().cache_budget_bytes;
  };
  constexpr uint64_t kMebibyte = uint64_t{1} << 20;
  const cache::MemoryBounds host = {.physical_bytes = 8192 * kMebibyte, .limits_bytes = {}};
  EXPECT_EQ(budget(std::nullopt, {}), 32 * kMebibyte);
  EXPECT_EQ(budget(std::nullopt, host), 128 * kMebibyte);
  EXPECT_EQ(budget(0, host), 0u);
}

}  // namespace
}  // namespace kiban::lsm
