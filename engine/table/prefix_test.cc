// Goal:   separators separate, and nothing shorter would.
// Method: every pair of short keys over the bytes where carrying goes wrong, against a search of
// all keys.
#include "engine/table/prefix.h"

#include <gtest/gtest.h>

#include <vector>

namespace kiban::table {
namespace {

// All strings up to `bytes_max` bytes over the smallest, the largest and two more, by length.
std::vector<std::string> ShortKeys(size_t bytes_max) {
  std::vector<std::string> keys = {""};
  for (size_t at = 0; keys[at].size() < bytes_max; ++at) {
    for (const char byte : {'\0', '\1', '\2', '\xff'}) keys.push_back(keys[at] + byte);
  }
  return keys;
}

TEST(ShortestSeparator, SeparatesAndIsShortest) {
  uint64_t shortened = 0;
  for (const std::string& last : ShortKeys(4)) {
    for (const std::string& next : ShortKeys(2)) {
      if (last >= next) continue;
      const std::string separator = ShortestSeparator(last, next);
      ASSERT_LE(last, separator);
      ASSERT_LT(separator, next);
      shortened += separator.size() < last.size() ? 1 : 0;
      for (const std::string& shorter : ShortKeys(3)) {
        if (shorter.size() >= separator.size()) break;
        ASSERT_FALSE(last <= shorter && shorter < next)
            << testing::PrintToString(last) << " " << testing::PrintToString(next);
      }
    }
  }
  EXPECT_GT(shortened, 500u);
}

TEST(ShortestSeparator, CutsLongKeysShort) {
  EXPECT_EQ(ShortestSeparator("the quick brown fox", "the who"), "the w");
  EXPECT_EQ(ShortestSeparator("abcd", "abd"), "abcd");
  EXPECT_EQ(ShortestSeparator("abcdef", "abd"), "abce");
  EXPECT_EQ(ShortestSeparator("ab", "abc"), "ab");
  EXPECT_EQ(ShortestSeparator("", "x"), "");
}

}  // namespace
}  // namespace kiban::table
