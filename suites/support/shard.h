// Which of a sweep's seeds one machine of several lives: of N shards each takes every N-th seed, so
// that all have as much to do.
#pragma once

#include <cstdint>
#include <string>

namespace kiban::suites {

struct Shard {
  uint64_t index = 1;  // From 1 to `count`.
  uint64_t count = 1;
  std::string source = "none";  // "--shard", or the variable of the CI server that said so.

  // Of `seeds` in all, how many are this shard's; it may be none.
  uint64_t SeedsOf(uint64_t seeds) const {
    return seeds / count + (index <= seeds % count ? 1 : 0);
  }
  // How far the n-th seed of this shard, from 0, lies behind the first of all.
  uint64_t OffsetOf(uint64_t nth) const { return index - 1 + nth * count; }
};

}  // namespace kiban::suites
