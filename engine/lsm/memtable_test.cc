#include "engine/lsm/memtable.h"

#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "engine/base/hooks.h"
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

// Adds one entry just before the n-th access to an Atomic.
class AddsInBetween final : public base::Hooks {
 public:
  AddsInBetween(Memtable& memtable, const table::Entry& entry, uint64_t nth)
      : memtable_(memtable), entry_(entry), accesses_left_(nth) {
    base::g_hooks = this;
  }
  ~AddsInBetween() override { base::g_hooks = nullptr; }
  bool has_added() const { return accesses_left_ == 0; }

  void OnAtomic() override {
    if (accesses_left_ == 0 || --accesses_left_ > 0) return;
    memtable_.Add(entry_);
  }
  void OnMark(const base::Label&) override {}
  void OnSpanEnter(const base::Label&) override {}
  void OnSpanLeave(const base::Label&) override {}
  void OnCheckFailed(const char*, const char*, int) override {}
  void OnWait(base::WaitKind, std::string_view) override {}

 private:
  Memtable& memtable_;
  const table::Entry entry_;
  uint64_t accesses_left_;
};

// Wherever in a reader's way a newer version of the key comes in, the reader does not see it.
TEST(Memtable, HidesWhatIsAddedWhileAReaderLooks) {
  constexpr base::Sequence kVisible = 40;
  uint64_t places = 0;
  for (bool has_added = true; has_added; ++places) {
    const auto filled = Filled(kVisible);
    const table::Entry* const expected = filled.first->Find("", kVisible);
    ASSERT_NE(expected, nullptr);
    const AddsInBetween hooks(
        *filled.first,
        {.key = "", .sequence = kVisible + 1, .kind = table::Kind::kDelete, .value = {}},
        places + 1);
    ASSERT_EQ(filled.first->Find("", kVisible), expected);
    const auto iterator = Memtable::NewIterator(filled.first);
    iterator->Seek("", kVisible);
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(&iterator->entry(), expected);
    uint64_t old_entries = 0;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
      old_entries += iterator->entry().sequence <= kVisible ? 1 : 0;
    }
    ASSERT_EQ(old_entries, kVisible);
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
      old_entries -= iterator->entry().sequence <= kVisible ? 1 : 0;
    }
    ASSERT_EQ(old_entries, 0u);
    has_added = hooks.has_added();
  }
  EXPECT_GT(places, 100u);
}

// Looks before each access to an Atomic.
class LooksInBetween final : public base::Hooks {
 public:
  explicit LooksInBetween(std::function<void()> look) : look_(std::move(look)) {
    base::g_hooks = this;
  }
  ~LooksInBetween() override { base::g_hooks = nullptr; }

  void OnAtomic() override {
    base::g_hooks = nullptr;
    look_();
    base::g_hooks = this;
  }
  void OnMark(const base::Label&) override {}
  void OnSpanEnter(const base::Label&) override {}
  void OnSpanLeave(const base::Label&) override {}
  void OnCheckFailed(const char*, const char*, int) override {}
  void OnWait(base::WaitKind, std::string_view) override {}

 private:
  const std::function<void()> look_;
};

// However far an addition has got, everything that was there before is found.
TEST(Memtable, ShowsWhatItHeldInTheMidstOfAnAddition) {
  Memtable memtable;
  Model model;
  uint64_t looks = 0;
  const LooksInBetween hooks([&] {
    ++looks;
    for (const auto& [place, value] : model) {
      const table::Entry* const found = memtable.Find(place.first, place.second);
      ASSERT_NE(found, nullptr);
      ASSERT_EQ(found->sequence, place.second);
      ASSERT_EQ(found->value, value);
    }
  });
  Dice dice(3);
  for (base::Sequence sequence = 1; sequence <= 200; ++sequence) {
    const std::string key(1 + dice.Below(3), static_cast<char>('a' + dice.Below(26)));
    memtable.Add({.key = key, .sequence = sequence, .kind = table::Kind::kPut, .value = key});
    model[{key, sequence}] = key;
  }
  EXPECT_GT(looks, 200u);
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
