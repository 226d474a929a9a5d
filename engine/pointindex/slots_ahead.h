// Slots of one hash after another, fetched into the cache before they are needed. A walk in the
// order of keys goes to slots in an order of chance: waiting for each pilot, then for each slot,
// would be most of its time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/pointindex/mphf.h"

namespace kiban::pointindex {

class SlotsAhead {
 public:
  // A hash should be pushed this many steps before its slot is asked for,
  static constexpr size_t kSteps = 16;
  // and is forgotten after as many. Others may keep what belongs to a hash in a ring of this size.
  static constexpr size_t kRing = 2 * kSteps;

  SlotsAhead(const PerfectHash& hash, const char* slots, uint64_t slot_bytes)
      : hash_(hash), slots_(slots), slot_bytes_(slot_bytes) {}

  void Push(uint64_t key_hash) {
    const uint64_t mixed = hash_.MixedOf(key_hash);
    hash_.PrefetchPilot(mixed);
    mixed_[pushed_ % kRing] = mixed;
    ++pushed_;
    if (pushed_ > kSteps / 2) Resolve(pushed_ - kSteps / 2);
  }
  // Of the i-th hash that was pushed, one of the last kRing. To be asked in order.
  const char* Slot(size_t i) {
    Resolve(i + 1);
    return found_[i % kRing];
  }
  size_t pushed() const { return pushed_; }

 private:
  void Resolve(size_t end) {
    for (; resolved_ < end; ++resolved_) {
      const char* const slot = slots_ + hash_.SlotOfMixed(mixed_[resolved_ % kRing]) * slot_bytes_;
      __builtin_prefetch(slot);
      found_[resolved_ % kRing] = slot;
    }
  }

  const PerfectHash& hash_;
  const char* slots_;
  uint64_t slot_bytes_;
  size_t pushed_ = 0;
  size_t resolved_ = 0;
  std::array<uint64_t, kRing> mixed_{};
  std::array<const char*, kRing> found_{};
};

}  // namespace kiban::pointindex
