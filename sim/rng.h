// All chance of a simulation: integers and ratios, from one seed, keyed by what a draw is about.
//
// A stream is a value: copying it copies its future. Stream() and Fork() derive independent streams
// from the key alone, never from how much was drawn, so that adding or removing a draw changes no
// other one:
//   rng.Stream("disk/crash").Fork(file_key, page).Below(n)
// Mixing: SplitMix64 (Steele, Lea, Flood, 2014).
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/hooks.h"

namespace kiban::sim {

using Seed = uint64_t;

class Rng {
 public:
  explicit Rng(Seed seed) : key_(base::Mix64(seed + kGolden)) {}

  Rng Stream(std::string_view name) const { return Rng(Derived{}, key_ ^ base::Label::Hash(name)); }

  template <std::integral... Keys>
  Rng Fork(Keys... keys) const {
    uint64_t key = key_;
    ((key = base::Mix64(key + kGolden + static_cast<uint64_t>(keys))), ...);
    return Rng(Derived{}, key);
  }

  uint64_t Next() { return base::Mix64(key_ + kGolden * ++drawn_); }

  // Uniform over 0 .. n-1 (multiply-shift; a bias below n / 2^64 does not matter here).
  uint64_t Below(uint64_t n) {
    CHECK(n > 0);
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >> 64);
  }

  // Uniform over low .. high, both included.
  uint64_t Between(uint64_t low, uint64_t high) {
    CHECK(low <= high);
    return low + Below(high - low + 1);
  }

  bool Chance(uint64_t numerator, uint64_t denominator) { return Below(denominator) < numerator; }

 private:
  struct Derived {};
  static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

  Rng(Derived, uint64_t key) : key_(base::Mix64(key + kGolden)) {}

  uint64_t key_;
  uint64_t drawn_ = 0;
};

}  // namespace kiban::sim
