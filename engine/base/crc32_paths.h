// The two ways to compute the checksum of crc32.h: for crc32.cc, its test and its benchmark. They
// differ in speed alone.
//
// A state is what crc32.h returns before its bits are inverted: a remainder of polynomials over
// GF(2), to which bytes are appended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiban::base {

inline constexpr uint32_t kCrc32Polynomial = 0xedb88320;  // Bit 31 is the coefficient of x^0.
// Shorter inputs are sliced on every machine. crc32_bench.cc measures what that costs and gains.
inline constexpr size_t kCrc32FoldedBytesMin = 128;

enum class Crc32Path { kSlicing, kFolding };

// Whether this machine can fold. The same answer at every call once main() has begun; before that
// it may be false.
bool CanFoldCrc32();

constexpr Crc32Path ChooseCrc32Path(size_t bytes, bool can_fold) {
  return bytes >= kCrc32FoldedBytesMin && can_fold ? Crc32Path::kFolding : Crc32Path::kSlicing;
}

uint32_t Crc32BySlicing(uint32_t state, std::string_view bytes);
// Only if CanFoldCrc32(), and for 64 bytes or more.
uint32_t Crc32ByFolding(uint32_t state, std::string_view bytes);

// Crc32() on a machine that can fold or cannot, whatever this one can; true only if this one can.
uint32_t Crc32If(bool can_fold, uint32_t crc, std::string_view bytes);

// What 64 coefficients are multiplied by to move them `exponent` + 32 places: x^exponent modulo the
// polynomial. Bit 32 is the coefficient of x^0, because a product of bit-reversed factors comes out
// one place too low.
constexpr uint64_t Crc32FoldFactor(uint32_t exponent) {
  uint32_t power = uint32_t{1} << 31;
  for (; exponent > 0; --exponent) {
    power = (power >> 1) ^ ((power & 1) != 0 ? kCrc32Polynomial : 0);
  }
  return uint64_t{power} << 1;
}

}  // namespace kiban::base
