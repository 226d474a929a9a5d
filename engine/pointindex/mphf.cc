#include "engine/pointindex/mphf.h"

#include <array>
#include <vector>

#include "engine/base/check.h"

namespace kiban::pointindex {
namespace {

enum class Outcome { kDone, kEqualHashes, kSpoiled };

// One attempt, with one seed.
class Search {
 public:
  Search(std::span<const uint64_t> hashes, const HashShape& shape, uint32_t seed)
      : hashes_(hashes),
        shape_(shape),
        salt_(PerfectHash::Salt(seed)),
        bucket_count_(shape.bucket_count(hashes.size())),
        place_count_(hashes.size() + shape.spare_count(hashes.size())),
        tries_left_(kTriesPerKey * (hashes.size() + 4096)) {}

  Outcome Run() {
    Distribute();
    const Outcome buckets = InspectBuckets();
    if (buckets != Outcome::kDone) return buckets;
    pilots_.assign(bucket_count_, 0);
    taken_.assign(place_count_ / 64 + 1, 0);
    for (const uint32_t bucket : LargestFirst()) {
      if (!FindPilot(bucket)) return Outcome::kSpoiled;
    }
    return Outcome::kDone;
  }

  std::string Encoded() const {
    std::string bytes;
    bytes.reserve(shape_.encoded_bytes(hashes_.size()));
    for (const uint32_t pilot : pilots_) {
      if (shape_.pilot_bytes == 2) {
        base::AppendLittle(bytes, static_cast<uint16_t>(pilot));
      } else {
        base::AppendLittle(bytes, pilot);
      }
    }
    uint32_t free_slot = 0;
    for (uint64_t place = hashes_.size(); place < place_count_; ++place) {
      if (IsTaken(place)) {
        while (IsTaken(free_slot)) ++free_slot;
        base::AppendLittle(bytes, free_slot++);
      } else {
        base::AppendLittle(bytes, uint32_t{0});
      }
    }
    CHECK(bytes.size() == shape_.encoded_bytes(hashes_.size()));
    return bytes;
  }

 private:
  // Puts the mixed hashes of each bucket side by side: count, sum up, put in place.
  void Distribute() {
    begins_.assign(bucket_count_ + 1, 0);
    for (const uint64_t hash : hashes_) ++begins_[BucketOf(hash) + 1];
    for (uint64_t i = 0; i < bucket_count_; ++i) begins_[i + 1] += begins_[i];
    std::vector<uint32_t> next(begins_.begin(), begins_.end() - 1);
    mixed_.resize(hashes_.size());
    for (const uint64_t hash : hashes_) {
      const uint64_t mixed = PerfectHash::Mixed(hash, salt_);
      mixed_[next[PerfectHash::BucketOf(mixed, bucket_count_)]++] = mixed;
    }
  }

  // Mixing loses nothing, so equal hashes are equal here, and share a bucket.
  Outcome InspectBuckets() const {
    for (uint64_t bucket = 0; bucket < bucket_count_; ++bucket) {
      const std::span<const uint64_t> keys = KeysOf(bucket);
      if (keys.size() > kBucketKeysMax) return Outcome::kSpoiled;
      for (size_t i = 1; i < keys.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (keys[i] == keys[j]) return Outcome::kEqualHashes;
        }
      }
    }
    return Outcome::kDone;
  }

  // Among buckets of one size, the first stays first. Empty ones are left out.
  std::vector<uint32_t> LargestFirst() const {
    std::array<uint32_t, kBucketKeysMax + 2> begins{};  // By kBucketKeysMax - size.
    for (uint64_t i = 0; i < bucket_count_; ++i) ++begins[kBucketKeysMax - KeysOf(i).size() + 1];
    for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    std::vector<uint32_t> order(begins[kBucketKeysMax]);
    for (uint32_t i = 0; i < bucket_count_; ++i) {
      const size_t size = KeysOf(i).size();
      if (size > 0) order[begins[kBucketKeysMax - size]++] = i;
    }
    return order;
  }

  bool FindPilot(uint32_t bucket) {
    const uint64_t pilot_end = uint64_t{1} << (8 * shape_.pilot_bytes);
    for (uint64_t pilot = 0; pilot < pilot_end; ++pilot) {
      if (tries_left_ == 0) return false;
      --tries_left_;
      if (TakePlaces(KeysOf(bucket), static_cast<uint32_t>(pilot))) {
        pilots_[bucket] = static_cast<uint32_t>(pilot);
        return true;
      }
    }
    return false;
  }

  // Takes a place for every key or none at all.
  bool TakePlaces(std::span<const uint64_t> keys, uint32_t pilot) {
    std::array<uint64_t, kBucketKeysMax> places;
    for (size_t i = 0; i < keys.size(); ++i) {
      places[i] = PerfectHash::PlaceOf(keys[i], pilot, place_count_);
      if (IsTaken(places[i])) {
        for (size_t j = 0; j < i; ++j) Flip(places[j]);
        return false;
      }
      Flip(places[i]);
    }
    return true;
  }

  uint64_t BucketOf(uint64_t hash) const {
    return PerfectHash::BucketOf(PerfectHash::Mixed(hash, salt_), bucket_count_);
  }
  std::span<const uint64_t> KeysOf(uint64_t bucket) const {
    return std::span(mixed_).subspan(begins_[bucket], begins_[bucket + 1] - begins_[bucket]);
  }
  bool IsTaken(uint64_t place) const { return (taken_[place / 64] >> (place % 64) & 1) != 0; }
  void Flip(uint64_t place) { taken_[place / 64] ^= uint64_t{1} << (place % 64); }

  std::span<const uint64_t> hashes_;
  HashShape shape_;
  uint64_t salt_;
  uint64_t bucket_count_;
  uint64_t place_count_;
  uint64_t tries_left_;
  std::vector<uint32_t> begins_;  // Of each bucket in mixed_, and the end.
  std::vector<uint64_t> mixed_;
  std::vector<uint32_t> pilots_;
  std::vector<uint64_t> taken_;  // A bit for each place.
};

}  // namespace

std::optional<BuiltHash> BuildPerfectHash(std::span<const uint64_t> hashes, const HashShape& shape,
                                          uint32_t seed_count) {
  CHECK(seed_count <= kSeedCount);
  if (hashes.size() > kKeyCountMax) return std::nullopt;
  for (uint32_t seed = 0; seed < seed_count; ++seed) {
    Search search(hashes, shape, seed);
    switch (search.Run()) {
      case Outcome::kDone:
        return BuiltHash{seed, search.Encoded()};
      case Outcome::kEqualHashes:
        return std::nullopt;
      case Outcome::kSpoiled:
        break;
    }
  }
  return std::nullopt;
}

}  // namespace kiban::pointindex
