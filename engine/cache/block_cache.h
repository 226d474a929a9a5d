// Verified table blocks in memory, shared by all tables of one database, within a budget of bytes.
//
// A block is verified once, on the miss that loads it. A budget of zero is legal and caches
// nothing. One task at a time until the shared handle arrives.
//
// Eviction is second chance (CLOCK): a hand goes round the blocks, forgives those that were hit
// since it last came by and takes the first that was not. A block is admitted unforgiven, so that a
// scan, which hits nothing twice, does not push out what point reads live on. What is evicted
// depends on the calls alone: the hash table is for look-up and is never walked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

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
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // Null if it is not there.
  Block Find(uint64_t file_number, uint64_t offset);
  // Admits the block, unless it is larger than the whole budget. It must not be there yet (CHECK).
  void Insert(uint64_t file_number, uint64_t offset, Block block);
  // Forgets every block of a file that is no longer part of the database.
  void Forget(uint64_t file_number);
  Stats stats() const { return stats_; }

 private:
  using Place = std::pair<uint64_t, uint64_t>;  // File number and offset.

  struct Slot {
    Place place;
    Block block;  // Null: the slot is free.
    bool was_hit = false;
  };

  explicit BlockCache(uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}
  void EvictOne();
  void Release(size_t index);

  uint64_t budget_bytes_;
  std::vector<Slot> ring_;  // Grows with what is admitted: opening a database allocates nothing.
  std::vector<size_t> free_slots_;
  size_t hand_ = 0;
  absl::flat_hash_map<Place, size_t> slot_of_;
  Stats stats_;
};

}  // namespace kiban::cache
