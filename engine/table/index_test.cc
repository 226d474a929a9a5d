// Goal:   fences lead to the right block, in a line of cache each, and none is believed that cannot
// be. Method: keys around the border between inline and long, against a linear search; then
// sections made by
//         hand with a good checksum and one lie each.
#include "engine/table/index.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/table/entry.h"

namespace kiban::table {
namespace {

constexpr uint64_t kFile = 9;

struct TestFence {
  std::string key;
  base::Sequence sequence;
  uint64_t block_bytes;
};

absl::StatusOr<Index> Decode(const std::string& section, uint32_t block_count,
                             uint64_t data_bytes) {
  Footer footer;
  footer.data_bytes = data_bytes;
  footer.filter_bytes = 28;
  footer.block_count = block_count;
  return Index::Decode("t", kFile, footer, section);
}

absl::StatusOr<Index> RoundTrip(const std::string& smallest, const std::vector<TestFence>& fences) {
  IndexBuilder builder;
  builder.Begin(smallest);
  uint64_t data_bytes = 0;
  uint64_t expected_bytes = 0;
  for (const TestFence& fence : fences) {
    expected_bytes = builder.SizeWith(fence.key, fence.sequence, fence.block_bytes);
    builder.Add(fence.key, fence.sequence, fence.block_bytes);
    data_bytes += fence.block_bytes;
  }
  std::string section;
  builder.Finish(section, kFile, data_bytes + 28);
  EXPECT_EQ(section.size(), expected_bytes);
  return Decode(section, builder.fence_count(), data_bytes);
}

TEST(Index, FindsTheFirstBlockWhoseFenceIsNotBefore) {
  std::vector<TestFence> fences;
  for (const size_t bytes : {0u, 1u, 45u, 46u, 47u, 500u}) {
    fences.push_back({std::string(bytes, '\xf0'), 0, 1000 + bytes});
  }
  fences.push_back({std::string("\xff\0\x01", 3), 9, 5000});  // Versions of one key, three blocks.
  fences.push_back({std::string("\xff\0\x01", 3), 4, 6000});
  fences.push_back({std::string("\xff\0\x01", 3), 0, 7000});
  const Index index = RoundTrip("", fences).value();
  ASSERT_EQ(index.block_count(), fences.size());
  EXPECT_EQ(index.largest_key(), fences.back().key);

  uint64_t offset = 0;
  for (size_t i = 0; i < fences.size(); ++i) {
    EXPECT_EQ(index.key(i), fences[i].key);
    EXPECT_EQ(index.sequence(i), fences[i].sequence);
    EXPECT_EQ(index.block_offset(i), offset);
    EXPECT_EQ(index.block_bytes(i), fences[i].block_bytes);
    offset += fences[i].block_bytes;
    for (const std::string& key : {fences[i].key, fences[i].key + '\0', fences[i].key + '\xff'}) {
      for (const base::Sequence sequence : {base::Sequence{0}, base::Sequence{4}, base::Sequence{5},
                                            base::Sequence{9}, UINT64_MAX}) {
        size_t expected = 0;
        while (expected < fences.size() &&
               Compare(fences[expected].key, fences[expected].sequence, key, sequence) < 0) {
          ++expected;
        }
        EXPECT_EQ(index.Find(key, sequence), expected);
      }
    }
  }
}

TEST(Index, ACopyKeepsItsLongKeys) {
  const std::string long_key(100, 'k');
  Index index = RoundTrip("", {{long_key, 0, 1000}}).value();
  const Index moved = std::move(index);
  EXPECT_EQ(moved.key(0), long_key);
}

// A section of fences that claim anything, with a checksum that holds.
class Forge {
 public:
  Forge& Fence(uint64_t block_bytes, uint64_t shared, std::string_view suffix, uint64_t sequence,
               uint64_t suffix_bytes = UINT64_MAX) {
    base::AppendVarint(section_, block_bytes);
    base::AppendVarint(section_, shared);
    base::AppendVarint(section_, suffix_bytes == UINT64_MAX ? suffix.size() : suffix_bytes);
    base::AppendVarint(section_, sequence);
    section_.append(suffix);
    return *this;
  }
  std::string Decode(uint32_t block_count, uint64_t data_bytes) const {
    std::string bytes;
    base::AppendCounted(bytes, "b");
    bytes += section_;
    base::AppendLittle(bytes, base::PlacedCrc32(kFile, data_bytes + 28, bytes));
    return std::string(table::Decode(bytes, block_count, data_bytes).status().message());
  }

 private:
  std::string section_;
};

TEST(Index, OneLieIsEnough) {
  EXPECT_EQ(Forge().Fence(50, 1, "", 3).Fence(60, 0, "c", 0).Decode(2, 110), "");
  const std::map<std::string, std::string> lies = {
      {Forge().Fence(50, 1, "", 3).Decode(2, 110), "a fence is cut short"},
      {Forge().Fence(50, 2, "", 3).Decode(1, 50), "shares more than there is"},
      {Forge().Fence(22, 1, "", 3).Decode(1, 22), "impossible block length"},
      {Forge().Fence(51, 1, "", 3).Decode(1, 50), "impossible block length"},
      {Forge().Fence(UINT64_MAX, 1, "", 3).Decode(1, 50), "impossible block length"},
      {Forge().Fence(50, 0, std::string(51, 'c'), 3).Decode(1, 50), "too long"},
      {Forge().Fence(50, 0, "a", 3).Decode(1, 50), "out of order"},
      {Forge().Fence(50, 1, "", uint64_t{1} << 56).Decode(1, 50), "out of order"},
      {Forge().Fence(50, 1, "", 3).Fence(60, 1, "", 3).Decode(2, 110), "out of order"},
      {Forge().Fence(50, 1, "", 3).Fence(60, 1, "", 4).Decode(2, 110), "out of order"},
      {Forge().Fence(50, 1, "", 3, 1000).Decode(1, 50), "a fence is cut short"},
      {Forge().Fence(50, 1, "", 3).Decode(1, 51), "does not cover the blocks"},
      {Forge().Fence(50, 1, "", 3).Fence(60, 0, "c", 0).Decode(1, 50), "does not cover the blocks"},
  };
  for (const auto& [message, expected] : lies) {
    EXPECT_NE(message.find(expected), message.npos) << message << " / " << expected;
    EXPECT_EQ(message.find("checksum"), message.npos);
  }
}

}  // namespace
}  // namespace kiban::table
