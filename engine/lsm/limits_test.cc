// Goal:   what a database may be given at most, it keeps in every format: empty and binary keys,
// long
//         keys and values, the largest sequences, more versions of a key than sixteen bits count.
// Method: each limit lives through memtable, log, flush, compaction and reopening, with the point
//         index admitted and not.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/lsm/db_for_test.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/manifest_format.h"
#include "engine/memory/memory_env.h"

namespace kiban::lsm {
namespace {

struct Format {
  std::string name;
  std::optional<pointindex::BuilderOptions> written;
  uint64_t cache_bytes;
};

constexpr uint64_t kRoom = uint64_t{64} << 20;  // Every table is resident.
constexpr uint64_t kNoRoom = 16;                // None is.

const std::vector<Format> kFormats = {
    {"sst3", std::nullopt, kRoom},
    {"ph2", pointindex::BuilderOptions{.layout = pointindex::Layout::kPh2}, kRoom},
    {"ph2sorted", pointindex::BuilderOptions{.layout = pointindex::Layout::kPh2}, kNoRoom},
    {"ph3", pointindex::BuilderOptions{}, kRoom},
    {"ph3sorted", pointindex::BuilderOptions{}, kNoRoom},
    {"ph3wide", pointindex::BuilderOptions{.is_wide = true}, kRoom}};

class DbLimits : public testing::TestWithParam<Format> {
 protected:
  void Open() {
    db_.reset();
    KibanOptions options;
    options.block_cache_bytes = GetParam().cache_bytes;
    options.point_index = GetParam().written.has_value();
    options.for_tests.written = GetParam().written;
    db_ = OpenDb(env_.env(), options);
    ASSERT_NE(db_, nullptr);
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(key, value, {}).ok());
    contents_[key] = value;
  }
  void ExpectContents() { EXPECT_TRUE(ReadAll(*db_) == contents_); }
  // Gets of one key come from where the format says they should.
  void ExpectReadsThroughIndex(const std::string& key) {
    const uint64_t before = db_->GetStats().gets_from_index;
    ASSERT_TRUE(db_->Get(key, nullptr).ok());
    const bool is_resident = GetParam().written && GetParam().cache_bytes == kRoom;
    EXPECT_EQ(db_->GetStats().gets_from_index - before, is_resident ? 1u : 0u);
  }
  void LiveOn() {
    ExpectContents();  // From the memtable,
    Open();
    ExpectContents();  // from a table that recovery wrote,
    ASSERT_TRUE(db_->Compact().ok());
    ExpectContents();  // from one that a compaction wrote,
    Open();
    ExpectContents();  // and from one that was found.
  }

  memory::MemoryEnv env_;
  std::unique_ptr<Db> db_;
  Contents contents_;
};

TEST_P(DbLimits, EmptyBinaryAndLongKeysAndLongValuesAreKept) {
  Open();
  for (const std::string& key :
       {std::string(), std::string("\0", 1), std::string("\0\0", 2), std::string("\xff"),
        std::string("\xff\xff"), std::string(90'000, '\0'), std::string(90'000, 'k'),
        std::string(90'000, 'k') + "\xff"}) {
    Put(key, std::string(key.size() % 7, 'v'));
  }
  Put("long value", std::string(100'000, '\xff'));
  Put(std::string(90'000, 'z'), std::string(100'000, 'v'));
  LiveOn();
  ExpectReadsThroughIndex("");
  ExpectReadsThroughIndex(std::string(90'000, 'k'));
}

// An old database: its tables are empty, its sequences all but used up.
TEST_P(DbLimits, TheLastSequencesAreGivenAndKept) {
  constexpr base::Sequence kLeft = 6;
  ASSERT_TRUE(env_.env().files->MakeDir("db").ok());
  const Manifest old{.min_log = 1, .next_file = 2, .last_sequence = base::kSequenceMax - kLeft};
  WriteFile(env_.env(), "MANIFEST", EncodeManifest(old));
  Open();
  Put("a", "older");
  const auto snapshot = db_->TakeSnapshot();
  Put("a", "newer");
  Put("b", "b");
  ASSERT_TRUE(db_->Delete("b", {}).ok());
  contents_.erase("b");
  ASSERT_TRUE(db_->Flush().ok());
  EXPECT_EQ(db_->Get("a", snapshot.get()).value(), "older");
  ExpectContents();
  Put("c", "c");
  Put("d", "the last");
  EXPECT_EQ(db_->last_sequence(), base::kSequenceMax);
  EXPECT_FALSE(db_->Put("e", "one too many", {}).ok());
  ExpectContents();
}

TEST_P(DbLimits, TheLastSequencesSurviveReopening) {
  ASSERT_TRUE(env_.env().files->MakeDir("db").ok());
  WriteFile(
      env_.env(), "MANIFEST",
      EncodeManifest({.min_log = 1, .next_file = 2, .last_sequence = base::kSequenceMax - 2}));
  Open();
  Put("a", "a");
  Put("b", "the last");
  LiveOn();
  EXPECT_EQ(db_->last_sequence(), base::kSequenceMax);
  ExpectReadsThroughIndex("b");
}

// A flush forgets none of them; a compaction none that a snapshot sees.
TEST_P(DbLimits, SixtyFiveThousandVersionsOfOneKeyAreKept) {
  constexpr uint64_t kVersions = 65'537;
  constexpr uint64_t kSnapshotEvery = 331;
  Open();
  std::vector<std::unique_ptr<Snapshot>> snapshots;
  Batch batch;
  for (uint64_t version = 1; version <= kVersions; ++version) {
    batch.Put("key", std::to_string(version));
    if (version % kSnapshotEvery != 0 && version != kVersions) continue;
    ASSERT_TRUE(db_->Write(batch, {}).ok());
    batch.Clear();
    snapshots.push_back(db_->TakeSnapshot());
  }
  contents_["key"] = std::to_string(kVersions);
  const auto expect_all = [&] {
    ExpectContents();
    for (const auto& snapshot : snapshots) {
      ASSERT_EQ(db_->Get("key", snapshot.get()).value(), std::to_string(snapshot->sequence()));
    }
  };
  expect_all();
  ASSERT_TRUE(db_->Flush().ok());
  EXPECT_EQ(db_->GetStats().versions_dropped, 0u);
  expect_all();
  ExpectReadsThroughIndex("key");
  Put("before", "");  // Else a compaction would move the one table as it is.
  Put("z", "");
  ASSERT_TRUE(db_->Compact().ok());
  EXPECT_EQ(db_->GetStats().versions_dropped, kVersions - snapshots.size());
  expect_all();
  snapshots.clear();
  Open();
  ExpectContents();
}

INSTANTIATE_TEST_SUITE_P(Formats, DbLimits, testing::ValuesIn(kFormats),
                         [](const auto& format) { return format.param.name; });

}  // namespace
}  // namespace kiban::lsm
