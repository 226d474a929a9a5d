// Goal:   tasks that miss a block at the same time cost one load, whatever comes of it; and many
//         tasks may use the cache in any mixture.
// Method: real threads. The one load ends only when all others are known to wait for it.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/wait_counter_for_test.h"
#include "engine/cache/block_cache.h"
#include "engine/posix/posix_env.h"

namespace kiban::cache {
namespace {

using engine::Tasks;

Block BlockOf(const absl::StatusOr<BlockCache::Found>& found) {
  return found.ok() ? found->block : nullptr;
}

class SingleFlight : public testing::Test {
 protected:
  static constexpr uint32_t kTasks = 8;

  // Runs `body(0)` to `body(kTasks - 1)`, each in a task of its own, to the end.
  void RunTasks(const std::function<void(uint32_t)>& body) {
    std::vector<Tasks::Id> ids;
    for (uint32_t i = 0; i < kTasks; ++i) {
      ids.push_back(tasks_->Spawn("reader", [&body, i] { body(i); }));
    }
    for (const Tasks::Id id : ids) tasks_->Join(id);
  }

  // All tasks ask for one block that is not there. What they are given; counts the loads.
  std::vector<absl::StatusOr<BlockCache::Found>> Stampede(BlockCache& cache,
                                                          const absl::StatusOr<Block>& loaded) {
    base::WaitCounter waits(tasks_);
    std::vector<absl::StatusOr<BlockCache::Found>> given(kTasks);
    RunTasks([&](uint32_t task) {
      given[task] = cache.FindOrLoad(1, 0, [&] {
        ++loads_;  // A race, and ThreadSanitizer's business, if there were two.
        waits.Await(kTasks - 1);
        return loaded;
      });
    });
    return given;
  }

  posix::PosixEnv env_{""};
  Tasks* const tasks_ = env_.env().tasks;
  uint32_t loads_ = 0;
};

TEST_F(SingleFlight, AStampedeIsOneLoad) {
  const auto cache = BlockCache::Create(100, tasks_);
  const Block block = std::make_shared<const std::string>("abc");
  for (const auto& given : Stampede(*cache, block)) EXPECT_EQ(BlockOf(given), block);
  EXPECT_EQ(loads_, 1u);
  EXPECT_EQ(cache->stats().misses, kTasks);
  EXPECT_EQ(cache->stats().coalesced, kTasks - 1);
  EXPECT_EQ(cache->stats().used_bytes, 3u);
}

TEST_F(SingleFlight, AnErrorGoesToAllWhoWaitedAndIsNotKept) {
  const auto cache = BlockCache::Create(100, tasks_);
  const absl::Status rot = absl::DataLossError("rot");
  for (const auto& given : Stampede(*cache, rot)) EXPECT_EQ(given.status(), rot);
  EXPECT_EQ(loads_, 1u);
  EXPECT_EQ(cache->stats().used_bytes, 0u);
  const Block block = std::make_shared<const std::string>("abc");
  const auto again = cache->FindOrLoad(1, 0, [&]() -> absl::StatusOr<Block> { return block; });
  EXPECT_EQ(BlockOf(again), block);
}

TEST_F(SingleFlight, ABlockOverTheBudgetIsSharedButNotAdmitted) {
  const auto cache = BlockCache::Create(2, tasks_);
  const Block block = std::make_shared<const std::string>("abc");
  for (const auto& given : Stampede(*cache, block)) EXPECT_EQ(BlockOf(given), block);
  EXPECT_EQ(loads_, 1u);
  EXPECT_EQ(cache->stats().used_bytes, 0u);
}

TEST_F(SingleFlight, WithoutABudgetEveryoneLoadsForItself) {
  const auto cache = BlockCache::Create(0, tasks_);
  std::vector<uint32_t> loads(kTasks, 0);
  RunTasks([&](uint32_t task) {
    const auto given = cache->FindOrLoad(1, 0, [&]() -> absl::StatusOr<Block> {
      ++loads[task];
      return std::make_shared<const std::string>("abc");
    });
    EXPECT_TRUE(given.ok());
  });
  EXPECT_EQ(loads, std::vector<uint32_t>(kTasks, 1));
  EXPECT_EQ(cache->stats().misses, kTasks);
  EXPECT_EQ(cache->stats().coalesced, 0u);
}

TEST_F(SingleFlight, LoadsOfOtherBlocksDoNotWait) {
  const auto cache = BlockCache::Create(100, tasks_);
  base::WaitCounter waits(tasks_);
  RunTasks([&](uint32_t task) {
    const auto given = cache->FindOrLoad(1, task, [&]() -> absl::StatusOr<Block> {
      waits.CountOne();
      waits.Await(kTasks);  // Hangs unless all of them are loading at once.
      return std::make_shared<const std::string>("abc");
    });
    EXPECT_TRUE(given.ok());
  });
  EXPECT_EQ(cache->stats().coalesced, 0u);
}

// Few places and a small budget, so that hits, loads, evictions and Forget() meet all the time.
TEST_F(SingleFlight, AnyMixtureGivesTheRightBlocks) {
  constexpr uint64_t kBudget = 200;
  constexpr uint64_t kCalls = 5'000;
  const auto cache = BlockCache::Create(kBudget, tasks_);
  const auto text_of = [](uint64_t file, uint64_t offset) {
    return std::string(5 + offset, static_cast<char>('a' + file));
  };
  std::vector<uint64_t> wrong(kTasks, 0);
  RunTasks([&](uint32_t task) {
    for (uint64_t call = 0; call < kCalls; ++call) {
      const uint64_t dice = base::Mix64(call * kTasks + task);
      const uint64_t file = dice % 3;
      const uint64_t offset = dice / 3 % 20;
      if (dice % 101 == 0) {
        cache->Forget(file);
        continue;
      }
      const bool fails = dice % 31 == 0;
      const auto given = cache->FindOrLoad(file, offset, [&]() -> absl::StatusOr<Block> {
        if (fails) return absl::UnavailableError("device");
        if (dice % 7 == 0) tasks_->Yield();
        return std::make_shared<const std::string>(text_of(file, offset));
      });
      if (given.ok() && *given->block != text_of(file, offset)) ++wrong[task];
      if (cache->stats().used_bytes > kBudget) ++wrong[task];
    }
  });
  EXPECT_EQ(wrong, std::vector<uint64_t>(kTasks, 0));
  EXPECT_GT(cache->stats().hits, 0u);
  EXPECT_GT(cache->stats().evictions, 0u);
}

}  // namespace
}  // namespace kiban::cache
