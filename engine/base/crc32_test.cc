// Goal:   the checksum is the published CRC-32, however it is computed and in however many steps.
// Method: vectors that others have published, a reference that goes bit by bit, every length and
//         alignment that the fast loop could get wrong.
#include "engine/base/crc32.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/base/bytes.h"
#include "engine/base/hash.h"

namespace kiban::base {
namespace {

uint32_t BitByBit(std::string_view bytes) {
  uint32_t crc = UINT32_MAX;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

std::string Noise(size_t count) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) bytes += static_cast<char>(Mix64(i));
  return bytes;
}

TEST(Crc32, AgreesWithPublishedVectors) {
  EXPECT_EQ(Crc32(0, ""), 0u);
  EXPECT_EQ(Crc32(0, "a"), 0xe8b7be43u);
  EXPECT_EQ(Crc32(0, "123456789"), 0xcbf43926u);  // The "check" value of the catalogues.
  EXPECT_EQ(Crc32(0, "The quick brown fox jumps over the lazy dog"), 0x414fa339u);
  EXPECT_EQ(Crc32(0, std::string(32, '\0')), 0x190a55adu);
  EXPECT_EQ(Crc32(0, std::string(32, '\xff')), 0xff6cab0bu);
}

TEST(Crc32, AgreesWithBitByBitAtEveryLengthAndAlignment) {
  const std::string noise = Noise(320);
  for (size_t begin = 0; begin < 9; ++begin) {
    for (size_t count = 0; begin + count <= noise.size(); ++count) {
      const std::string_view bytes = std::string_view(noise).substr(begin, count);
      ASSERT_EQ(Crc32(0, bytes), BitByBit(bytes)) << begin << " " << count;
    }
  }
}

TEST(Crc32, GoesOnWhereItStopped) {
  const std::string noise = Noise(200);
  const std::string_view all = noise;
  for (size_t cut = 0; cut <= all.size(); ++cut) {
    ASSERT_EQ(Crc32(Crc32(0, all.substr(0, cut)), all.substr(cut)), Crc32(0, all));
  }
}

TEST(PlacedCrc32, CoversFileOffsetAndBytes) {
  const std::string noise = Noise(100);
  std::string place;
  AppendLittle(place, uint64_t{7});
  AppendLittle(place, uint64_t{4096});
  EXPECT_EQ(PlacedCrc32(7, 4096, noise), BitByBit(place + noise));
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_NE(PlacedCrc32(7 ^ uint64_t{1} << bit, 4096, noise), PlacedCrc32(7, 4096, noise));
    EXPECT_NE(PlacedCrc32(7, 4096 ^ uint64_t{1} << bit, noise), PlacedCrc32(7, 4096, noise));
  }
}

TEST(PlacedCrc32, NoticesEveryChangedBit) {
  std::string noise = Noise(100);
  const uint32_t crc = PlacedCrc32(7, 4096, noise);
  for (size_t bit = 0; bit < noise.size() * 8; ++bit) {
    noise[bit / 8] = static_cast<char>(noise[bit / 8] ^ 1 << (bit % 8));
    EXPECT_NE(PlacedCrc32(7, 4096, noise), crc) << bit;
    noise[bit / 8] = static_cast<char>(noise[bit / 8] ^ 1 << (bit % 8));
  }
}

}  // namespace
}  // namespace kiban::base
