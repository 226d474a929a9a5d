// Goal:   the cache keeps its budget, finds what it holds, and evicts by second chance and by
// nothing else. Method: small blocks whose first byte names them; a long deterministic mix of calls
// against a model that
//         knows what was inserted but not what was evicted.
#include "engine/cache/block_cache.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/base/hash.h"

namespace kiban::cache {
namespace {

Block Bytes(size_t count, char fill = 'x') {
  return std::make_shared<const std::string>(count, fill);
}

TEST(BlockCache, FindsWhatWasInserted) {
  const auto cache = BlockCache::Create(100);
  EXPECT_EQ(cache->Find(1, 0), nullptr);
  const Block block = Bytes(40);
  cache->Insert(1, 0, block);
  EXPECT_EQ(cache->Find(1, 0), block);
  EXPECT_EQ(cache->Find(1, 40), nullptr);
  EXPECT_EQ(cache->Find(2, 0), nullptr);
  EXPECT_EQ(cache->stats().hits, 1u);
  EXPECT_EQ(cache->stats().misses, 3u);
  EXPECT_EQ(cache->stats().used_bytes, 40u);
}

TEST(BlockCache, ABudgetOfZeroCachesNothing) {
  const auto cache = BlockCache::Create(0);
  cache->Insert(1, 0, Bytes(1));
  cache->Insert(1, 1, Bytes(0));
  EXPECT_EQ(cache->Find(1, 0), nullptr);
  EXPECT_EQ(cache->Find(1, 1), nullptr);
  EXPECT_EQ(cache->stats().used_bytes, 0u);
}

TEST(BlockCache, ABlockOverTheWholeBudgetEvictsNobody) {
  const auto cache = BlockCache::Create(100);
  cache->Insert(1, 0, Bytes(100));
  cache->Insert(1, 100, Bytes(101));
  EXPECT_NE(cache->Find(1, 0), nullptr);
  EXPECT_EQ(cache->Find(1, 100), nullptr);
  EXPECT_EQ(cache->stats().evictions, 0u);
}

TEST(BlockCache, EvictsTheOldestThatWasNotHit) {
  const auto cache = BlockCache::Create(3);
  for (uint64_t offset = 0; offset < 3; ++offset) cache->Insert(1, offset, Bytes(1));
  EXPECT_NE(cache->Find(1, 0), nullptr);  // Its second chance.
  cache->Insert(1, 3, Bytes(1));
  EXPECT_EQ(cache->Find(1, 1), nullptr);
  EXPECT_NE(cache->Find(1, 0), nullptr);
  EXPECT_NE(cache->Find(1, 2), nullptr);
  EXPECT_NE(cache->Find(1, 3), nullptr);
  EXPECT_EQ(cache->stats().evictions, 1u);
}

TEST(BlockCache, EvictsEvenIfEverybodyWasHit) {
  const auto cache = BlockCache::Create(2);
  cache->Insert(1, 0, Bytes(1));
  cache->Insert(1, 1, Bytes(1));
  EXPECT_NE(cache->Find(1, 0), nullptr);
  EXPECT_NE(cache->Find(1, 1), nullptr);
  cache->Insert(1, 2, Bytes(2));
  EXPECT_EQ(cache->Find(1, 0), nullptr);
  EXPECT_EQ(cache->Find(1, 1), nullptr);
  EXPECT_NE(cache->Find(1, 2), nullptr);
}

TEST(BlockCache, ForgetsOneFileOnly) {
  const auto cache = BlockCache::Create(100);
  for (uint64_t offset = 0; offset < 5; ++offset) {
    cache->Insert(7, offset, Bytes(3));
    cache->Insert(8, offset, Bytes(4));
  }
  cache->Forget(7);
  EXPECT_EQ(cache->stats().used_bytes, 20u);
  EXPECT_EQ(cache->stats().evictions, 0u);
  for (uint64_t offset = 0; offset < 5; ++offset) {
    EXPECT_EQ(cache->Find(7, offset), nullptr);
    EXPECT_NE(cache->Find(8, offset), nullptr);
  }
  cache->Insert(7, 0, Bytes(3));  // A number is free to be used again.
  EXPECT_NE(cache->Find(7, 0), nullptr);
}

TEST(BlockCache, ABlockInUseOutlivesItsEviction) {
  const auto cache = BlockCache::Create(10);
  cache->Insert(1, 0, Bytes(10, 'a'));
  const Block held = cache->Find(1, 0);
  cache->Insert(1, 1, Bytes(10, 'b'));
  EXPECT_EQ(cache->Find(1, 0), nullptr);
  EXPECT_EQ(*held, std::string(10, 'a'));
}

// Makes `calls` pseudo-random calls and answers with what was seen, as text.
std::string LongMix(uint64_t calls) {
  constexpr uint64_t kBudget = 400;
  const auto cache = BlockCache::Create(kBudget);
  std::map<std::pair<uint64_t, uint64_t>, Block> inserted;
  std::string seen;
  for (uint64_t call = 0; call < calls; ++call) {
    const uint64_t dice = base::Mix64(call);
    const std::pair place(dice % 3, dice / 3 % 40);
    if (dice % 97 == 0) {
      cache->Forget(place.first);
      std::erase_if(inserted, [&](const auto& item) { return item.first.first == place.first; });
      continue;
    }
    const Block found = cache->Find(place.first, place.second);
    seen += found != nullptr ? '1' : '0';
    if (found != nullptr) {
      EXPECT_EQ(found, inserted[place]);
    } else {
      inserted[place] = Bytes(1 + dice / 120 % 60);
      cache->Insert(place.first, place.second, inserted[place]);
    }
    EXPECT_LE(cache->stats().used_bytes, kBudget);
  }
  EXPECT_GT(cache->stats().hits, calls / 20);
  EXPECT_GT(cache->stats().evictions, calls / 20);
  return seen;
}

TEST(BlockCache, KeepsItsBudgetAndRepeatsItself) { EXPECT_EQ(LongMix(20'000), LongMix(20'000)); }

}  // namespace
}  // namespace kiban::cache
