// Slicing by eight: M. E. Kounavis and F. L. Berry, "A systematic approach to building high
// performance software-based CRC generators", ISCC 2005.
// Folding: V. Gopal et al., "Fast CRC computation for generic polynomials using PCLMULQDQ
// instruction", Intel, 2009. Our last step is not theirs: slicing makes the state of the last 16
// bytes, as it would of any others.
#include "engine/base/crc32.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32_paths.h"

namespace kiban::base {
namespace {

using Tables = std::array<std::array<uint32_t, 256>, 8>;

// tables[k][b] is the effect of byte b followed by k zero bytes.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kCrc32Polynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t byte = 0; byte < 256; ++byte) {
    for (size_t k = 1; k < 8; ++k) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

// The state after eight bytes, the state before having been added to the first four.
uint32_t SliceEight(uint32_t low, uint32_t high) {
  return kTables[7][low & 0xff] ^ kTables[6][(low >> 8) & 0xff] ^ kTables[5][(low >> 16) & 0xff] ^
         kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][(high >> 8) & 0xff] ^
         kTables[1][(high >> 16) & 0xff] ^ kTables[0][high >> 24];
}

}  // namespace

uint32_t Crc32BySlicing(uint32_t state, std::string_view bytes) {
  const char* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    state = SliceEight(LoadLittle<uint32_t>(at) ^ state, LoadLittle<uint32_t>(at + 4));
  }
  for (; left > 0; --left, ++at) {
    state = (state >> 8) ^ kTables[0][(state ^ static_cast<unsigned char>(*at)) & 0xff];
  }
  return state;
}

#ifdef __x86_64__

namespace {

// 128 coefficients, those of the highest powers of x lowest.
using Lane = long long __attribute__((vector_size(16)));

Lane Load(const char* from) {
  Lane lane;
  std::memcpy(&lane, from, sizeof lane);
  return lane;
}

// A lane with the same remainder as `lane` followed by `bytes` zero bytes.
template <uint32_t bytes>
[[gnu::target("pclmul,sse4.1")]] inline Lane Fold(Lane lane) {
  constexpr auto kForLow = static_cast<long long>(Crc32FoldFactor(bytes * 8 + 32));
  constexpr auto kForHigh = static_cast<long long>(Crc32FoldFactor(bytes * 8 - 32));
  constexpr Lane kFactors = {kForLow, kForHigh};
  return __builtin_ia32_pclmulqdq128(lane, kFactors, 0x00) ^
         __builtin_ia32_pclmulqdq128(lane, kFactors, 0x11);
}

}  // namespace

// One load: libgcc asks the processor before any constructor of ours runs.
bool CanFoldCrc32() {
  return __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
}

// Four lanes side by side, so that a multiplication need not wait for the one before it.
[[gnu::target("pclmul,sse4.1")]] uint32_t Crc32ByFolding(uint32_t state, std::string_view bytes) {
  CHECK(bytes.size() >= 64);
  const char* at = bytes.data();
  size_t left = bytes.size();
  const Lane before = {state, 0};
  Lane first = Load(at) ^ before;
  Lane second = Load(at + 16);
  Lane third = Load(at + 32);
  Lane last = Load(at + 48);
  for (at += 64, left -= 64; left >= 64; left -= 64, at += 64) {
    first = Fold<64>(first) ^ Load(at);
    second = Fold<64>(second) ^ Load(at + 16);
    third = Fold<64>(third) ^ Load(at + 32);
    last = Fold<64>(last) ^ Load(at + 48);
  }
  last ^= Fold<48>(first) ^ Fold<32>(second) ^ Fold<16>(third);
  for (; left >= 16; left -= 16, at += 16) last = Fold<16>(last) ^ Load(at);
  const std::array<uint32_t, 4> words = std::bit_cast<std::array<uint32_t, 4>>(last);
  state = SliceEight(words[0], words[1]);
  state = SliceEight(words[2] ^ state, words[3]);
  return Crc32BySlicing(state, {at, left});
}

#else

bool CanFoldCrc32() { return false; }

uint32_t Crc32ByFolding(uint32_t, std::string_view) { CHECK(false); }

#endif

uint32_t Crc32If(bool can_fold, uint32_t crc, std::string_view bytes) {
  switch (ChooseCrc32Path(bytes.size(), can_fold)) {
    case Crc32Path::kSlicing:
      return ~Crc32BySlicing(~crc, bytes);
    case Crc32Path::kFolding:
      return ~Crc32ByFolding(~crc, bytes);
  }
  CHECK(false);
}

uint32_t Crc32(uint32_t crc, std::string_view bytes) { return Crc32If(CanFoldCrc32(), crc, bytes); }

uint32_t PlacedCrc32(uint64_t file_number, uint64_t offset, std::string_view bytes) {
  char place[16];
  StoreLittle(place, file_number);
  StoreLittle(place + 8, offset);
  return Crc32(Crc32(0, {place, sizeof place}), bytes);
}

}  // namespace kiban::base
