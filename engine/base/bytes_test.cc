// Goal:   what is written comes back, and nothing else is accepted.
// Method: every border of the seven-bit groups, every way of cutting an encoding short, and the few
//         encodings that are too long.
#include "engine/base/bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace kiban::base {
namespace {

std::vector<uint64_t> Borders() {
  std::vector<uint64_t> values = {0, UINT32_MAX, uint64_t{UINT32_MAX} + 1, UINT64_MAX};
  for (int bits = 7; bits < 64; bits += 7) {
    values.push_back((uint64_t{1} << bits) - 1);
    values.push_back(uint64_t{1} << bits);
  }
  return values;
}

TEST(Bytes, IntegersAreLittleEndian) {
  std::string bytes;
  AppendLittle(bytes, uint32_t{0x04030201});
  EXPECT_EQ(bytes, "\x01\x02\x03\x04");
  EXPECT_EQ(LoadLittle<uint32_t>(bytes.data()), 0x04030201u);
  EXPECT_EQ(LoadLittle<uint16_t>(bytes.data() + 1), 0x0302u);
}

TEST(Bytes, ACommonPrefixEndsAtTheFirstDifference) {
  for (size_t bytes = 0; bytes < 40; ++bytes) {
    const std::string text(bytes, 'x');
    for (size_t same = 0; same <= bytes; ++same) {
      std::string other = text;
      for (size_t at = same; at < bytes; at += 3) other[at] = 'y';
      EXPECT_EQ(CommonPrefixBytes(text, other), same) << bytes;
      EXPECT_EQ(CommonPrefixBytes(other + "more", text), same) << bytes;
      EXPECT_EQ(CommonPrefixBytes(text, text.substr(0, same)), same) << bytes;
    }
  }
}

TEST(Varint, EveryBorderComesBack) {
  for (const uint64_t value : Borders()) {
    std::string bytes;
    AppendVarint(bytes, value);
    EXPECT_LE(bytes.size(), kVarintBytesMax);
    bytes += "rest";
    std::string_view from = bytes;
    uint64_t back = 1;
    ASSERT_TRUE(TakeVarint(from, back)) << value;
    EXPECT_EQ(back, value);
    EXPECT_EQ(from, "rest");
  }
}

TEST(Varint, ACutEncodingIsRefused) {
  for (const uint64_t value : Borders()) {
    std::string bytes;
    AppendVarint(bytes, value);
    for (size_t kept = 0; kept < bytes.size(); ++kept) {
      std::string_view from(bytes.data(), kept);
      uint64_t back = 0;
      EXPECT_FALSE(TakeVarint(from, back)) << value << " cut to " << kept;
    }
  }
}

TEST(Varint, MoreBytesThanNeedBeAreRefused) {
  for (const uint64_t value : Borders()) {
    std::string bytes;
    AppendVarint(bytes, value);
    bytes.back() = static_cast<char>(bytes.back() | 0x80);
    bytes.push_back('\0');
    std::string_view from = bytes;
    uint64_t back = 0;
    EXPECT_FALSE(TakeVarint(from, back)) << value;
  }
}

TEST(Varint, MoreThan64BitsAreRefused) {
  uint64_t back = 0;
  const std::string nine(9, '\xff');
  const std::string largest = nine + '\x01';
  const std::string too_large = nine + '\x02';
  const std::string too_long = nine + "\x81\x01";
  std::string_view from = largest;
  EXPECT_TRUE(TakeVarint(from, back));
  EXPECT_EQ(back, UINT64_MAX);
  EXPECT_FALSE(TakeVarint(from = too_large, back));
  EXPECT_FALSE(TakeVarint(from = too_long, back));
}

TEST(Varint, MoreThan32BitsAreRefusedWhere32AreMeant) {
  std::string fits;
  AppendVarint(fits, UINT32_MAX);
  std::string does_not;
  AppendVarint(does_not, uint64_t{UINT32_MAX} + 1);
  uint32_t back = 0;
  std::string_view from = fits;
  EXPECT_TRUE(TakeVarint32(from, back));
  EXPECT_EQ(back, UINT32_MAX);
  EXPECT_FALSE(TakeVarint32(from = does_not, back));
}

TEST(Counted, TextComesBackAndALengthBeyondTheEndIsRefused) {
  const std::string long_text(300, 'y');
  std::string bytes;
  AppendCounted(bytes, "");
  AppendCounted(bytes, long_text);
  for (size_t kept = 0; kept <= bytes.size(); ++kept) {
    std::string_view from(bytes.data(), kept);
    std::string_view first;
    std::string_view second;
    const bool whole = TakeCounted(from, first) && TakeCounted(from, second);
    EXPECT_EQ(whole, kept == bytes.size());
    if (whole) {
      EXPECT_EQ(first, "");
      EXPECT_EQ(second, long_text);
    }
  }
  std::string huge;
  AppendVarint(huge, UINT64_MAX);
  std::string_view from = huge;
  std::string_view text;
  EXPECT_FALSE(TakeCounted(from, text));
}

}  // namespace
}  // namespace kiban::base
