// What group commit is worth: synced writes a second of sixteen writers against those of one.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/json.h"

namespace kiban::tools {

// So many times as much is owed, as the median of all rounds.
inline constexpr double kGroupCommitOwed = 5;

struct WriteBench {
  std::vector<suites::BenchRow> rows;
  std::vector<std::string> missed;  // What is owed and was not reached, in words.
};

// On real files in a temporary directory below `parent`; empty: where such directories are made.
absl::StatusOr<WriteBench> BenchWrite(const std::string& parent);

}  // namespace kiban::tools
