// Verified table blocks in memory, shared by all tables and all tasks of one database, within a
// budget of bytes. What else a table keeps in memory is charged to the same budget.
//
// A block is verified once, on the miss that loads it. Tasks that miss it at the same time wait for
// the one load that is under way and share what comes of it. A budget of zero is legal and caches
// nothing: then every caller loads for itself.
//
// Eviction is second chance (CLOCK): a hand goes round the blocks, forgives those that were hit
// since it last came by and takes the first that was not. A block is admitted unforgiven, so that a
// scan, which hits nothing twice, does not push out what point reads live on. What is evicted
// depends on the order of the calls alone: the hash table is for look-up and is never walked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/sync.h"

namespace kiban::cache {

using Block = std::shared_ptr<const std::string>;

class BlockCache;

// Bytes of a budget that hold something other than blocks, until this is destroyed.
class Reservation {
 public:
  Reservation(Reservation&& other) noexcept
      : cache_(std::exchange(other.cache_, nullptr)), bytes_(other.bytes_) {}
  Reservation& operator=(Reservation&&) = delete;
  ~Reservation();

 private:
  friend class BlockCache;
  Reservation(BlockCache* cache, uint64_t bytes) : cache_(cache), bytes_(bytes) {}

  BlockCache* cache_;  // Outlives this. Null: given to another.
  uint64_t bytes_;
};

class BlockCache {
 public:
  struct Stats {
    uint64_t hits = 0;
    uint64_t misses = 0;     // Calls that did not find their block.
    uint64_t coalesced = 0;  // Of these, the ones that shared the load of another call.
    uint64_t evictions = 0;
    uint64_t used_bytes = 0;      // By blocks.
    uint64_t reserved_bytes = 0;  // By what Reserve() was asked for.
  };
  // Reads and verifies a block. Called without any lock; never gives a null.
  using Load = absl::FunctionRef<absl::StatusOr<Block>()>;

  struct Found {
    Block block;
    bool was_cached = false;  // Otherwise it was loaded, by this call or while it waited.
  };

  // `tasks` may be null where one task alone uses the database.
  static std::unique_ptr<BlockCache> Create(uint64_t budget_bytes, engine::Tasks* tasks = nullptr);
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // The block at this place, from the cache or else as it is loaded, by this call or by one that
  // came before. It is then admitted, unless it is larger than what is not reserved. The error of a
  // load goes to all who waited for it and is not kept: the next call loads anew.
  absl::StatusOr<Found> FindOrLoad(uint64_t file_number, uint64_t offset, Load load);
  // Forgets every block of a file that is no longer part of the database, in a time that depends on
  // the blocks of that file alone. What is being loaded of it still reaches those who wait, and
  // nobody else.
  void Forget(uint64_t file_number);
  // A part of the budget for something that is kept as long as its table is open: blocks make room
  // for it, other reservations do not. Nothing if it does not fit.
  std::optional<Reservation> Reserve(uint64_t bytes);
  Stats stats() const;
  uint64_t budget_bytes() const { return budget_bytes_; }

 private:
  friend class Reservation;
  using Place = std::pair<uint64_t, uint64_t>;  // File number and offset.

  struct Slot {
    Place place;
    Block block;  // Null: the slot is free.
    bool was_hit = false;
  };

  // One load and those who wait for it.
  struct Flight {
    explicit Flight(engine::Tasks* tasks) : landed(tasks, "cache.load") {}
    base::CondVar landed;
    bool has_landed = false;
    absl::StatusOr<Block> block;  // Once it has landed.
  };

  BlockCache(uint64_t budget_bytes, engine::Tasks* tasks)
      : budget_bytes_(budget_bytes), tasks_(tasks), mutex_(tasks, "cache.blocks") {}
  // All of these under the mutex.
  Block Find(const Place& place);
  absl::StatusOr<Block> Await(std::shared_ptr<Flight> flight);
  void Land(const Place& place, Flight& flight, const absl::StatusOr<Block>& block);
  void Admit(const Place& place, Block block);
  void MakeRoomFor(uint64_t bytes);
  void EvictOne();
  void Release(size_t index);

  const uint64_t budget_bytes_;
  engine::Tasks* const tasks_;

  mutable base::Mutex mutex_;  // Guards what follows; never held while a block is loaded.
  std::vector<Slot> ring_;     // Grows with what is admitted: opening a database allocates nothing.
  std::vector<size_t> free_slots_;
  size_t hand_ = 0;
  absl::flat_hash_map<Place, size_t> slot_of_;
  std::set<std::pair<uint64_t, size_t>> slots_by_file_;  // File number and index, for Forget().
  std::map<Place, std::shared_ptr<Flight>> flights_;
  Stats stats_;
};

}  // namespace kiban::cache
