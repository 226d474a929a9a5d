#include "engine/lsm/memtable.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "engine/lsm/db_for_test.h"

namespace kiban::lsm {
namespace {

// Ascending by key, descending by sequence.
struct Newest {
  bool operator()(const std::pair<std::string, base::Sequence>& a,
                  const std::pair<std::string, base::Sequence>& b) const {
    return table::Compare(a.first, a.second, b.first, b.second) < 0;
  }
};
using Model = std::map<std::pair<std::string, base::Sequence>, std::string, Newest>;

std::pair<std::shared_ptr<Memtable>, Model> Filled(uint64_t count) {
  auto memtable = std::make_shared<Memtable>();
  Model model;
  Dice dice(count);
  for (base::Sequence sequence = 1; sequence <= count; ++sequence) {
    const std::string key(dice.Below(3), static_cast<char>(dice.Below(256)));
    const std::string value(dice.Below(300), 'v');
    memtable->Add({.key = key, .sequence = sequence, .kind = table::Kind::kPut, .value = value});
    model[{key, sequence}] = value;
  }
  return {memtable, model};
}

TEST(Memtable, KeepsEveryVersionInOrderBothWays) {
  const auto filled = Filled(2000);
  const Model& model = filled.second;
  EXPECT_EQ(filled.first->entry_count(), 2000u);
  const auto iterator = Memtable::NewIterator(filled.first);
  iterator->SeekToFirst();
  for (const auto& [place, value] : model) {
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(iterator->entry().key, place.first);
    ASSERT_EQ(iterator->entry().sequence, place.second);
    ASSERT_EQ(iterator->entry().value, value);
    iterator->Next();
  }
  EXPECT_FALSE(iterator->Valid());
  iterator->SeekToLast();
  for (auto at = model.rbegin(); at != model.rend(); ++at) {
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(iterator->entry().sequence, at->first.second);
    iterator->Prev();
  }
  EXPECT_FALSE(iterator->Valid());
}

TEST(Memtable, FindsTheNewestVersionThatAReaderMaySee) {
  const auto filled = Filled(500);
  const Model& model = filled.second;
  Dice dice(7);
  for (int i = 0; i < 5000; ++i) {
    const std::string key(dice.Below(3), static_cast<char>(dice.Below(256)));
    const base::Sequence at = dice.Below(510);
    const auto expected = model.lower_bound({key, at});
    const table::Entry* const found = filled.first->Find(key, at);
    const bool is_there = expected != model.end() && expected->first.first == key;
    ASSERT_EQ(found != nullptr, is_there);
    ASSERT_TRUE(!is_there || found->sequence == expected->first.second);

    const auto iterator = Memtable::NewIterator(filled.first);
    iterator->SeekBefore(key, at);
    ASSERT_EQ(iterator->Valid(), expected != model.begin());
    ASSERT_TRUE(!iterator->Valid() ||
                iterator->entry().sequence == std::prev(expected)->first.second);
  }
}

TEST(Memtable, CostsNothingWhileEmptyAndLittleWhileSmall) {
  Memtable memtable;
  EXPECT_TRUE(memtable.empty());
  EXPECT_EQ(memtable.used_bytes(), 0u);
  EXPECT_EQ(memtable.Find("k", base::kSequenceMax), nullptr);
  memtable.Add({.key = "k", .sequence = 1, .kind = table::Kind::kDelete, .value = {}});
  EXPECT_FALSE(memtable.empty());
  EXPECT_LT(memtable.used_bytes(), 256u);
}

TEST(MemtableDeathTest, HoldsNoVersionTwice) {
  Memtable memtable;
  const table::Entry entry{.key = "k", .sequence = 1, .kind = table::Kind::kPut, .value = "v"};
  memtable.Add(entry);
  EXPECT_DEATH(memtable.Add(entry), "CHECK failed");
}

}  // namespace
}  // namespace kiban::lsm
