// Goal:   a table calls the seam as seldom as promised, and what fails there is told and not
//         swallowed.
// Method: a file system that counts, and fails each call in turn.
#include <gtest/gtest.h>

#include "engine/posix/posix_env.h"
#include "engine/table/format.h"
#include "engine/table/inspect.h"
#include "engine/table/table_test_util.h"

namespace kiban::table {
namespace {

std::vector<OwnedEntry> Entries(size_t count) {
  std::vector<OwnedEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    entries.push_back({"key" + std::to_string(100'000 + i), 1, Kind::kPut, std::string(50, 'v')});
  }
  return entries;
}

TEST(TableIo, ASmallTableIsWrittenAndOpenedInOneCallEach) {
  TableDir dir;
  dir.Build(Entries(50));
  EXPECT_EQ(dir.files().watch.appends, 1u);
  EXPECT_EQ(dir.files().watch.syncs, 1u);
  EXPECT_EQ(dir.files().watch.reads, 0u);
  ASSERT_TRUE(dir.Open().ok());
  EXPECT_EQ(dir.files().watch.reads, 1u);
}

TEST(TableIo, ALargeTableIsWrittenInLargePiecesAndOpenedInTwoCalls) {
  TableDir dir;
  dir.Build(Entries(20'000));
  EXPECT_LE(dir.files().watch.appends, dir.Bytes().size() / kWriteBytes + 1);
  ASSERT_TRUE(dir.Open().ok());
  EXPECT_EQ(dir.files().watch.reads, 2u);
  EXPECT_LT(dir.files().watch.read_bytes, dir.Bytes().size() / 5);  // No data block among them.
}

TEST(TableIo, AMissReadsABlockAndAHitReadsNothing) {
  TableDir dir;
  dir.Build(Entries(500));
  const auto cache = cache::BlockCache::Create(1 << 20);
  const auto table = dir.Open(cache.get()).value();
  const uint64_t opened = dir.files().watch.reads;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(table->Get("key100007", 9).value().has_value());
    EXPECT_EQ(dir.files().watch.reads, opened + 1);
  }
  EXPECT_EQ(cache->stats().hits, 2u);
  // What is in the cache was verified when it came in, and is believed: the file may rot meanwhile.
  dir.SetBytes(std::string(dir.Bytes().size(), '\xff'));
  EXPECT_TRUE(table->Get("key100007", 9).value().has_value());
  EXPECT_TRUE(absl::IsDataLoss(table->Get("key100400", 9).status()));
  EXPECT_TRUE(absl::IsDataLoss(table->Verify()));
}

TEST(TableIo, AStampedeOnAColdBlockIsOneRead) {
  constexpr uint32_t kTasks = 8;
  TableDir dir;
  dir.Build(Entries(500));
  posix::PosixEnv threads("");
  engine::Tasks& tasks = *threads.env().tasks;
  const auto cache = cache::BlockCache::Create(1 << 20, &tasks);
  const auto table = dir.Open(cache.get()).value();
  const uint64_t opened = dir.files().watch.reads;
  std::vector<engine::Tasks::Id> ids;
  std::vector<int> found(kTasks, 0);
  for (uint32_t i = 0; i < kTasks; ++i) {
    ids.push_back(tasks.Spawn("reader", [&table, &found, i] {
      found[i] = table->Get("key100007", 9).value().has_value() ? 1 : 0;
    }));
  }
  for (const engine::Tasks::Id id : ids) tasks.Join(id);
  EXPECT_EQ(found, std::vector<int>(kTasks, 1));
  EXPECT_EQ(dir.files().watch.reads, opened + 1);
  EXPECT_EQ(cache->stats().hits + cache->stats().coalesced, kTasks - 1);
}

TEST(TableIo, AnAbsentKeyIsMostlyDeniedWithoutTouchingABlock) {
  TableDir dir;
  dir.Build(Entries(500));
  const auto table = dir.Open().value();
  const uint64_t opened = dir.files().watch.reads;
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(table->Get("key100100x" + std::to_string(i), 9).value().has_value());
  }
  EXPECT_LT(dir.files().watch.reads, opened + 20);
}

TEST(TableIo, ABlockThatDoesNotFitPassesTheCacheBy) {
  TableDir dir;
  dir.Build({{"k", 1, Kind::kPut, std::string(5000, 'v')}});
  const auto cache = cache::BlockCache::Create(1000);
  const auto table = dir.Open(cache.get()).value();
  EXPECT_TRUE(table->Get("k", 9).value().has_value());
  EXPECT_TRUE(table->Get("k", 9).value().has_value());
  EXPECT_EQ(cache->stats().used_bytes, 0u);
  EXPECT_EQ(cache->stats().misses, 2u);
}

TEST(TableIo, AnErrorSticksToTheBuilder) {
  for (const uint64_t failing : {1u, 2u, 3u}) {
    TableDir dir;
    dir.files().watch.fail_append = failing;
    const auto builder = Builder::Create(dir.files(), "t", 1, {}).value();
    absl::Status added;
    for (const OwnedEntry& entry : Entries(2500)) added.Update(builder->Add(entry.view()));
    EXPECT_EQ(added.ok(), failing == 3);
    const absl::Status finished = builder->Finish();
    EXPECT_EQ(finished.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(builder->Sync(), finished);
    EXPECT_EQ(dir.files().watch.appends, failing);
    EXPECT_EQ(dir.files().watch.syncs, 0u);
  }
  TableDir dir;
  dir.files().watch.fail_sync = 1;
  const auto builder = Builder::Create(dir.files(), "t", 1, {}).value();
  ASSERT_TRUE(builder->Add({"k", 1, Kind::kPut, ""}).ok());
  ASSERT_TRUE(builder->Finish().ok());
  EXPECT_FALSE(builder->Sync().ok());
  EXPECT_FALSE(builder->Sync().ok());
  EXPECT_EQ(dir.files().watch.syncs, 1u);
}

TEST(TableIo, EveryFailedWriteOfALargePointIndexIsTheLast) {
  const std::vector<OwnedEntry> entries = Entries(20'000);
  const BuilderOptions options = {.point_index = pointindex::BuilderOptions()};
  TableDir dir;
  dir.Build(entries, options);
  const uint64_t appends = dir.files().watch.appends;
  const TableDescription table =
      Describe(dir.files(), TableDir::Name(TableDir::kFile), TableDir::kFile).value();
  ASSERT_GE(table.point_index->sizes.total, kWriteBytes);
  // The last three: of blocks, of the section by itself, of what stands behind it.
  for (uint64_t failing = appends - 2; failing <= appends; ++failing) {
    TableDir other;
    other.files().watch.fail_append = failing;
    const auto builder = Builder::Create(other.files(), "t", 1, options).value();
    for (const OwnedEntry& entry : entries) ASSERT_TRUE(builder->Add(entry.view()).ok());
    EXPECT_EQ(builder->Finish().code(), absl::StatusCode::kResourceExhausted) << failing;
    EXPECT_EQ(other.files().watch.appends, failing);
  }
}

TEST(TableIo, EveryFailedReadIsToldAndIsNeverAnEndOrAnAbsence) {
  TableDir dir;
  const auto entries = Entries(300);
  dir.Build(entries);
  dir.files().watch = {};
  ASSERT_EQ(AllEntries(**dir.Open()), entries);
  const uint64_t reads = dir.files().watch.reads;
  ASSERT_GT(reads, 5u);
  for (uint64_t failing = 1; failing <= reads; ++failing) {
    dir.files().watch = {.fail_read = failing};
    const auto table = dir.Open();
    if (!table.ok()) {
      EXPECT_TRUE(absl::IsUnavailable(table.status()));
      continue;
    }
    const auto iterator = (*table)->NewIterator();
    iterator->SeekToFirst();
    const auto read = Rest(*iterator);
    EXPECT_LT(read.size(), entries.size());
    EXPECT_TRUE(absl::IsUnavailable(iterator->status())) << iterator->status();
    iterator->SeekToFirst();  // The device is well again; the iterator is not.
    EXPECT_FALSE(iterator->Valid());
    EXPECT_TRUE(absl::IsUnavailable(iterator->status()));
    EXPECT_EQ(AllEntries(**table), entries);
  }
  dir.files().watch = {};
  const auto table = dir.Open().value();
  dir.files().watch.short_reads = true;
  EXPECT_TRUE(absl::IsDataLoss(table->Get("key100007", 9).status()));
}

TEST(TableIo, AnIteratorKeepsItsTableAlive) {
  TableDir dir;
  dir.Build(Entries(100));
  auto table = dir.Open().value();
  const auto iterator = table->NewIterator();
  table.reset();
  iterator->SeekToFirst();
  EXPECT_EQ(Rest(*iterator), Entries(100));
}

}  // namespace
}  // namespace kiban::table
