// Goal:   a perfect hash gives n keys n slots, is the same every time, and ends with "none" when it
//         has to.
// Method: sets that are empty, tiny, random, regular, large, and such that were computed to fall
//         into one bucket; every slot is counted.
#include "engine/pointindex/mphf.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/pointindex/format.h"

namespace kiban::pointindex {
namespace {

constexpr HashShape kShapes[] = {kPh2Hash, kPh3Hash};

// Whether every slot is taken exactly once.
bool IsBijection(const std::vector<uint64_t>& hashes, const HashShape& shape,
                 const BuiltHash& built) {
  EXPECT_EQ(built.bytes.size(), shape.encoded_bytes(hashes.size()));
  const PerfectHash slot_of(shape, hashes.size(), built.seed, built.bytes.data());
  EXPECT_TRUE(slot_of.SparesAreSlots());
  std::vector<bool> is_taken(hashes.size());
  for (const uint64_t hash : hashes) {
    const uint64_t slot = slot_of.SlotOf(hash);
    if (slot >= hashes.size() || is_taken[slot]) return false;
    is_taken[slot] = true;
  }
  return true;
}

std::vector<uint64_t> RandomHashes(uint64_t count, uint64_t seed) {
  std::vector<uint64_t> hashes;
  for (uint64_t i = 0; i < count; ++i) hashes.push_back(base::Mix64(seed * 0x9e3779b97f4a7c15 + i));
  return hashes;
}

// The hash that Mixed() turns into `mixed`.
uint64_t Unmixed(uint64_t mixed, uint64_t salt) {
  const auto undo_shift = [](uint64_t x, int by) {
    uint64_t y = x;
    for (int i = 0; i < 64 / by; ++i) y = x ^ (y >> by);
    return y;
  };
  uint64_t x = undo_shift(mixed, 31) * 0x319642b2d24d8ec3;  // Inverses of Mix64's factors.
  x = undo_shift(x, 27) * 0x96de1b173f119089;
  return undo_shift(x, 30) - salt;
}

TEST(PerfectHash, EverySmallSetIsABijection) {
  for (const HashShape& shape : kShapes) {
    for (uint64_t count = 0; count <= 130; ++count) {
      for (uint64_t seed = 0; seed < 8; ++seed) {
        const std::vector<uint64_t> hashes = RandomHashes(count, seed);
        const auto built = BuildPerfectHash(hashes, shape);
        ASSERT_TRUE(built.has_value()) << count;
        ASSERT_TRUE(IsBijection(hashes, shape, *built)) << count << " keys, set " << seed;
      }
    }
  }
}

TEST(PerfectHash, ALargeSetIsABijection) {
  for (const HashShape& shape : kShapes) {
    const std::vector<uint64_t> hashes = RandomHashes(200000, 1);
    const auto built = BuildPerfectHash(hashes, shape);
    ASSERT_TRUE(built.has_value());
    EXPECT_EQ(built->seed, 0u);
    EXPECT_TRUE(IsBijection(hashes, shape, *built));
  }
}

TEST(PerfectHash, HashesThatDifferLittleAreNoTrouble) {
  for (const HashShape& shape : kShapes) {
    for (const int shift : {0, 20, 50}) {
      std::vector<uint64_t> hashes;
      for (uint64_t i = 0; i < 10000; ++i) hashes.push_back(i << shift);
      const auto built = BuildPerfectHash(hashes, shape);
      ASSERT_TRUE(built.has_value()) << shift;
      EXPECT_TRUE(IsBijection(hashes, shape, *built)) << shift;
    }
  }
}

TEST(PerfectHash, ASetThatSpoilsOneSeedGetsAnother) {
  const uint64_t salt = PerfectHash::Salt(0);
  ASSERT_EQ(PerfectHash::Mixed(Unmixed(12345, salt), salt), 12345u);
  for (const HashShape& shape : kShapes) {
    std::vector<uint64_t> hashes = RandomHashes(1000, 2);
    for (uint64_t i = 0; i <= kBucketKeysMax; ++i) hashes.push_back(Unmixed(i, salt));
    const auto built = BuildPerfectHash(hashes, shape);
    ASSERT_TRUE(built.has_value());
    EXPECT_GT(built->seed, 0u) << "all of bucket 0 fitted, so nothing was spoiled";
    EXPECT_TRUE(IsBijection(hashes, shape, *built));
  }
}

// Full buckets and not one place to spare: no pilot suits the last of them.
TEST(PerfectHash, TheSearchForAPilotEnds) {
  const HashShape impossible = {.keys_per_bucket = 16, .keys_per_spare = 0, .pilot_bytes = 2};
  EXPECT_FALSE(BuildPerfectHash(RandomHashes(400, 3), impossible).has_value());
  const HashShape endless = {.keys_per_bucket = 16, .keys_per_spare = 0, .pilot_bytes = 4};
  EXPECT_FALSE(BuildPerfectHash(RandomHashes(400, 3), endless).has_value());
}

TEST(PerfectHash, EqualHashesGetNone) {
  for (const HashShape& shape : kShapes) {
    std::vector<uint64_t> hashes = RandomHashes(5000, 4);
    ASSERT_TRUE(BuildPerfectHash(hashes, shape).has_value());
    hashes.back() = hashes[17];
    EXPECT_FALSE(BuildPerfectHash(hashes, shape).has_value());
    hashes.assign(1000, 42);  // All of them, far more than a bucket takes.
    EXPECT_FALSE(BuildPerfectHash(hashes, shape).has_value());
    hashes.assign(2, 42);
    EXPECT_FALSE(BuildPerfectHash(hashes, shape).has_value());
  }
}

TEST(PerfectHash, TheSameHashesGiveTheSameBytes) {
  const std::vector<uint64_t> hashes = RandomHashes(3000, 5);
  for (const HashShape& shape : kShapes) {
    const auto first = BuildPerfectHash(hashes, shape);
    const auto second = BuildPerfectHash(hashes, shape);
    ASSERT_TRUE(first.has_value() && second.has_value());
    EXPECT_EQ(first->bytes, second->bytes);
  }
}

TEST(PerfectHash, AnyHashGetsASlot) {
  for (const HashShape& shape : kShapes) {
    const std::vector<uint64_t> hashes = RandomHashes(100, 6);
    const auto built = BuildPerfectHash(hashes, shape);
    ASSERT_TRUE(built.has_value());
    const PerfectHash slot_of(shape, hashes.size(), built->seed, built->bytes.data());
    for (const uint64_t other : RandomHashes(10000, 7)) {
      ASSERT_LT(slot_of.SlotOf(other), hashes.size());
    }
    EXPECT_LT(slot_of.SlotOf(0), hashes.size());
    EXPECT_LT(slot_of.SlotOf(UINT64_MAX), hashes.size());
  }
}

}  // namespace
}  // namespace kiban::pointindex
