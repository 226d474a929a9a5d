// Goal:   a filter never denies a key of its own, seldom admits another, and is believed only as it
// was written. Method: every small number of keys, the empty filter, every flipped bit, and
// trailers that lie with a good
//         checksum.
#include "engine/table/filter.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/table/format.h"

namespace kiban::table {
namespace {

constexpr uint64_t kFile = 3;
constexpr uint64_t kOffset = 4096;

std::vector<uint64_t> Hashes(size_t count, const char* kind = "key") {
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < count; ++i) hashes.push_back(Filter::HashOf(kind + std::to_string(i)));
  return hashes;
}

std::string Encode(size_t key_count, uint32_t bits_per_key) {
  std::string section;
  Filter::Append(section, kFile, kOffset, Hashes(key_count), bits_per_key);
  return section;
}

TEST(Filter, NeverDeniesItsOwnKeys) {
  for (uint32_t bits_per_key = 1; bits_per_key <= kFilterBitsPerKeyMax; bits_per_key += 3) {
    for (const size_t key_count : {0u, 1u, 2u, 3u, 6u, 7u, 15u, 16u, 17u, 63u, 64u, 65u, 1000u}) {
      const std::string section = Encode(key_count, bits_per_key);
      EXPECT_EQ(section.size(), Filter::EncodedBytes(key_count, bits_per_key));
      const auto filter = Filter::Decode(kFile, kOffset, section);
      ASSERT_TRUE(filter.has_value()) << key_count << " " << bits_per_key;
      EXPECT_EQ(filter->key_count(), key_count);
      for (const uint64_t hash : Hashes(key_count)) ASSERT_TRUE(filter->MayContain(hash));
    }
  }
}

TEST(Filter, SeldomAdmitsAnotherKey) {
  for (const size_t key_count : {100u, 10'000u}) {
    const Filter filter = *Filter::Decode(kFile, kOffset, Encode(key_count, 10));
    size_t admitted = 0;
    for (const uint64_t hash : Hashes(10'000, "other")) admitted += filter.MayContain(hash) ? 1 : 0;
    EXPECT_LT(admitted, 200u);  // Theory says 1 %.
  }
}

TEST(Filter, OfNoKeyIsAsLongAsOfOneAndDeniesEverything) {
  const std::string section = Encode(0, 10);
  EXPECT_EQ(section.size(), Encode(1, 10).size());
  const auto filter = Filter::Decode(kFile, kOffset, section);
  ASSERT_TRUE(filter.has_value());
  for (const std::string_view key :
       {std::string_view(""), std::string_view("text"), std::string_view("\0\xff\0", 3)}) {
    EXPECT_FALSE(filter->MayContain(Filter::HashOf(key)));
  }
  for (const uint64_t hash : Hashes(1000)) EXPECT_FALSE(filter->MayContain(hash));
}

TEST(Filter, NoOtherBytesAreAccepted) {
  const std::string section = Encode(20, 10);
  for (size_t bit = 0; bit < section.size() * 8; ++bit) {
    std::string flipped = section;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << (bit % 8));
    EXPECT_FALSE(Filter::Decode(kFile, kOffset, flipped).has_value()) << bit;
  }
  for (size_t length = 0; length < section.size(); ++length) {
    EXPECT_FALSE(Filter::Decode(kFile, kOffset, section.substr(0, length)).has_value());
  }
  EXPECT_FALSE(Filter::Decode(kFile, kOffset, section + '\0').has_value());
  EXPECT_FALSE(Filter::Decode(kFile + 1, kOffset, section).has_value());
  EXPECT_FALSE(Filter::Decode(kFile, kOffset + 8, section).has_value());
}

// A section with any trailer and a checksum that holds.
std::string Forge(size_t bits_bytes, uint64_t key_count, uint32_t bits_per_key, uint32_t probes) {
  std::string section(bits_bytes, '\xff');
  base::AppendLittle(section, key_count);
  base::AppendLittle(section, bits_per_key);
  base::AppendLittle(section, probes);
  base::AppendLittle(section, base::PlacedCrc32(kFile, kOffset, section));
  return section;
}

TEST(Filter, ATrailerThatCannotBeTrueIsRefused) {
  const auto accepts = [](const std::string& section) {
    return Filter::Decode(kFile, kOffset, section).has_value();
  };
  EXPECT_TRUE(accepts(Forge(8, 6, 10, 6)));
  EXPECT_FALSE(accepts(Forge(8, 6, 10, 0)));
  EXPECT_FALSE(accepts(Forge(8, 6, 10, 7)));
  EXPECT_FALSE(accepts(Forge(8, 6, 10, UINT32_MAX)));
  EXPECT_FALSE(accepts(Forge(8, 6, 0, 1)));
  EXPECT_FALSE(accepts(Forge(8, 6, 33, 22)));
  EXPECT_FALSE(accepts(Forge(8, 7, 10, 6)));   // Would take 16 bytes.
  EXPECT_FALSE(accepts(Forge(16, 6, 10, 6)));  // Would take 8.
  EXPECT_FALSE(accepts(Forge(9, 6, 10, 6)));
  EXPECT_FALSE(accepts(Forge(0, 0, 10, 6)));
  EXPECT_FALSE(accepts(Forge(8, UINT64_MAX, 1, 1)));
  EXPECT_FALSE(accepts(Forge(8, (uint64_t{1} << 63) + 6, 2, 1)));  // The product would wrap.
}

}  // namespace
}  // namespace kiban::table
