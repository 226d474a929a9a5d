// Goal:   slicing and folding give the same checksum for every input, and the one that is taken
//         depends on the length and the machine alone.
// Method: both against a reference that goes bit by bit: every place in a cache line, every length
//         around the borders of dispatch and of folding's loops, three states to begin with. The
//         factors of folding against long division of polynomials written the usual way round.
#include "engine/base/crc32_paths.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/base/hash.h"

namespace kiban::base {
namespace {

// What comes before: nothing, a state of only zeros, any checksum.
constexpr uint32_t kBefore[] = {0, UINT32_MAX, 0x3d5a71c6};
constexpr size_t kOffsets = 64;

// The checksums of all prefixes of `bytes`, the empty one first.
std::vector<uint32_t> BitByBit(uint32_t crc, std::string_view bytes) {
  std::vector<uint32_t> crcs = {crc};
  uint32_t state = ~crc;
  for (const char byte : bytes) {
    state ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0xedb88320u : 0u);
    crcs.push_back(~state);
  }
  return crcs;
}

// `count` bytes, and room to move them through a cache line.
std::string Noise(size_t count) {
  std::string bytes;
  for (uint64_t i = 0; bytes.size() < count + kOffsets; ++i) AppendLittle(bytes, Mix64(i));
  return bytes;
}

std::vector<size_t> Lengths() {
  std::vector<size_t> lengths;
  for (size_t length = 0; length <= 272; ++length) lengths.push_back(length);
  for (const size_t border : {512u, 1024u, 4096u, 8192u}) {
    for (const size_t step : {16u, 64u}) {
      for (const size_t near : {border - step, border, border + step}) {
        for (size_t length = near - 1; length <= near + 1; ++length) lengths.push_back(length);
      }
    }
  }
  return lengths;
}

class Crc32Paths : public testing::TestWithParam<bool> {};

TEST_P(Crc32Paths, AgreeWithBitByBitAtEveryOffsetLengthAndState) {
  const bool can_fold = GetParam();
  if (can_fold && !CanFoldCrc32()) GTEST_SKIP() << "this machine cannot fold";
  const std::vector<size_t> lengths = Lengths();
  const std::string noise = Noise(8192 + 65);
  size_t checked = 0;
  for (size_t offset = 0; offset < kOffsets; ++offset) {
    const std::string_view from = std::string_view(noise).substr(offset);
    for (const uint32_t before : kBefore) {
      const std::vector<uint32_t> expected = BitByBit(before, from.substr(0, 8192 + 65));
      for (const size_t length : lengths) {
        ASSERT_EQ(Crc32If(can_fold, before, from.substr(0, length)), expected[length])
            << offset << " " << before << " " << length;
        ++checked;
      }
    }
  }
  EXPECT_EQ(checked, kOffsets * 3 * (273 + 4 * 2 * 9));
}

TEST_P(Crc32Paths, GoOnWhereEitherStopped) {
  const bool can_fold = GetParam();
  if (can_fold && !CanFoldCrc32()) GTEST_SKIP() << "this machine cannot fold";
  const std::string noise = Noise(640);
  const std::string_view all = std::string_view(noise).substr(0, 640);
  const uint32_t expected = BitByBit(0, all).back();
  for (size_t cut = 0; cut <= all.size(); ++cut) {
    const uint32_t before = Crc32If(!can_fold && CanFoldCrc32(), 0, all.substr(0, cut));
    ASSERT_EQ(Crc32If(can_fold, before, all.substr(cut)), expected) << cut;
  }
}

TEST_P(Crc32Paths, NoticeEveryChangedBit) {
  const bool can_fold = GetParam();
  if (can_fold && !CanFoldCrc32()) GTEST_SKIP() << "this machine cannot fold";
  std::string noise = Noise(512);
  const uint32_t crc = Crc32If(can_fold, 0, noise);
  for (size_t bit = 0; bit < noise.size() * 8; ++bit) {
    noise[bit / 8] = static_cast<char>(noise[bit / 8] ^ 1 << (bit % 8));
    ASSERT_NE(Crc32If(can_fold, 0, noise), crc) << bit;
    noise[bit / 8] = static_cast<char>(noise[bit / 8] ^ 1 << (bit % 8));
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Crc32Paths, testing::Bool(), [](const auto& machine) {
  return std::string(machine.param ? "Folding" : "Masked");
});

TEST(Crc32Dispatch, FoldsFrom128BytesOnWhereTheMachineCan) {
  for (const size_t bytes : {0u, 1u, 64u, 127u}) {
    EXPECT_EQ(ChooseCrc32Path(bytes, true), Crc32Path::kSlicing) << bytes;
  }
  for (const size_t bytes : {128u, 129u, 4096u, 1u << 30}) {
    EXPECT_EQ(ChooseCrc32Path(bytes, true), Crc32Path::kFolding) << bytes;
    EXPECT_EQ(ChooseCrc32Path(bytes, false), Crc32Path::kSlicing) << bytes;
  }
}

TEST(Crc32Folding, AgreesWithSlicingFromItsShortestInputOn) {
  if (!CanFoldCrc32()) GTEST_SKIP() << "this machine cannot fold";
  const std::string noise = Noise(128);
  for (size_t length = 64; length <= 128; ++length) {
    const std::string_view bytes = std::string_view(noise).substr(0, length);
    ASSERT_EQ(Crc32ByFolding(0, bytes), Crc32BySlicing(0, bytes)) << length;
  }
}

// x^exponent modulo the polynomial, bit i being the coefficient of x^i.
uint32_t PowerOfX(uint32_t exponent) {
  uint64_t power = 1;
  for (; exponent > 0; --exponent) {
    power <<= 1;
    if ((power >> 32) != 0) power ^= 0x104c11db7;
  }
  return static_cast<uint32_t>(power);
}

TEST(Crc32FoldFactor, IsAPowerOfXWithItsBitsReversed) {
  for (const uint32_t distance : {128u, 256u, 384u, 512u}) {
    for (const uint32_t exponent : {distance - 32, distance + 32}) {
      const uint32_t power = PowerOfX(exponent);
      uint64_t reversed = 0;
      for (int i = 0; i < 32; ++i) reversed |= uint64_t{(power >> i) & 1} << (32 - i);
      EXPECT_EQ(Crc32FoldFactor(exponent), reversed) << exponent;
    }
  }
}

TEST(Crc32FoldFactor, AgreesWithPublishedConstants) {
  EXPECT_EQ(Crc32FoldFactor(512 + 32), 0x154442bd4u);
  EXPECT_EQ(Crc32FoldFactor(512 - 32), 0x1c6e41596u);
  EXPECT_EQ(Crc32FoldFactor(128 + 32), 0x1751997d0u);
  EXPECT_EQ(Crc32FoldFactor(128 - 32), 0x0ccaa009eu);
}

}  // namespace
}  // namespace kiban::base
