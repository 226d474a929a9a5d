// Goal:   the cache keeps its budget, finds what it holds, and evicts by second chance and by
//         nothing else.
// Method: small blocks whose first byte names them; a long deterministic mix of calls against a
//         model that knows what was inserted but not what was evicted.
#include "engine/cache/block_cache.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/base/hash.h"

namespace kiban::cache {
namespace {

Block Bytes(size_t count, char fill = 'x') {
  return std::make_shared<const std::string>(count, fill);
}

Block BlockOf(const absl::StatusOr<BlockCache::Found>& found) {
  return found.ok() ? found->block : nullptr;
}

// What the cache holds there: a load that fails leaves nothing behind.
Block Find(BlockCache& cache, uint64_t file_number, uint64_t offset) {
  const auto found = cache.FindOrLoad(file_number, offset, []() -> absl::StatusOr<Block> {
    return absl::NotFoundError("not in the cache");
  });
  EXPECT_EQ(found.ok(), found.ok() && found->was_cached);
  return BlockOf(found);
}

// Offers a block for a place where there is none.
void Insert(BlockCache& cache, uint64_t file_number, uint64_t offset, const Block& block) {
  bool loaded = false;
  const auto given = cache.FindOrLoad(file_number, offset, [&]() -> absl::StatusOr<Block> {
    loaded = true;
    return block;
  });
  EXPECT_TRUE(loaded);
  EXPECT_EQ(BlockOf(given), block);
  EXPECT_TRUE(given.ok() && !given->was_cached);
}

TEST(BlockCache, FindsWhatWasInserted) {
  const auto cache = BlockCache::Create(100);
  EXPECT_EQ(Find(*cache, 1, 0), nullptr);
  const Block block = Bytes(40);
  Insert(*cache, 1, 0, block);
  EXPECT_EQ(Find(*cache, 1, 0), block);
  EXPECT_EQ(Find(*cache, 1, 40), nullptr);
  EXPECT_EQ(Find(*cache, 2, 0), nullptr);
  EXPECT_EQ(cache->stats().hits, 1u);
  EXPECT_EQ(cache->stats().misses, 4u);  // The insertion among them.
  EXPECT_EQ(cache->stats().coalesced, 0u);
  EXPECT_EQ(cache->stats().used_bytes, 40u);
}

TEST(BlockCache, ABudgetOfZeroCachesNothing) {
  const auto cache = BlockCache::Create(0);
  Insert(*cache, 1, 0, Bytes(1));
  Insert(*cache, 1, 1, Bytes(0));
  EXPECT_EQ(Find(*cache, 1, 0), nullptr);
  EXPECT_EQ(Find(*cache, 1, 1), nullptr);
  EXPECT_EQ(cache->stats().used_bytes, 0u);
}

TEST(BlockCache, ABlockOverTheWholeBudgetEvictsNobody) {
  const auto cache = BlockCache::Create(100);
  Insert(*cache, 1, 0, Bytes(100));
  Insert(*cache, 1, 100, Bytes(101));
  EXPECT_NE(Find(*cache, 1, 0), nullptr);
  EXPECT_EQ(Find(*cache, 1, 100), nullptr);
  EXPECT_EQ(cache->stats().evictions, 0u);
}

TEST(BlockCache, EvictsTheOldestThatWasNotHit) {
  const auto cache = BlockCache::Create(3);
  for (uint64_t offset = 0; offset < 3; ++offset) Insert(*cache, 1, offset, Bytes(1));
  EXPECT_NE(Find(*cache, 1, 0), nullptr);  // Its second chance.
  Insert(*cache, 1, 3, Bytes(1));
  EXPECT_EQ(Find(*cache, 1, 1), nullptr);
  EXPECT_NE(Find(*cache, 1, 0), nullptr);
  EXPECT_NE(Find(*cache, 1, 2), nullptr);
  EXPECT_NE(Find(*cache, 1, 3), nullptr);
  EXPECT_EQ(cache->stats().evictions, 1u);
}

TEST(BlockCache, EvictsEvenIfEverybodyWasHit) {
  const auto cache = BlockCache::Create(2);
  Insert(*cache, 1, 0, Bytes(1));
  Insert(*cache, 1, 1, Bytes(1));
  EXPECT_NE(Find(*cache, 1, 0), nullptr);
  EXPECT_NE(Find(*cache, 1, 1), nullptr);
  Insert(*cache, 1, 2, Bytes(2));
  EXPECT_EQ(Find(*cache, 1, 0), nullptr);
  EXPECT_EQ(Find(*cache, 1, 1), nullptr);
  EXPECT_NE(Find(*cache, 1, 2), nullptr);
}

TEST(BlockCache, ForgetsOneFileOnly) {
  const auto cache = BlockCache::Create(100);
  for (uint64_t offset = 0; offset < 5; ++offset) {
    Insert(*cache, 7, offset, Bytes(3));
    Insert(*cache, 8, offset, Bytes(4));
  }
  cache->Forget(7);
  EXPECT_EQ(cache->stats().used_bytes, 20u);
  EXPECT_EQ(cache->stats().evictions, 0u);
  for (uint64_t offset = 0; offset < 5; ++offset) {
    EXPECT_EQ(Find(*cache, 7, offset), nullptr);
    EXPECT_NE(Find(*cache, 8, offset), nullptr);
  }
  Insert(*cache, 7, 0, Bytes(3));  // A number is free to be used again.
  EXPECT_NE(Find(*cache, 7, 0), nullptr);
}

// A walk over all that is cached would be two hundred thousand million steps, and run into the
// test's time limit.
TEST(BlockCache, ForgettingAFileCostsItsOwnBlocksOnly) {
  constexpr uint64_t kBlocks = 100'000;
  const auto cache = BlockCache::Create(kBlocks);
  const Block block = Bytes(1);
  for (uint64_t file = 0; file < kBlocks; ++file) Insert(*cache, file, 0, block);
  for (uint64_t file = kBlocks; file < 21 * kBlocks; ++file) cache->Forget(file);
  EXPECT_EQ(cache->stats().used_bytes, kBlocks);
}

TEST(BlockCache, ABlockInUseOutlivesItsEviction) {
  const auto cache = BlockCache::Create(10);
  Insert(*cache, 1, 0, Bytes(10, 'a'));
  const Block held = Find(*cache, 1, 0);
  Insert(*cache, 1, 1, Bytes(10, 'b'));
  EXPECT_EQ(Find(*cache, 1, 0), nullptr);
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
    const Block found = Find(*cache, place.first, place.second);
    seen += found != nullptr ? '1' : '0';
    if (found != nullptr) {
      EXPECT_EQ(found, inserted[place]);
    } else {
      inserted[place] = Bytes(1 + dice / 120 % 60);
      Insert(*cache, place.first, place.second, inserted[place]);
    }
    EXPECT_LE(cache->stats().used_bytes, kBudget);
  }
  EXPECT_GT(cache->stats().hits, calls / 20);
  EXPECT_GT(cache->stats().evictions, calls / 20);
  return seen;
}

TEST(BlockCache, AFailedLoadIsToldAndNotKept) {
  const auto cache = BlockCache::Create(100);
  const absl::Status failed =
      cache->FindOrLoad(1, 0, []() -> absl::StatusOr<Block> { return absl::DataLossError("rot"); })
          .status();
  EXPECT_EQ(failed, absl::DataLossError("rot"));
  EXPECT_EQ(cache->stats().used_bytes, 0u);
  Insert(*cache, 1, 0, Bytes(1));
  EXPECT_NE(Find(*cache, 1, 0), nullptr);
}

TEST(BlockCache, WhatIsForgottenWhileItIsLoadedIsNotAdmitted) {
  const auto cache = BlockCache::Create(100);
  const Block late = Bytes(1, 'a');
  const auto given = cache->FindOrLoad(7, 0, [&]() -> absl::StatusOr<Block> {
    cache->Forget(7);
    Insert(*cache, 7, 0, Bytes(2, 'b'));  // A new file of that number.
    return late;
  });
  EXPECT_EQ(BlockOf(given), late);
  EXPECT_EQ(*Find(*cache, 7, 0), "bb");
  EXPECT_EQ(cache->stats().used_bytes, 2u);
}

TEST(BlockCache, KeepsItsBudgetAndRepeatsItself) { EXPECT_EQ(LongMix(20'000), LongMix(20'000)); }

}  // namespace
}  // namespace kiban::cache
