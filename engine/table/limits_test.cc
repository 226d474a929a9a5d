// Goal:   what a table may hold at most, it holds in every format: empty and binary keys, long keys
//         and values, the extremes of sequences, more versions of a key than sixteen bits count.
// Method: each limit is built from a sorted list in every format and read through blocks and
// through
//         the point index: forward, backward, and at the sequences on both sides of every version.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/table/table_test_util.h"

namespace kiban::table {
namespace {

using Entries = std::vector<OwnedEntry>;
using Index = std::optional<pointindex::BuilderOptions>;

struct Format {
  std::string name;
  Index point_index;
};

const std::vector<Format> kFormats = {
    {"sst3", std::nullopt},
    {"ph2", pointindex::BuilderOptions{.layout = pointindex::Layout::kPh2}},
    {"ph3", pointindex::BuilderOptions{}},
    {"ph3wide", pointindex::BuilderOptions{.is_wide = true}}};

class TableLimits : public testing::TestWithParam<Format> {
 protected:
  // Builds a table of `entries` and reads it in every way.
  void Check(Entries entries, BuilderOptions options = {}) {
    SortEntries(entries);
    options.point_index = GetParam().point_index;
    dir_.Build(entries, options, ++file_number_);
    const auto cache = cache::BlockCache::Create(uint64_t{256} << 20);
    const auto no_room = cache::BlockCache::Create(100);
    const bool has_index = GetParam().point_index.has_value();
    CheckReads(entries, {.cache = nullptr}, false);
    CheckReads(entries, {.cache = no_room.get(), .point_index = true}, false);
    CheckReads(entries, {.cache = cache.get(), .point_index = true}, has_index);
  }

 private:
  void CheckReads(const Entries& entries, const ReaderOptions& options, bool is_resident) {
    const auto table = dir_.Open(options, file_number_);
    ASSERT_TRUE(table.ok()) << table.status();
    EXPECT_EQ((*table)->is_resident(), is_resident);
    ASSERT_TRUE((*table)->Verify().ok()) << (*table)->Verify();
    EXPECT_TRUE(AllEntries(**table) == entries);  // Without printing them.
    CheckBackward(**table, entries);
    // A prime, so that it meets places of all kinds.
    const size_t step = entries.size() > 1000 ? 97 : 1;
    for (size_t i = 0; i < entries.size(); i += step) CheckGets(**table, entries, i);
    CheckGets(**table, entries, entries.size() - 1);
  }

  void CheckBackward(const TableReader& table, const Entries& entries) {
    const auto iterator = table.NewIterator();
    iterator->SeekToLast();
    for (size_t i = entries.size(); i-- > 0; iterator->Prev()) {
      ASSERT_TRUE(iterator->Valid()) << i;
      ASSERT_TRUE(Own(iterator->entry()) == entries[i]) << i;
    }
    EXPECT_FALSE(iterator->Valid());
    EXPECT_TRUE(iterator->status().ok());
  }

  void CheckGets(const TableReader& table, const Entries& entries, size_t i) {
    const OwnedEntry& entry = entries[i];
    for (const base::Sequence at :
         {entry.sequence, entry.sequence + 1, entry.sequence - 1, base::kSequenceMax}) {
      if (at > base::kSequenceMax) continue;  // Behind an end.
      const auto first = std::partition_point(
          entries.begin(), entries.end(),
          [&](const OwnedEntry& other) { return StandsBefore(other, entry.key, at); });
      const auto found = table.Get(entry.key, at);
      ASSERT_TRUE(found.ok()) << found.status();
      ASSERT_EQ(found->has_value(), first != entries.end() && first->key == entry.key);
      if (!found->has_value()) continue;
      ASSERT_EQ((*found)->sequence, first->sequence);
      ASSERT_EQ((*found)->kind, first->kind);
      ASSERT_TRUE((*found)->value == first->value);
    }
    const auto absent = table.Get(entry.key + "absent", base::kSequenceMax);
    ASSERT_TRUE(absent.ok()) << absent.status();
    EXPECT_FALSE(absent->has_value());
  }

  TableDir dir_;
  uint64_t file_number_ = 0;
};

TEST_P(TableLimits, EmptyAndBinaryKeysComeBack) {
  Entries entries = {{"", 1, Kind::kPut, "empty"}, {"", 2, Kind::kPut, ""}};
  for (int byte = 0; byte < 256; ++byte) {
    const auto last = static_cast<char>(byte);
    entries.push_back({std::string(1, last), 3, Kind::kPut, std::string(2, last)});
    entries.push_back({std::string("\0", 1) + last, 4, Kind::kPut, ""});
    entries.push_back({std::string("\xff\xff") + last, 5, Kind::kDelete, ""});
  }
  Check(entries);
  Check(entries, {.block_bytes = 64, .restart_interval = 2});
  Check({{"", base::kSequenceMax, Kind::kDelete, ""}});
}

TEST_P(TableLimits, NinetyThousandByteKeysComeBack) {
  const std::string longest(90'000, 'k');
  Entries entries = {{longest, 7, Kind::kPut, "the longest"},
                     {longest, 6, Kind::kDelete, ""},
                     {longest.substr(1), 7, Kind::kPut, "a prefix of it"},
                     {"k", 7, Kind::kPut, "a short one"},
                     {"z", 7, Kind::kPut, "behind it"}};
  for (size_t i = 0; i < 4; ++i) {
    std::string key = longest;
    key[i * 29'999] = '\xff';
    entries.push_back({key, i, Kind::kPut, std::to_string(i)});
  }
  Check(entries);
}

TEST_P(TableLimits, HundredThousandByteValuesComeBack) {
  Entries entries;
  for (int i = 0; i < 6; ++i) {
    const auto size = static_cast<size_t>(i % 2 == 0 ? 100'000 : i);
    entries.push_back({std::to_string(i), 9, Kind::kPut, std::string(size, static_cast<char>(i))});
  }
  entries.push_back({"0", 8, Kind::kPut, std::string(100'000, '\xff')});
  entries.push_back({std::string(90'000, 'k'), 1, Kind::kPut, std::string(100'000, 'v')});
  Check(entries);
}

TEST_P(TableLimits, SequencesComeBackUpToBothEnds) {
  Entries entries;
  for (const base::Sequence sequence :
       {base::Sequence{0}, base::Sequence{1}, base::Sequence{UINT32_MAX},
        base::Sequence{UINT32_MAX} + 1, base::kSequenceMax - 1, base::kSequenceMax}) {
    entries.push_back({"all", sequence, Kind::kPut, std::to_string(sequence)});
    entries.push_back({"one " + std::to_string(sequence), sequence, Kind::kPut, "v"});
    entries.push_back({"gone " + std::to_string(sequence), sequence, Kind::kDelete, ""});
  }
  Check(entries);
  Check(entries, {.block_bytes = 1, .restart_interval = 1});  // Fences between versions.
}

TEST_P(TableLimits, SixtyFiveThousandVersionsOfOneKeyComeBack) {
  Entries entries = {{"before", 1, Kind::kPut, "b"}, {"key0", 1, Kind::kPut, "k"}};
  for (base::Sequence version = 1; version <= 65'537; ++version) {
    const bool is_put = version % 5 != 0;
    entries.push_back({"key", 2 * version, is_put ? Kind::kPut : Kind::kDelete,
                       is_put ? std::to_string(version) : ""});
  }
  Check(entries);
}

INSTANTIATE_TEST_SUITE_P(Formats, TableLimits, testing::ValuesIn(kFormats),
                         [](const auto& format) { return format.param.name; });

}  // namespace
}  // namespace kiban::table
