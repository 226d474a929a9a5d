// Verified table blocks in memory, shared by all tables of one database, within a budget of bytes.
//
// A block is verified once, on the miss that loads it. A budget of zero is legal and caches nothing.
// Eviction is second chance (CLOCK). One task at a time until the shared handle arrives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace kiban::cache {

using Block = std::shared_ptr<const std::string>;

class BlockCache {
 public:
  struct Stats {
    uint64_t hits = 0;
    uint64_t misses = 0;
    uint64_t evictions = 0;
    uint64_t used_bytes = 0;
  };

  static std::unique_ptr<BlockCache> Create(uint64_t budget_bytes);
  virtual ~BlockCache() = default;

  // Null if it is not there.
  virtual Block Find(uint64_t file_number, uint64_t offset) = 0;
  // Admits the block, unless it is larger than the whole budget. It must not be there yet.
  virtual void Insert(uint64_t file_number, uint64_t offset, Block block) = 0;
  // Forgets every block of a file that is no longer part of the database.
  virtual void Forget(uint64_t file_number) = 0;
  virtual Stats stats() const = 0;
};

}  // namespace kiban::cache
