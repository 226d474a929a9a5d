// 128 bits that stand for everything that happened in a life, or in a sweep of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiban::sim {

struct Digest {
  uint64_t high = 0;
  uint64_t low = 0;
  friend bool operator==(const Digest&, const Digest&) = default;

  // Sum modulo 2^128: the digest of a sweep is the sum of its lives', so shards add up.
  Digest& operator+=(const Digest& other) {
    low += other.low;
    high += other.high + (low < other.low ? 1 : 0);
    return *this;
  }

  std::string Text() const;  // 32 hexadecimal digits.
};

// What Text() wrote.
std::optional<Digest> ParseDigest(std::string_view text);

// The contribution of one life to the digest of a sweep.
Digest InSweep(uint64_t seed, const Digest& life);

}  // namespace kiban::sim
