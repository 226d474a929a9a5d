#include "engine/pointindex/mphf.h"

#include <algorithm>
#include <array>
#include <bit>
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
    const std::vector<uint32_t> sizes = BucketSizes();
    const std::optional<std::vector<uint32_t>> order = LargestFirst(sizes);
    if (!order.has_value()) return Outcome::kSpoiled;
    const std::vector<uint64_t> mixed = Distributed(sizes, *order);
    pilots_.assign(bucket_count_, 0);
    taken_.assign(place_count_ / 64 + 1, 0);
    std::span<const uint64_t> left = mixed;
    for (const uint32_t bucket : *order) {
      const Outcome found = FindPilot(left.first(sizes[bucket]), pilots_[bucket]);
      if (found != Outcome::kDone) return found;
      left = left.subspan(sizes[bucket]);
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
  std::vector<uint32_t> BucketSizes() const {
    std::vector<uint32_t> sizes(bucket_count_, 0);
    for (const uint64_t hash : hashes_) {
      ++sizes[PerfectHash::BucketOf(PerfectHash::Mixed(hash, salt_), bucket_count_)];
    }
    return sizes;
  }

  // Among buckets of one size, the first stays first. Empty ones are left out. None if one is too
  // large.
  static std::optional<std::vector<uint32_t>> LargestFirst(std::span<const uint32_t> sizes) {
    std::array<uint32_t, kBucketKeysMax + 2> begins{};  // By kBucketKeysMax - size.
    for (const uint32_t size : sizes) {
      if (size > kBucketKeysMax) return std::nullopt;
      ++begins[kBucketKeysMax - size + 1];
    }
    for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
    std::vector<uint32_t> order(begins[kBucketKeysMax]);
    for (uint32_t bucket = 0; bucket < sizes.size(); ++bucket) {
      const uint32_t size = sizes[bucket];
      if (size > 0) order[begins[kBucketKeysMax - size]++] = bucket;
    }
    return order;
  }

  // The mixed hashes, those of a bucket side by side, buckets as in `order`: sum up, put in place.
  std::vector<uint64_t> Distributed(std::span<const uint32_t> sizes,
                                    std::span<const uint32_t> order) const {
    std::vector<uint32_t> next(bucket_count_);
    uint32_t begin = 0;
    for (const uint32_t bucket : order) {
      next[bucket] = begin;
      begin += sizes[bucket];
    }
    std::vector<uint64_t> mixed(hashes_.size());
    for (const uint64_t hash : hashes_) {
      const uint64_t of_hash = PerfectHash::Mixed(hash, salt_);
      mixed[next[PerfectHash::BucketOf(of_hash, bucket_count_)]++] = of_hash;
    }
    return mixed;
  }

  // The keys are those of one bucket.
  Outcome FindPilot(std::span<const uint64_t> keys, uint32_t& found) {
    const uint64_t pilot_end = std::min(uint64_t{1} << (8 * shape_.pilot_bytes), tries_left_);
    for (uint64_t first = 0; first < pilot_end; first += kPilotsAtOnce) {
      for (uint32_t hopes = Hopes(keys, first); hopes != 0; hopes &= hopes - 1) {
        const uint64_t pilot = first + static_cast<uint64_t>(std::countr_zero(hopes));
        if (pilot >= pilot_end) return Outcome::kSpoiled;
        if (TakePlaces(keys, static_cast<uint32_t>(pilot))) {
          found = static_cast<uint32_t>(pilot);
          tries_left_ -= pilot + 1;
          return Outcome::kDone;
        }
        if (AnyTwoAreEqual(keys)) return Outcome::kEqualHashes;
      }
    }
    return Outcome::kSpoiled;
  }

  // Mixing loses nothing, so equal hashes are equal here. They share a bucket, and a place: there
  // is no need to look before two have wanted the same one.
  static bool AnyTwoAreEqual(std::span<const uint64_t> keys) {
    for (size_t i = 1; i < keys.size(); ++i) {
      const std::span<const uint64_t> before = keys.first(i);
      if (std::find(before.begin(), before.end(), keys[i]) != before.end()) return true;
    }
    return false;
  }

  // A bit for each of the pilots from `first` on that sends no key to a place that is taken. Most
  // fail, and at which key is chance: looking at all of them costs less than guessing wrong.
  uint32_t Hopes(std::span<const uint64_t> keys, uint64_t first) const {
    static_assert(kPilotsAtOnce == 4);
    const auto pilot = static_cast<uint32_t>(first);
    uint32_t hopeless = 0;
    for (const uint64_t key : keys) {
      hopeless |= IsHopeless(key, pilot) | IsHopeless(key, pilot + 1) << 1 |
                  IsHopeless(key, pilot + 2) << 2 | IsHopeless(key, pilot + 3) << 3;
    }
    return ~hopeless & ((1u << kPilotsAtOnce) - 1);
  }
  uint32_t IsHopeless(uint64_t key, uint32_t pilot) const {
    return IsTaken(PerfectHash::PlaceOf(key, pilot, place_count_)) ? 1 : 0;
  }

  // Takes a place for every key or, if two want the same, none at all. All are free.
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

  bool IsTaken(uint64_t place) const { return (taken_[place / 64] >> (place % 64) & 1) != 0; }
  void Flip(uint64_t place) { taken_[place / 64] ^= uint64_t{1} << (place % 64); }

  static constexpr uint32_t kPilotsAtOnce = 4;

  std::span<const uint64_t> hashes_;
  HashShape shape_;
  uint64_t salt_;
  uint64_t bucket_count_;
  uint64_t place_count_;
  uint64_t tries_left_;
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
