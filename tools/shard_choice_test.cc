// Goal:   a shard is what its flag or its CI server says, each by its own convention.
// Method: ask with environments that are made up here.
#include "tools/shard_choice.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace kiban::tools {
namespace {

using Variables = std::map<std::string, std::string>;

absl::StatusOr<suites::Shard> Choose(const std::optional<std::string>& flag, Variables variables) {
  return ChooseShard(flag, [&variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

void ExpectShard(const Variables& variables, uint64_t index, uint64_t count,
                 const std::string& source) {
  const auto shard = Choose(std::nullopt, variables);
  ASSERT_TRUE(shard.ok()) << shard.status();
  EXPECT_EQ(shard->index, index);
  EXPECT_EQ(shard->count, count);
  EXPECT_EQ(shard->source, source);
}

TEST(ShardChoice, IsTheWholeUnlessAnyoneSaysOtherwise) {
  ExpectShard({}, 1, 1, "none");
  ExpectShard({{"CI_NODE_TOTAL", "8"}}, 1, 1, "none");
  ExpectShard({{"JOB_COMPLETION_INDEX", "3"}}, 1, 1, "none");
}

TEST(ShardChoice, HonoursEachConvention) {
  ExpectShard({{"JOB_COMPLETION_INDEX", "0"}, {"KIBAN_SHARDS", "4"}}, 1, 4, "JOB_COMPLETION_INDEX");
  ExpectShard({{"CI_NODE_INDEX", "3"}, {"CI_NODE_TOTAL", "8"}}, 3, 8, "CI_NODE_INDEX");
  ExpectShard({{"GTEST_SHARD_INDEX", "7"}, {"GTEST_TOTAL_SHARDS", "8"}}, 8, 8, "GTEST_SHARD_INDEX");
  Variables slurm = {{"SLURM_ARRAY_TASK_ID", "5"}, {"SLURM_ARRAY_TASK_COUNT", "6"}};
  ExpectShard(slurm, 6, 6, "SLURM_ARRAY_TASK_ID");
  slurm["SLURM_ARRAY_TASK_MIN"] = "5";
  ExpectShard(slurm, 1, 6, "SLURM_ARRAY_TASK_ID");
}

TEST(ShardChoice, TheFlagBeatsTheServer) {
  const Variables server = {{"CI_NODE_INDEX", "99"}, {"CI_NODE_TOTAL", "8"}};
  const auto shard = Choose("2/3", server);
  ASSERT_TRUE(shard.ok());
  EXPECT_EQ(shard->index, 2u);
  EXPECT_EQ(shard->count, 3u);
  EXPECT_EQ(shard->source, "--shard");
}

TEST(ShardChoice, AnIndexOutOfItsRangeIsRefused) {
  for (const char* const flag : {"0/3", "4/3", "3", "/3", "3/", "a/b", "-1/3", "1/0", ""}) {
    EXPECT_FALSE(Choose(flag, {}).ok()) << flag;
  }
  const Variables wrong[] = {
      {{"JOB_COMPLETION_INDEX", "4"}, {"KIBAN_SHARDS", "4"}},
      {{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "8"}},
      {{"CI_NODE_INDEX", "9"}, {"CI_NODE_TOTAL", "8"}},
      {{"CI_NODE_INDEX", "x"}, {"CI_NODE_TOTAL", "8"}},
      {{"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", "0"}},
      {{"SLURM_ARRAY_TASK_ID", "4"},
       {"SLURM_ARRAY_TASK_COUNT", "6"},
       {"SLURM_ARRAY_TASK_MIN", "5"}},
  };
  for (const Variables& variables : wrong) {
    EXPECT_FALSE(Choose(std::nullopt, variables).ok()) << variables.begin()->first;
  }
}

TEST(Shard, EverySeedIsInExactlyOne) {
  for (const uint64_t seeds : {1u, 7u, 8u, 9u, 100u}) {
    std::map<uint64_t, int> lived;
    for (uint64_t index = 1; index <= 8; ++index) {
      const suites::Shard shard{.index = index, .count = 8, .source = {}};
      for (uint64_t nth = 0; nth < shard.SeedsOf(seeds); ++nth) ++lived[shard.OffsetOf(nth)];
    }
    EXPECT_EQ(lived.size(), seeds);
    EXPECT_EQ(lived.rbegin()->first, seeds - 1);
    for (const auto& [offset, times] : lived) EXPECT_EQ(times, 1) << offset;
  }
}

}  // namespace
}  // namespace kiban::tools
