#include "engine/cache/block_cache.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_util.h"

namespace kiban::cache {

std::unique_ptr<BlockCache> BlockCache::Create(uint64_t budget_bytes, engine::Tasks* tasks) {
  return std::unique_ptr<BlockCache>(new BlockCache(budget_bytes, tasks));
}

Reservation::~Reservation() {
  if (cache_ == nullptr) return;
  const base::MutexLock lock(cache_->mutex_);
  cache_->stats_.reserved_bytes -= bytes_;
}

absl::StatusOr<BlockCache::Found> BlockCache::FindOrLoad(uint64_t file_number, uint64_t offset,
                                                         Load load) {
  const Place place(file_number, offset);
  std::shared_ptr<Flight> flight;
  {
    const base::MutexLock lock(mutex_);
    if (Block hit = Find(place)) return Found{std::move(hit), true};
    ++stats_.misses;
    if (budget_bytes_ > 0) {
      std::shared_ptr<Flight>& in_flight = flights_[place];
      if (in_flight != nullptr) {
        ASSIGN_OR_RETURN(Block landed, Await(in_flight));
        return Found{std::move(landed), false};
      }
      in_flight = std::make_shared<Flight>(tasks_);
      flight = in_flight;
    }
  }
  absl::StatusOr<Block> block = load();
  if (flight != nullptr) {
    const base::MutexLock lock(mutex_);
    Land(place, *flight, block);
  }
  RETURN_IF_ERROR(block.status());
  return Found{*std::move(block), false};
}

void BlockCache::Forget(uint64_t file_number) {
  const base::MutexLock lock(mutex_);
  auto slot = slots_by_file_.lower_bound({file_number, 0});
  while (slot != slots_by_file_.end() && slot->first == file_number) Release((slot++)->second);
  flights_.erase(flights_.lower_bound({file_number, 0}),
                 flights_.upper_bound({file_number, UINT64_MAX}));
}

std::optional<Reservation> BlockCache::Reserve(uint64_t bytes) {
  const base::MutexLock lock(mutex_);
  if (bytes > budget_bytes_ - stats_.reserved_bytes) return std::nullopt;
  MakeRoomFor(bytes);
  stats_.reserved_bytes += bytes;
  return Reservation(this, bytes);
}

BlockCache::Stats BlockCache::stats() const {
  const base::MutexLock lock(mutex_);
  return stats_;
}

Block BlockCache::Find(const Place& place) {
  const auto found = slot_of_.find(place);
  if (found == slot_of_.end()) return nullptr;
  ++stats_.hits;
  Slot& slot = ring_[found->second];
  slot.was_hit = true;
  return slot.block;
}

// By value: a landed flight is kept by nobody but those who waited for it.
absl::StatusOr<Block> BlockCache::Await(std::shared_ptr<Flight> flight) {
  ++stats_.coalesced;
  while (!flight->has_landed) flight->landed.Wait(mutex_);
  return flight->block;
}

void BlockCache::Land(const Place& place, Flight& flight, const absl::StatusOr<Block>& block) {
  flight.block = block;
  flight.has_landed = true;
  flight.landed.NotifyAll();
  const auto found = flights_.find(place);
  if (found == flights_.end() || found->second.get() != &flight) return;  // Forgotten meanwhile.
  flights_.erase(found);
  if (block.ok()) Admit(place, *block);
}

void BlockCache::Admit(const Place& place, Block block) {
  CHECK(block != nullptr);
  const uint64_t block_bytes = block->size();
  if (block_bytes > budget_bytes_ - stats_.reserved_bytes) return;
  MakeRoomFor(block_bytes);

  size_t index = ring_.size();
  if (free_slots_.empty()) {
    ring_.emplace_back();
  } else {
    index = free_slots_.back();
    free_slots_.pop_back();
  }
  ring_[index] = Slot{place, std::move(block), false};
  CHECK(slot_of_.emplace(place, index).second);
  slots_by_file_.emplace(place.first, index);
  stats_.used_bytes += block_bytes;
}

// Needs a budget that holds it next to what is reserved.
void BlockCache::MakeRoomFor(uint64_t bytes) {
  const uint64_t for_blocks = budget_bytes_ - stats_.reserved_bytes - bytes;
  while (stats_.used_bytes > for_blocks) EvictOne();
}

// Ends within two rounds: the first forgives everybody. Needs a block to evict.
void BlockCache::EvictOne() {
  CHECK(!slot_of_.empty());
  for (;;) {
    const size_t index = hand_;
    hand_ = hand_ + 1 == ring_.size() ? 0 : hand_ + 1;
    Slot& slot = ring_[index];
    if (slot.block == nullptr) continue;
    if (!slot.was_hit) {
      ++stats_.evictions;
      return Release(index);
    }
    slot.was_hit = false;
  }
}

void BlockCache::Release(size_t index) {
  Slot& slot = ring_[index];
  stats_.used_bytes -= slot.block->size();
  slot_of_.erase(slot.place);
  slots_by_file_.erase({slot.place.first, index});
  slot.block.reset();
  free_slots_.push_back(index);
}

}  // namespace kiban::cache
