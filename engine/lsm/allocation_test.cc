// Goal:   reads allocate nothing a row, nothing an entry that is skipped and nothing an index
// entry. Method: an operator new that counts, around reads of tables that are in memory and buffers
// that
//         have grown.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/allocations_for_test.h"
#include "engine/base/check.h"
#include "engine/lsm/db.h"
#include "engine/memory/memory_env.h"
#include "engine/table/builder.h"
#include "engine/table/reader.h"

namespace kiban::lsm {
namespace {

using base::AllocationCount;

constexpr int kKeys = 3000;

std::string KeyOf(int i) {
  std::string digits = std::to_string(i);
  return "tenant/0001/account/" + std::string(6 - digits.size(), '0') + digits;
}

// Three versions of each key in one table, the newest of every tenth a delete.
class Allocations : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    KibanOptions options;
    options.block_cache_bytes = 64u << 20;
    options.point_index = GetParam();
    options.table_bytes = 64u << 20;
    db_ = Db::Open(env_.env(), "db", options).value();
    for (const char value : {'a', 'b'}) {
      for (int i = 0; i < kKeys; ++i) Put(i, value);
    }
    pin_ = db_->TakeSnapshot();  // Keeps the versions below alive.
    for (int i = 0; i < kKeys; ++i) {
      if (i % 10 == 0) {
        ASSERT_TRUE(db_->Delete(KeyOf(i), {}).ok());
      } else {
        Put(i, 'c');
      }
    }
    ASSERT_TRUE(db_->Compact().ok());
  }
  void Put(int i, char value) { ASSERT_TRUE(db_->Put(KeyOf(i), std::string(40, value), {}).ok()); }

  memory::MemoryEnv env_;
  std::unique_ptr<Db> db_;
  std::unique_ptr<Snapshot> pin_;
};
INSTANTIATE_TEST_SUITE_P(PointIndex, Allocations, testing::Bool());

TEST_P(Allocations, ARowOfAScanNeedsNone) {
  constexpr int kToGrow = 100;  // Rows until the buffers have their size.
  constexpr int kRows = kKeys - kKeys / 10 - kToGrow - 1;
  for (const auto& [first, step] : {std::pair(&Cursor::SeekToFirst, &Cursor::Next),
                                    std::pair(&Cursor::SeekToLast, &Cursor::Prev)}) {
    const auto warm = db_->NewCursor({}, nullptr);  // Brings the blocks into the cache.
    for ((*warm.*first)(); warm->Valid(); (*warm.*step)()) continue;
    const auto cursor = db_->NewCursor({}, nullptr);
    (*cursor.*first)();
    for (int row = 0; row < kToGrow; ++row) (*cursor.*step)();
    const uint64_t before = AllocationCount();
    for (int row = 0; row < kRows; ++row) (*cursor.*step)();
    EXPECT_EQ(AllocationCount(), before);
    EXPECT_TRUE(cursor->Valid());
    (*cursor.*step)();
    EXPECT_FALSE(cursor->Valid());
    EXPECT_GT(before, 0u) << "nobody counts";
  }
}

TEST_P(Allocations, PositioningNeedsNoneForWhatItSkips) {
  const auto cursor = db_->NewCursor({}, nullptr);
  const std::string late = KeyOf(kKeys - 1);
  const std::string absent = KeyOf(kKeys / 2) + "x";
  for (const std::string& key : {late, absent}) {
    cursor->Seek(key);
    cursor->SeekForPrev(key);
  }
  const uint64_t before = AllocationCount();
  for (const std::string* key : {&late, &absent}) {
    cursor->Seek(*key);
    EXPECT_TRUE(cursor->Valid());
    cursor->SeekForPrev(*key);
    EXPECT_TRUE(cursor->Valid());
  }
  EXPECT_EQ(AllocationCount(), before);
}

TEST_P(Allocations, APointReadNeedsOneForItsValue) {
  std::vector<std::string> keys;
  for (int i = 0; i < kKeys; ++i) keys.push_back(KeyOf(i));
  for (const std::string& key : keys) ASSERT_TRUE(db_->Get(key, nullptr).ok());
  uint64_t found = 0;
  const uint64_t before = AllocationCount();
  for (const std::string& key : keys) found += db_->Get(key, nullptr)->has_value() ? 1 : 0;
  EXPECT_EQ(AllocationCount() - before, found);
  EXPECT_EQ(found, uint64_t{kKeys - kKeys / 10});
}

// How often memory is asked for when a table of so many blocks is opened.
uint64_t AllocationsOfAnOpen(int blocks) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  {
    const auto builder =
        table::Builder::Create(files, "1.sst", 1, {.block_bytes = 64, .restart_interval = 4})
            .value();
    for (int i = 0; i < blocks; ++i) {
      const std::string key = KeyOf(i);
      CHECK(builder->Add({.key = key, .sequence = 1, .value = std::string(100, 'v')}).ok());
    }
    CHECK(builder->Finish().ok());
    CHECK(builder->Close().ok());
  }
  const uint64_t before = AllocationCount();
  CHECK(table::TableReader::Open(files, "1.sst", 1, {}).ok());
  return AllocationCount() - before;
}

TEST(AllocationsOfATable, AnOpenNeedsNoneForASeparator) {
  EXPECT_LE(AllocationsOfAnOpen(2000), AllocationsOfAnOpen(200) + 2);
}

}  // namespace
}  // namespace kiban::lsm
