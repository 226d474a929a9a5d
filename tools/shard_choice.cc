#include "tools/shard_choice.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "tools/seed_range.h"

namespace kiban::tools {
namespace {

using suites::Shard;

struct Convention {
  const char* index;
  const char* count;
  uint64_t first;       // What the first shard's index is ...
  const char* minimum;  // ... unless this variable says it.
};
constexpr Convention kConventions[] = {
    {"JOB_COMPLETION_INDEX", "KIBAN_SHARDS", 0, nullptr},
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", 1, nullptr},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0, "SLURM_ARRAY_TASK_MIN"},
    {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", 0, nullptr},
};

absl::StatusOr<Shard> ShardOfFlag(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto index = ParseNumber("--shard", text.substr(0, slash));
    const auto count = ParseNumber("--shard", text.substr(slash + 1));
    if (index.ok() && count.ok() && *index >= 1 && *index <= *count) {
      return Shard{.index = *index, .count = *count, .source = "--shard"};
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--shard ", text, ": expected I/N with I from 1 to N, e.g. 3/8 for the third of eight"));
}

absl::StatusOr<Shard> ShardOfServer(const Convention& convention, const std::string& index_text,
                                    const std::string& count_text, const Environment& environment) {
  ASSIGN_OR_RETURN(const uint64_t index, ParseNumber(convention.index, index_text));
  ASSIGN_OR_RETURN(const uint64_t count, ParseNumber(convention.count, count_text));
  uint64_t first = convention.first;
  if (convention.minimum != nullptr) {
    if (const auto text = environment(convention.minimum)) {
      ASSIGN_OR_RETURN(first, ParseNumber(convention.minimum, *text));
    }
  }
  if (index < first || index - first >= count) {
    return absl::InvalidArgumentError(
        absl::StrCat(convention.index, " ", index, ": expected one of ", count, " from ", first,
                     " on (", convention.count, "); --shard I/N overrides it"));
  }
  return Shard{.index = index - first + 1, .count = count, .source = convention.index};
}

}  // namespace

std::optional<std::string> HostEnvironment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

absl::StatusOr<Shard> ChooseShard(const std::optional<std::string>& flag,
                                  const Environment& environment) {
  if (flag) return ShardOfFlag(*flag);
  for (const Convention& convention : kConventions) {
    const auto index = environment(convention.index);
    const auto count = environment(convention.count);
    if (index && count) return ShardOfServer(convention, *index, *count, environment);
  }
  return Shard{};
}

}  // namespace kiban::tools
