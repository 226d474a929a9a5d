// Goal:   a table of format 4 answers as its format 3 twin does, whether its point index is in use
// or
//         not, and what it keeps in memory is charged, to the byte, for as long as it is open.
// Method: the same random entries in every layout, each key read at many sequences through both;
// caches
//         of exactly the right size and one byte less; damage in every part with the index in use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/cache/block_cache.h"
#include "engine/table/footer.h"
#include "engine/table/format.h"
#include "engine/table/table_test_util.h"

namespace kiban::table {
namespace {

using pointindex::Layout;

constexpr pointindex::BuilderOptions kLayouts[] = {
    {.layout = Layout::kPh2}, {.layout = Layout::kPh3}, {.layout = Layout::kPh3, .is_wide = true}};
constexpr uint64_t kMuch = uint64_t{1} << 30;
constexpr uint64_t kTwin = TableDir::kFile + 1;

BuilderOptions SmallBlocks(std::optional<pointindex::BuilderOptions> point_index) {
  return {.block_bytes = 200, .restart_interval = 4, .point_index = point_index};
}

// Several versions and some deletes a key; more keys than an anchor group has.
std::vector<OwnedEntry> ManyEntries() {
  Dice dice(7);
  std::vector<OwnedEntry> entries;
  for (uint64_t i = 0; i < 4000; ++i) {
    const uint64_t id = dice.Below(1500);
    const bool is_put = dice.Below(5) != 0;
    entries.push_back(
        {.key = "tenant/" + std::string(id % 4, '\0') + std::to_string(id),
         .sequence = 1 + dice.Below(1000),
         .kind = is_put ? Kind::kPut : Kind::kDelete,
         .value = is_put ? std::string(dice.Below(90), 'v') + std::to_string(i) : ""});
  }
  entries.push_back({.key = "", .sequence = 5, .kind = Kind::kPut, .value = ""});
  SortEntries(entries);
  return entries;
}

void ExpectSameGets(const TableReader& table, const TableReader& twin,
                    const std::vector<OwnedEntry>& entries) {
  for (const OwnedEntry& entry : entries) {
    for (const std::string& key : {entry.key, entry.key + '\0', entry.key + "x"}) {
      for (const base::Sequence at : {entry.sequence - 1, entry.sequence, base::kSequenceMax}) {
        const auto found = table.Get(key, at);
        const auto expected = twin.Get(key, at);
        ASSERT_TRUE(found.ok() && expected.ok());
        ASSERT_EQ(found->has_value(), expected->has_value()) << key << " at " << at;
        if (!found->has_value()) continue;
        ASSERT_EQ((*found)->sequence, (*expected)->sequence);
        ASSERT_EQ((*found)->kind, (*expected)->kind);
        ASSERT_EQ((*found)->value, (*expected)->value);
      }
    }
  }
}

class IndexedTable : public testing::TestWithParam<pointindex::BuilderOptions> {
 protected:
  void Build(const std::vector<OwnedEntry>& entries) {
    dir_.Build(entries, SmallBlocks(GetParam()));
  }
  TableFormat Format() const {
    return GetParam().layout == Layout::kPh2 ? TableFormat::kPh2 : TableFormat::kPh3;
  }
  // What the cache is charged for a resident table, found out with one that has room.
  uint64_t Charge() {
    const auto cache = cache::BlockCache::Create(kMuch);
    const auto table = dir_.Open({.cache = cache.get(), .point_index = true});
    CHECK(table.ok() && (*table)->is_resident());
    return cache->stats().reserved_bytes;
  }

  TableDir dir_;
};
INSTANTIATE_TEST_SUITE_P(Layouts, IndexedTable, testing::ValuesIn(kLayouts));

TEST_P(IndexedTable, AnswersLikeItsSortedTwinInUseOrNot) {
  const std::vector<OwnedEntry> entries = ManyEntries();
  Build(entries);
  dir_.Build(entries, SmallBlocks(std::nullopt), kTwin);
  const auto twin = dir_.Open({}, kTwin).value();
  EXPECT_EQ(twin->format(), TableFormat::kSorted);
  const auto cache = cache::BlockCache::Create(kMuch);
  for (const bool is_used : {false, true}) {
    const auto table = dir_.Open({.cache = cache.get(), .point_index = is_used}).value();
    EXPECT_EQ(table->format(), Format());
    EXPECT_EQ(table->is_resident(), is_used);
    EXPECT_TRUE(table->Verify().ok());
    EXPECT_EQ(AllEntries(*table), entries);
    ExpectSameGets(*table, *twin, entries);
  }
}

TEST_P(IndexedTable, HoldsTheBlocksOfItsTwinByteForByte) {
  const std::vector<OwnedEntry> entries = ManyEntries();
  dir_.Build(entries, SmallBlocks(std::nullopt));
  const std::string sorted = dir_.Bytes();
  const uint64_t data_bytes =
      base::LoadLittle<uint64_t>(sorted.data() + sorted.size() - kFooterBytes);
  TableDir other;
  other.Build(entries, SmallBlocks(GetParam()));
  EXPECT_EQ(other.Bytes().substr(0, data_bytes), sorted.substr(0, data_bytes));
}

TEST_P(IndexedTable, ChargesBlocksAndIndexWhileItIsOpen) {
  Build(ManyEntries());
  const std::string bytes = dir_.Bytes();
  const char* const footer = bytes.data() + bytes.size() - kIndexedFooterBytes;
  const uint64_t data_bytes = base::LoadLittle<uint64_t>(footer);
  const uint64_t point_index_bytes = base::LoadLittle<uint64_t>(footer + 56);
  EXPECT_EQ(Charge(), data_bytes + point_index_bytes);

  const auto cache = cache::BlockCache::Create(kMuch);
  auto table = dir_.Open({.cache = cache.get(), .point_index = true}).value();
  const auto iterator = table->NewIterator();
  table = nullptr;
  EXPECT_EQ(cache->stats().reserved_bytes,
            data_bytes + point_index_bytes);  // The iterator reads on.
  iterator->SeekToFirst();
  EXPECT_TRUE(iterator->Valid());
  EXPECT_EQ(cache->stats().used_bytes, 0u);  // No block is held twice.
}

TEST_P(IndexedTable, WithoutRoomNothingIsReadForIt) {
  Build(ManyEntries());
  const uint64_t charge = Charge();
  for (const uint64_t budget : {uint64_t{0}, charge - 1}) {
    const auto cache = cache::BlockCache::Create(budget);
    const auto table = dir_.Open({.cache = cache.get(), .point_index = true}).value();
    EXPECT_FALSE(table->is_resident()) << budget;
    EXPECT_EQ(cache->stats().reserved_bytes, 0u);
    EXPECT_TRUE(table->Verify().ok());
  }
  const auto cache = cache::BlockCache::Create(charge);
  EXPECT_TRUE(dir_.Open({.cache = cache.get(), .point_index = true}).value()->is_resident());
}

TEST_P(IndexedTable, BlocksMakeRoomButOtherTablesDoNot) {
  Build(ManyEntries());
  dir_.Build(ManyEntries(), SmallBlocks(GetParam()), kTwin);
  const uint64_t charge = Charge();
  const auto cache = cache::BlockCache::Create(charge + charge / 2);
  {
    const auto sorted = dir_.Open({.cache = cache.get()}).value();
    EXPECT_EQ(AllEntries(*sorted).size(), sorted->entry_count());
  }
  EXPECT_GT(cache->stats().used_bytes, charge / 2);
  const auto first = dir_.Open({.cache = cache.get(), .point_index = true}).value();
  EXPECT_TRUE(first->is_resident());
  EXPECT_LE(cache->stats().used_bytes, charge / 2);
  const auto second = dir_.Open({.cache = cache.get(), .point_index = true}, kTwin).value();
  EXPECT_FALSE(second->is_resident());
  EXPECT_EQ(AllEntries(*second), AllEntries(*first));
}

TEST_P(IndexedTable, MayUseRoomThatComesLater) {
  Build(ManyEntries());
  dir_.Build(ManyEntries(), SmallBlocks(GetParam()), kTwin);
  const uint64_t charge = Charge();
  const auto cache = cache::BlockCache::Create(charge + charge / 2);
  auto first = dir_.Open({.cache = cache.get(), .point_index = true}).value();
  const auto second = dir_.Open({.cache = cache.get(), .point_index = true}, kTwin).value();
  const auto off = dir_.Open({.cache = cache.get()}, kTwin).value();
  const auto reading = second->NewIterator();
  reading->SeekToFirst();
  EXPECT_FALSE(second->TryToBeResident().value());
  EXPECT_FALSE(second->is_resident());
  EXPECT_GT(cache->stats().used_bytes, 0u);
  first = nullptr;
  EXPECT_TRUE(second->TryToBeResident().value());
  EXPECT_TRUE(second->is_resident());
  EXPECT_EQ(cache->stats().used_bytes, 0u);  // Nothing is held twice.
  EXPECT_EQ(cache->stats().reserved_bytes, charge);
  EXPECT_EQ(Rest(*reading), AllEntries(*second));
  EXPECT_FALSE(off->TryToBeResident().value());
  EXPECT_FALSE(off->is_resident());
}

TEST_P(IndexedTable, TellsWhichTierAnswered) {
  Build({{.key = "k", .sequence = 3, .kind = Kind::kPut, .value = "v"}});
  const auto cache = cache::BlockCache::Create(kMuch);
  const auto sorted = dir_.Open({.cache = cache.get()}).value();
  EXPECT_EQ(sorted->Get("k", 3).value()->tier, Tier::kDisk);
  EXPECT_EQ(sorted->Get("k", 3).value()->tier, Tier::kCache);
  const auto indexed = dir_.Open({.cache = cache.get(), .point_index = true}).value();
  EXPECT_EQ(indexed->Get("k", 3).value()->tier, Tier::kIndex);
}

TEST_P(IndexedTable, AFailedReadGivesTheReservationBack) {
  Build(ManyEntries());
  const auto cache = cache::BlockCache::Create(kMuch);
  const ReaderOptions in_use = {.cache = cache.get(), .point_index = true};
  memory::Watch& watch = dir_.files().watch;
  uint64_t failed = 0;
  for (uint64_t nth = 1;; ++nth) {
    watch = {.fail_read = nth};
    const auto table = dir_.Open(in_use);
    EXPECT_EQ(cache->stats().reserved_bytes > 0, table.ok());
    if (table.ok()) break;
    EXPECT_TRUE(absl::IsUnavailable(table.status()));
    ++failed;
  }
  EXPECT_GE(failed, 5u);  // The table's end in two reads, its section, blocks in pieces.

  watch = {};
  auto everything = cache->Reserve(kMuch);
  const auto late = dir_.Open(in_use).value();
  everything.reset();
  watch.fail_read = watch.reads + 1;
  EXPECT_TRUE(absl::IsUnavailable(late->TryToBeResident().status()));
  EXPECT_EQ(cache->stats().reserved_bytes, 0u);
  EXPECT_FALSE(late->TryToBeResident().value());  // Not again.
  EXPECT_EQ(AllEntries(*late), ManyEntries());
}

TEST_P(IndexedTable, DamageGivesTheReservationBack) {
  Build(ManyEntries());
  const std::string bytes = dir_.Bytes();
  const auto cache = cache::BlockCache::Create(kMuch);
  // A block, the section, its last byte.
  const uint64_t section = Charge();
  for (const uint64_t at : {uint64_t{100}, section - 1000, section - 1}) {
    std::string damaged = bytes;
    damaged[at] ^= 4;
    dir_.SetBytes(damaged);
    const absl::Status status = dir_.Open({.cache = cache.get(), .point_index = true}).status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << at << " " << status;
    EXPECT_EQ(cache->stats().reserved_bytes, 0u);
    const auto sorted = dir_.Open({.cache = cache.get()});
    ASSERT_TRUE(sorted.ok());  // What is not looked at is found by Verify().
    EXPECT_TRUE(absl::IsDataLoss((*sorted)->Verify()));
  }
}

TEST_P(IndexedTable, IsOfFormat3IfNoPerfectHashIsFound) {
  pointindex::BuilderOptions hopeless = GetParam();
  hopeless.seed_count = 0;
  const std::vector<OwnedEntry> entries = ManyEntries();
  dir_.Build(entries, SmallBlocks(hopeless));
  const std::string without = dir_.Bytes();
  EXPECT_EQ(dir_.Open().value()->format(), TableFormat::kSorted);
  TableDir sorted;
  sorted.Build(entries, SmallBlocks(std::nullopt));
  EXPECT_EQ(sorted.Bytes(), without);
}

TEST(IndexedTableLayout, AReaderFromBeforePh3RefusesItUsedOrNot) {
  TableDir dir;
  dir.Build(ManyEntries(), SmallBlocks(pointindex::BuilderOptions{}));
  const auto cache = cache::BlockCache::Create(kMuch);
  for (const bool is_used : {false, true}) {
    const absl::Status status =
        dir.Open({.cache = cache.get(), .point_index = is_used, .newest_layout = Layout::kPh2})
            .status();
    EXPECT_TRUE(absl::IsUnimplemented(status));
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("PH3 is newer than PH2"));
  }
}

// The bytes with another u32 in the footer, whose checksum holds again.
std::string WithFooterWord(std::string bytes, size_t at, uint32_t word) {
  const size_t footer = bytes.size() - kIndexedFooterBytes;
  base::StoreLittle(bytes.data() + footer + at, word);
  const size_t crc_at = bytes.size() - 16;
  const uint32_t before = base::PlacedCrc32(
      TableDir::kFile, footer, std::string_view(bytes).substr(footer, crc_at - footer));
  base::StoreLittle(bytes.data() + crc_at,
                    base::Crc32(before, std::string_view(bytes).substr(crc_at + kCrcBytes)));
  return bytes;
}

TEST(IndexedTableLayout, NoFlagIsKnown) {
  TableDir dir;
  dir.Build(ManyEntries(), SmallBlocks(pointindex::BuilderOptions{}));
  const std::string bytes = dir.Bytes();
  const auto cache = cache::BlockCache::Create(kMuch);
  for (uint32_t bit = 0; bit < 32; ++bit) {
    dir.SetBytes(WithFooterWord(bytes, 68, uint32_t{1} << bit));
    for (const bool is_used : {false, true}) {
      const absl::Status status = dir.Open({.cache = cache.get(), .point_index = is_used}).status();
      EXPECT_TRUE(absl::IsUnimplemented(status)) << status;
    }
  }
}

TEST(IndexedTableLayout, TheFooterAndTheSectionMustAgree) {
  TableDir dir;
  dir.Build(ManyEntries(), SmallBlocks(pointindex::BuilderOptions{}));
  dir.SetBytes(WithFooterWord(dir.Bytes(), 64, 2));
  const auto cache = cache::BlockCache::Create(kMuch);
  const absl::Status status = dir.Open({.cache = cache.get(), .point_index = true}).status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_TRUE(absl::IsDataLoss(dir.Open().value()->Verify()));
}

}  // namespace
}  // namespace kiban::table
