// Which shard of a sweep this call is: by its flag, or as a CI server says it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "suites/support/shard.h"

namespace kiban::tools {

// A variable of the environment; nothing if it is not set, or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> HostEnvironment(const std::string& name);

// `flag` is "I/N". Without it, the first pair of these variables that is set:
//   JOB_COMPLETION_INDEX of KIBAN_SHARDS          from 0 (Kubernetes does not tell the number)
//   CI_NODE_INDEX of CI_NODE_TOTAL                from 1
//   SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT from SLURM_ARRAY_TASK_MIN
//   GTEST_SHARD_INDEX of GTEST_TOTAL_SHARDS       from 0
// An index out of its range is an error: seeds would silently be left out.
absl::StatusOr<suites::Shard> ChooseShard(const std::optional<std::string>& flag,
                                          const Environment& environment);

}  // namespace kiban::tools
