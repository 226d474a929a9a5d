#include "engine/cache/block_cache.h"

#include "engine/base/check.h"

namespace kiban::cache {

std::unique_ptr<BlockCache> BlockCache::Create(uint64_t budget_bytes) {
  return std::unique_ptr<BlockCache>(new BlockCache(budget_bytes));
}

Block BlockCache::Find(uint64_t file_number, uint64_t offset) {
  const auto found = slot_of_.find(Place(file_number, offset));
  if (found == slot_of_.end()) {
    ++stats_.misses;
    return nullptr;
  }
  ++stats_.hits;
  Slot& slot = ring_[found->second];
  slot.was_hit = true;
  return slot.block;
}

void BlockCache::Insert(uint64_t file_number, uint64_t offset, Block block) {
  CHECK(block != nullptr);
  const uint64_t block_bytes = block->size();
  if (block_bytes > budget_bytes_ || budget_bytes_ == 0) return;
  const Place place(file_number, offset);
  if (slot_of_.contains(place)) return;
  while (stats_.used_bytes + block_bytes > budget_bytes_) EvictOne();

  size_t index = ring_.size();
  if (free_slots_.empty()) {
    ring_.emplace_back();
  } else {
    index = free_slots_.back();
    free_slots_.pop_back();
  }
  ring_[index] = Slot{place, std::move(block), false};
  slot_of_.emplace(place, index);
  stats_.used_bytes += block_bytes;
}

void BlockCache::Forget(uint64_t file_number) {
  for (size_t index = 0; index < ring_.size(); ++index) {
    const Slot& slot = ring_[index];
    if (slot.block != nullptr && slot.place.first == file_number) Release(index);
  }
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
  slot.block.reset();
  free_slots_.push_back(index);
}

}  // namespace kiban::cache
