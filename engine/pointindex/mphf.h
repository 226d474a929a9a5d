// Minimal perfect hashing: n different hashes to n slots, each slot once.
//
// Bucketed pilots, after CHD (Belazzougui, Botelho, Dietzfelbinger, "Hash, displace, and compress",
// ESA 2009) and PTHash (Pibiri, Trani, "PTHash: revisiting FCH minimal perfect hashing", SIGIR
// 2021): a hash belongs to a bucket of a few, and the bucket's pilot is the first number that sends
// all of its hashes to places still free. Buckets are served from large to small. From PTHash also
// the spare places: with a few more places than slots the last buckets find a free one soon, so
// that a pilot fits in 16 bits, and a place beyond the last slot is sent to a slot that was left
// over.
//
// All of it is integers, counting and prefix sums; the result is a function of the hashes as a
// sequence. Time and memory are linear, and the search has an end: it may say "none".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/base/bytes.h"
#include "engine/base/hash.h"

namespace kiban::pointindex {

struct HashShape {
  uint32_t keys_per_bucket;  // On average.
  uint32_t keys_per_spare;   // How many keys pay for one spare place; 0: there are none.
  uint32_t pilot_bytes;      // 2 or 4.

  uint64_t bucket_count(uint64_t key_count) const {
    return (key_count + keys_per_bucket - 1) / keys_per_bucket;
  }
  uint64_t spare_count(uint64_t key_count) const {
    return keys_per_spare == 0 ? 0 : (key_count + keys_per_spare - 1) / keys_per_spare;
  }
  // Pilots, then for each spare place its slot in 4 bytes.
  uint64_t pilots_bytes(uint64_t key_count) const { return bucket_count(key_count) * pilot_bytes; }
  uint64_t encoded_bytes(uint64_t key_count) const {
    return pilots_bytes(key_count) + spare_count(key_count) * 4;
  }
};

inline constexpr uint64_t kKeyCountMax = uint64_t{1} << 31;
inline constexpr uint32_t kSeedCount = 8;       // As many beginnings are tried.
inline constexpr uint32_t kBucketKeysMax = 32;  // A fuller bucket spoils its seed.
inline constexpr uint64_t kTriesPerKey = 256;   // On average, before a seed is given up.

struct BuiltHash {
  uint32_t seed;
  std::string bytes;  // As encoded_bytes() says.
};

// None if two hashes are equal, if there are more than kKeyCountMax, or if none of the first
// `seed_count` seeds, at most kSeedCount, succeeds.
std::optional<BuiltHash> BuildPerfectHash(std::span<const uint64_t> hashes, const HashShape& shape,
                                          uint32_t seed_count = kSeedCount);

// The map, over bytes that outlive it.
class PerfectHash {
 public:
  PerfectHash() = default;
  PerfectHash(const HashShape& shape, uint64_t key_count, uint32_t seed, const char* bytes)
      : key_count_(key_count),
        bucket_count_(shape.bucket_count(key_count)),
        place_count_(key_count + shape.spare_count(key_count)),
        salt_(Salt(seed)),
        pilot_bytes_(shape.pilot_bytes),
        pilots_(bytes),
        spares_(bytes + shape.pilots_bytes(key_count)) {}

  // Needs a key. Any hash gets a slot below key_count, if SparesAreSlots().
  uint64_t SlotOf(uint64_t hash) const { return SlotOfMixed(MixedOf(hash)); }

  // In two steps, for who has something to do while the pilot is on its way.
  uint64_t MixedOf(uint64_t hash) const { return Mixed(hash, salt_); }
  void PrefetchPilot(uint64_t mixed) const {
    __builtin_prefetch(pilots_ + BucketOf(mixed, bucket_count_) * pilot_bytes_);
  }
  uint64_t SlotOfMixed(uint64_t mixed) const {
    const uint64_t place = PlaceOf(mixed, Pilot(BucketOf(mixed, bucket_count_)), place_count_);
    if (place < key_count_) [[likely]]
      return place;
    return base::LoadLittle<uint32_t>(spares_ + (place - key_count_) * 4);
  }

  bool SparesAreSlots() const {
    for (uint64_t i = 0; i < place_count_ - key_count_; ++i) {
      if (base::LoadLittle<uint32_t>(spares_ + i * 4) >= key_count_) return false;
    }
    return true;
  }

  static uint64_t Salt(uint32_t seed) { return (uint64_t{seed} + 1) * kGolden; }
  static uint64_t Mixed(uint64_t hash, uint64_t salt) { return base::Mix64(hash + salt); }
  static uint64_t BucketOf(uint64_t mixed, uint64_t count) { return Scale(mixed, count); }
  static uint64_t PlaceOf(uint64_t mixed, uint32_t pilot, uint64_t count) {
    return Scale((mixed ^ pilot * kGolden) * kOdd, count);
  }

 private:
  static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
  static constexpr uint64_t kOdd = 0xd6e8feb86659fd93;

  // x / 2^64 of `count`, rounded down.
  static uint64_t Scale(uint64_t x, uint64_t count) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(x) * count >> 64);
  }
  uint32_t Pilot(uint64_t bucket) const {
    if (pilot_bytes_ == 2) return base::LoadLittle<uint16_t>(pilots_ + bucket * 2);
    return base::LoadLittle<uint32_t>(pilots_ + bucket * 4);
  }

  uint64_t key_count_ = 0;
  uint64_t bucket_count_ = 0;
  uint64_t place_count_ = 0;
  uint64_t salt_ = 0;
  uint32_t pilot_bytes_ = 2;
  const char* pilots_ = nullptr;
  const char* spares_ = nullptr;
};

}  // namespace kiban::pointindex
