// The keys of one life and the sizes of its values: few, so that writes collide, and at borders, so
// that they hurt.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/rng.h"

namespace kiban::suites {

class KeyPool {
 public:
  explicit KeyPool(const sim::Rng& rng);

  // Half of all draws take one of a few.
  const std::string& Draw(sim::Rng& dice) const;
  // A key of the pool or, now and then, a neighbour of one: for bounds and for keys that are not
  // there.
  std::string DrawNear(sim::Rng& dice) const;
  // The beginning of a key of the pool, perhaps all or nothing of it.
  std::string DrawPrefix(sim::Rng& dice) const;
  // One of two, in lives that have such keys.
  std::string DrawHuge(sim::Rng& dice) const;

  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::vector<std::string> keys_;
  uint64_t huge_bytes_[2];
};

// Mostly below 200 bytes; now and then nothing, or about a sector or a page.
uint32_t DrawValueBytes(sim::Rng& dice);
uint32_t DrawHugeValueBytes(sim::Rng& dice);

}  // namespace kiban::suites
