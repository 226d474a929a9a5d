// Goal:   a table is an ordered map of versions, at every block size, restart interval and shape of
// key. Method: the builder is fed from a sorted vector, which then answers every question beside
// the reader: all
//         seeks at, before and behind every entry, point reads at every sequence, walks that turn
//         around.
#include <gtest/gtest.h>

#include "engine/table/format.h"
#include "engine/table/table_test_util.h"

namespace kiban::table {
namespace {

using Entries = std::vector<OwnedEntry>;

std::string RandomKey(Dice& dice) {
  switch (dice.Below(4)) {
    case 0:
      return "tenant/agent/event/" + std::to_string(dice.Below(200));
    case 1:
      return std::string(dice.Below(4), '\xff') + static_cast<char>(dice.Below(256));
    case 2:
      return std::string(dice.Below(60), 'p') + static_cast<char>(dice.Below(256));
    default:
      return std::string(dice.Below(3), '\0');
  }
}

Entries RandomEntries(Dice& dice, size_t count) {
  Entries entries;
  while (entries.size() < count) {
    const std::string key = RandomKey(dice);
    // Now and then many versions of one key, enough for several blocks.
    const uint64_t versions = dice.Below(20) == 0 ? 1 + dice.Below(60) : 1 + dice.Below(2);
    for (uint64_t i = 0; i < versions; ++i) {
      const Kind kind = dice.Below(5) == 0 ? Kind::kDelete : Kind::kPut;
      entries.push_back(
          {key, dice.Below(100), kind, kind == Kind::kPut ? std::string(dice.Below(30), 'v') : ""});
    }
  }
  SortEntries(entries);
  return entries;
}

size_t FirstNotBefore(const Entries& entries, std::string_view key, base::Sequence sequence) {
  const auto found = std::partition_point(entries.begin(), entries.end(), [&](const auto& entry) {
    return StandsBefore(entry, key, sequence);
  });
  return static_cast<size_t>(found - entries.begin());
}

// `at` is where the iterator ought to stand; out of range for nowhere.
void ExpectAt(const Iterator& iterator, const Entries& entries, size_t at) {
  ASSERT_TRUE(iterator.status().ok()) << iterator.status();
  ASSERT_EQ(iterator.Valid(), at < entries.size());
  if (iterator.Valid()) {
    ASSERT_EQ(Own(iterator.entry()), entries[at]);
  }
}

void CheckSearches(const TableReader& table, const Entries& entries, const OwnedEntry& target) {
  const auto iterator = table.NewIterator();
  const size_t at = FirstNotBefore(entries, target.key, target.sequence);
  iterator->Seek(target.key, target.sequence);
  ExpectAt(*iterator, entries, at);
  iterator->SeekBefore(target.key, target.sequence);
  ExpectAt(*iterator, entries, at - 1);

  const auto got = table.Get(target.key, target.sequence);
  ASSERT_TRUE(got.ok()) << got.status();
  const bool expected = at < entries.size() && entries[at].key == target.key;
  ASSERT_EQ(got->has_value(), expected);
  if (!expected) return;
  EXPECT_EQ((*got)->sequence, entries[at].sequence);
  EXPECT_EQ((*got)->kind, entries[at].kind);
  EXPECT_EQ((*got)->value, entries[at].value);
}

void CheckWalk(const TableReader& table, const Entries& entries, Dice& dice) {
  const auto iterator = table.NewIterator();
  EXPECT_FALSE(iterator->Valid());
  size_t at = dice.Below(entries.size());
  iterator->Seek(entries[at].key, entries[at].sequence);
  for (int step = 0; step < 300; ++step) {
    ExpectAt(*iterator, entries, at);
    if (!iterator->Valid()) {
      const bool first = dice.Below(2) == 0;
      first ? iterator->SeekToFirst() : iterator->SeekToLast();
      at = first ? 0 : entries.size() - 1;
    } else if (dice.Below(5) < 3) {
      iterator->Next();
      ++at;
    } else {
      iterator->Prev();
      --at;  // From 0 it wraps, and is nowhere.
    }
  }
}

void CheckAgainst(const TableReader& table, const Entries& entries, Dice& dice) {
  ASSERT_TRUE(table.Verify().ok()) << table.Verify();
  EXPECT_EQ(AllEntries(table), entries);
  EXPECT_EQ(table.entry_count(), entries.size());
  EXPECT_EQ(table.smallest_key(), entries.front().key);
  EXPECT_EQ(table.largest_key(), entries.back().key);
  const auto by_sequence = [](const auto& a, const auto& b) { return a.sequence < b.sequence; };
  const auto [min, max] = std::minmax_element(entries.begin(), entries.end(), by_sequence);
  EXPECT_EQ(table.smallest_sequence(), min->sequence);
  EXPECT_EQ(table.largest_sequence(), max->sequence);

  for (const OwnedEntry& entry : entries) {
    CheckSearches(table, entries, entry);
    CheckSearches(table, entries, {entry.key, entry.sequence + 1, Kind::kPut, ""});
    CheckSearches(table, entries, {entry.key + '\0', UINT64_MAX, Kind::kPut, ""});
    CheckSearches(table, entries, {entry.key, 0, Kind::kPut, ""});
  }
  for (int i = 0; i < 50; ++i) {
    CheckSearches(table, entries, {RandomKey(dice), dice.Below(100), Kind::kPut, ""});
  }
  for (int i = 0; i < 5; ++i) CheckWalk(table, entries, dice);
}

TEST(Table, AgreesWithASortedVectorInEveryShape) {
  Dice dice(3);
  for (const uint32_t block_bytes : {1u, 64u, 300u, 4096u, 1u << 20}) {
    for (const uint32_t restart_interval : {1u, 3u, 16u, 256u}) {
      SCOPED_TRACE(testing::Message() << block_bytes << " " << restart_interval);
      const Entries entries = RandomEntries(dice, 1 + dice.Below(150));
      TableDir dir;
      dir.Build(entries,
                {block_bytes, restart_interval, static_cast<uint32_t>(1 + dice.Below(32))});
      const auto cache = cache::BlockCache::Create(dice.Below(3) * 700);
      const auto table = dir.Open(cache.get());
      ASSERT_TRUE(table.ok()) << table.status();
      CheckAgainst(**table, entries, dice);
    }
  }
}

TEST(Table, OfOneEntryWorks) {
  for (const std::string& key : {std::string(), std::string("\0", 1), std::string("key")}) {
    const Entries entries = {{key, base::kSequenceMax, Kind::kPut, ""}};
    TableDir dir;
    dir.Build(entries);
    Dice dice(4);
    CheckAgainst(**dir.Open(), entries, dice);
  }
}

TEST(Table, LargeKeysAndValuesComeBack) {
  Entries entries;
  for (int i = 0; i < 40; ++i) {
    std::string key(90'000, 'k');
    key[static_cast<size_t>(80'000 + i * 100)] = 'l';
    entries.push_back({key, 7, Kind::kPut, std::string(100'000, static_cast<char>(i))});
  }
  entries.push_back({std::string(90'000, 'k'), 3, Kind::kDelete, ""});
  SortEntries(entries);
  TableDir dir;
  dir.Build(entries);
  const auto table = dir.Open().value();
  ASSERT_TRUE(table->Verify().ok());
  EXPECT_EQ(AllEntries(*table), entries);
  for (const OwnedEntry& entry : entries) CheckSearches(*table, entries, entry);
}

TEST(Table, SixtyFiveThousandVersionsOfOneKeyAreAllFound) {
  constexpr base::Sequence kVersions = 65'537;
  Entries entries = {{"before", 1, Kind::kPut, "b"}, {"key0", 1, Kind::kPut, "k"}};
  for (base::Sequence sequence = kVersions; sequence >= 1; --sequence) {
    entries.push_back({"key", 2 * sequence, Kind::kPut, std::to_string(sequence)});
  }
  SortEntries(entries);
  TableDir dir;
  dir.Build(entries);
  const auto table = dir.Open().value();
  ASSERT_TRUE(table->Verify().ok());
  EXPECT_EQ(AllEntries(*table), entries);
  const auto iterator = table->NewIterator();
  for (base::Sequence sequence = 1; sequence <= kVersions; sequence += 97) {
    for (const base::Sequence at : {2 * sequence, 2 * sequence + 1}) {
      const auto found = table->Get("key", at).value();
      ASSERT_TRUE(found.has_value());
      EXPECT_EQ(found->sequence, 2 * sequence);
      EXPECT_EQ(found->value, std::to_string(sequence));
    }
    iterator->SeekBefore("key", 2 * sequence);
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->entry().sequence, sequence == kVersions ? 1 : 2 * sequence + 2);
  }
  EXPECT_FALSE(table->Get("key", 1).value().has_value());
  EXPECT_EQ(table->Get("key", UINT64_MAX).value()->sequence, 2 * kVersions);
}

TEST(Table, SizeIsKnownBeforeItIsFinished) {
  Dice dice(5);
  const Entries entries = RandomEntries(dice, 120);
  for (size_t count = 1; count <= entries.size(); ++count) {
    memory::MemoryEnv env;
    const auto builder =
        Builder::Create(*env.env().files, "t", 1, {.block_bytes = 200, .restart_interval = 4})
            .value();
    EXPECT_EQ(builder->size_bytes(), 0u);
    for (size_t i = 0; i < count; ++i) ASSERT_TRUE(builder->Add(entries[i].view()).ok());
    const uint64_t announced = builder->size_bytes();
    ASSERT_TRUE(builder->Finish().ok());
    EXPECT_EQ(builder->size_bytes(), announced);
    EXPECT_EQ(base::ReadWholeFile(*env.env().files, "t")->size(), announced);
    EXPECT_EQ(builder->entry_count(), count);
  }
}

TEST(Table, TheSameEntriesMakeTheSameBytes) {
  Dice dice(6);
  const Entries entries = RandomEntries(dice, 100);
  TableDir a;
  TableDir b;
  a.Build(entries);
  b.Build(entries);
  EXPECT_EQ(a.Bytes(), b.Bytes());
}

using TableDeathTest = testing::Test;

TEST(TableDeathTest, DisorderAndEmptinessAreOurOwnMistakes) {
  memory::MemoryEnv env;
  const auto builder = Builder::Create(*env.env().files, "t", 1, {.block_bytes = 1}).value();
  EXPECT_DEATH((void)builder->Finish(), "entry_count > 0");
  ASSERT_TRUE(builder->Add({"b", 5, Kind::kPut, ""}).ok());
  EXPECT_DEATH((void)builder->Add({"b", 5, Kind::kPut, ""}), "CHECK failed");
  EXPECT_DEATH((void)builder->Add({"a", 5, Kind::kPut, ""}), "CHECK failed");
  EXPECT_DEATH((void)builder->Add({"c", base::kSequenceMax + 1, Kind::kPut, ""}), "kSequenceMax");
}

}  // namespace
}  // namespace kiban::table
