// Goal:   a block gives back its entries whichever way it is searched, and only a well-formed one
// passes. Method: builder against a sorted vector, with keys that share much and many versions;
// then blocks made
//         by hand, each wrong in one way, which no checksum would notice.
#include "engine/table/block.h"

#include <gtest/gtest.h>

#include "engine/table/block_builder.h"
#include "engine/table/block_cursor.h"
#include "engine/table/table_test_util.h"

namespace kiban::table {
namespace {

std::string Build(const std::vector<OwnedEntry>& entries, uint32_t restart_interval) {
  BlockBuilder builder(restart_interval);
  for (const OwnedEntry& entry : entries) builder.Add(entry.view());
  const uint64_t size_bytes = builder.size_bytes();
  std::string block;
  builder.Finish(block, 1, 0);
  CHECK(block.size() == size_bytes);
  block.resize(block.size() - kCrcBytes);
  return block;
}

std::vector<OwnedEntry> SomeEntries(Dice& dice, size_t count) {
  std::vector<OwnedEntry> entries;
  for (size_t i = 0; i < count; ++i) {
    std::string key(dice.Below(5), 'k');
    for (uint64_t more = dice.Below(3); more > 0; --more) {
      key += std::string("\0\x7f\x80\xff", 4)[dice.Below(4)];
    }
    const Kind kind = dice.Below(4) == 0 ? Kind::kDelete : Kind::kPut;
    std::string value(kind == Kind::kPut ? dice.Below(200) : 0, 'v');
    entries.push_back({std::move(key), dice.Below(8), kind, std::move(value)});
  }
  SortEntries(entries);
  return entries;
}

TEST(Block, EverySearchAgreesWithASortedVector) {
  Dice dice(1);
  for (int round = 0; round < 60; ++round) {
    const std::vector<OwnedEntry> entries = SomeEntries(dice, 1 + dice.Below(80));
    const std::string block = Build(entries, static_cast<uint32_t>(1 + dice.Below(20)));
    BlockEnds ends;
    ASSERT_EQ(CheckBlock(block, ends), nullptr);
    EXPECT_EQ(ends.entry_count, entries.size());
    EXPECT_EQ(ends.first_key, entries.front().key);
    EXPECT_EQ(ends.last_key, entries.back().key);
    EXPECT_EQ(ends.last_sequence, entries.back().sequence);

    BlockCursor cursor;
    cursor.Reset(block);
    EXPECT_FALSE(cursor.Valid());
    std::vector<OwnedEntry> targets = SomeEntries(dice, 30);
    targets.insert(targets.end(), entries.begin(), entries.end());
    for (const OwnedEntry& target : targets) {
      const auto first_not_before = std::find_if(
          entries.begin(), entries.end(),
          [&](const auto& e) { return !StandsBefore(e, target.key, target.sequence); });
      cursor.Seek(target.key, target.sequence);
      ASSERT_EQ(cursor.Valid(), first_not_before != entries.end());
      if (cursor.Valid()) {
        ASSERT_EQ(Own(cursor.entry()), *first_not_before);
      }

      RawEntry raw;
      const bool found = FindInBlock(block, target.key, target.sequence, raw);
      ASSERT_EQ(found, first_not_before != entries.end() && first_not_before->key == target.key);
      if (found) {
        EXPECT_EQ(raw.sequence(), first_not_before->sequence);
        EXPECT_EQ(raw.kind(), first_not_before->kind);
        EXPECT_EQ(raw.value, first_not_before->value);
      }

      cursor.SeekBefore(target.key, target.sequence);
      ASSERT_EQ(cursor.Valid(), first_not_before != entries.begin());
      if (cursor.Valid()) {
        ASSERT_EQ(Own(cursor.entry()), *(first_not_before - 1));
      }
    }
  }
}

TEST(Block, TheCursorWalksBothWays) {
  Dice dice(2);
  const std::vector<OwnedEntry> entries = SomeEntries(dice, 60);
  for (const uint32_t restart_interval : {1u, 2u, 16u, 256u}) {
    const std::string block = Build(entries, restart_interval);
    BlockCursor cursor;
    cursor.Reset(block);
    cursor.SeekToFirst();
    for (const OwnedEntry& entry : entries) {
      ASSERT_TRUE(cursor.Valid());
      EXPECT_EQ(Own(cursor.entry()), entry);
      cursor.Next();
    }
    EXPECT_FALSE(cursor.Valid());
    cursor.SeekToLast();
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      ASSERT_TRUE(cursor.Valid());
      EXPECT_EQ(Own(cursor.entry()), *entry);
      cursor.Prev();
    }
    EXPECT_FALSE(cursor.Valid());
  }
}

// Puts blocks together without asking whether they make sense.
class Forge {
 public:
  Forge& Add(uint32_t shared_bytes, std::string_view suffix, uint64_t sequence, uint64_t kind = 1,
             std::string_view value = "v") {
    base::AppendVarint(entries_, shared_bytes);
    base::AppendVarint(entries_, suffix.size());
    base::AppendVarint(entries_, value.size());
    base::AppendLittle(entries_, sequence << 8 | kind);
    entries_.append(suffix).append(value);
    return *this;
  }
  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

  const char* Check(const std::vector<uint32_t>& restarts, std::string_view between = "") const {
    std::string block = entries_ + std::string(between);
    for (const uint32_t restart : restarts) base::AppendLittle(block, restart);
    base::AppendLittle(block, static_cast<uint32_t>(restarts.size()));
    BlockEnds ends;
    return CheckBlock(block, ends);
  }

 private:
  std::string entries_;
};

TEST(Block, OneThingWrongIsEnough) {
  EXPECT_EQ(Forge().Add(0, "a", 5).Add(1, "b", 5).Check({0}), nullptr);
  EXPECT_EQ(Forge().Add(0, "a", 5).Add(1, "", 4).Check({0}), nullptr);
  EXPECT_EQ(Forge().Add(0, "a", 5, 0, "").Check({0}), nullptr);

  EXPECT_STREQ(Forge().Check({}), "too short for a block");
  EXPECT_STREQ(Forge().Check({0}), "a restart points at no entry");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Check({}), "impossible restart count");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Check({1}), "restarts and entries disagree");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Add(0, "b", 5).Check({0, 1}), "a restart points at no entry");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Check({0, 0}), "a restart points at no entry");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Check({0}, "\x01"), "an entry is cut short");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Add(2, "b", 5).Check({0}),
               "an entry shares more than there is");
  EXPECT_STREQ(Forge().Add(1, "a", 5).Check({0}), "restarts and entries disagree");
  EXPECT_STREQ(Forge().Add(0, "b", 5).Add(0, "a", 5).Check({0}), "entries are out of order");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Add(1, "", 5).Check({0}), "entries are out of order");
  EXPECT_STREQ(Forge().Add(0, "a", 5).Add(1, "", 6).Check({0}), "entries are out of order");
  EXPECT_STREQ(Forge().Add(0, "a", 5, 2).Check({0}), "an entry is of no known kind");
  EXPECT_STREQ(Forge().Add(0, "a", 5, 0, "v").Check({0}), "a delete has a value");

  const Forge first = Forge().Add(0, "a", 5);
  Forge leaning = first;
  EXPECT_STREQ(leaning.Add(1, "b", 5).Check({0, first.size()}), "restarts and entries disagree");
  Forge long_run;
  for (uint64_t i = 0; i < kRestartIntervalMax; ++i)
    long_run.Add(i == 0 ? 0 : 1, i == 0 ? "a" : "", 999 - i);
  EXPECT_EQ(long_run.Check({0}), nullptr);
  EXPECT_STREQ(long_run.Add(1, "", 1).Check({0}), "restarts and entries disagree");
}

TEST(Block, LengthsBeyondTheEndAreRefused) {
  for (const uint64_t length : {uint64_t{100}, uint64_t{UINT32_MAX}, UINT64_MAX}) {
    for (int field = 0; field < 3; ++field) {
      std::string block;
      for (int i = 0; i < 3; ++i) base::AppendVarint(block, i == field ? length : 0);
      base::AppendLittle(block, uint64_t{1});
      base::AppendLittle(block, uint32_t{0});
      base::AppendLittle(block, uint32_t{1});
      BlockEnds ends;
      EXPECT_NE(CheckBlock(block, ends), nullptr) << length << " " << field;
    }
  }
  for (const uint32_t count : {2u, 0x3fffffffu, 0x40000000u, UINT32_MAX}) {
    std::string block = Build({{"a", 1, Kind::kPut, ""}}, 1);
    base::StoreLittle(block.data() + block.size() - 4, count);
    BlockEnds ends;
    EXPECT_NE(CheckBlock(block, ends), nullptr) << count;
  }
}

using BlockDeathTest = testing::Test;

TEST(BlockDeathTest, TheBuilderRefusesDisorder) {
  const OwnedEntry entry{"b", 5, Kind::kPut, ""};
  for (const OwnedEntry& wrong :
       {OwnedEntry{"a", 9, Kind::kPut, ""}, entry, OwnedEntry{"b", 6, Kind::kPut, ""}}) {
    EXPECT_DEATH(Build({entry, wrong}, 16), "order < 0");
  }
}

}  // namespace
}  // namespace kiban::table
