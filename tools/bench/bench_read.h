// What a point index is worth where keys are read.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/json.h"

namespace kiban::tools {

struct ReadBench {
  std::vector<suites::BenchRow> rows;
  std::vector<std::string> missed;  // What is owed and was not reached, in words.
};

// On real files in a temporary directory below `parent`; empty: where such directories are made.
absl::StatusOr<ReadBench> BenchRead(const std::string& parent);

}  // namespace kiban::tools
