// A fast hash of bytes (XXH3), the same in every build and process. Never a checksum on disk: see
// crc32.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kiban::base {

uint64_t Hash64(std::string_view bytes, uint64_t seed = 0);

// Finalizer of SplitMix64 (Steele, Lea, Flood, 2014): every bit of the input moves half of the
// output's.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace kiban::base
