// What a point index costs where tables are made: flushes, a compaction, bytes on disk and in
// memory.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/json.h"

namespace kiban::tools {

struct MaintenanceBench {
  std::vector<suites::BenchRow> rows;
  std::vector<std::string> missed;  // What is owed and was not reached, in words.
};

// On real files in a temporary directory below `parent`; empty: where such directories are made.
absl::StatusOr<MaintenanceBench> BenchMaintenance(const std::string& parent);

}  // namespace kiban::tools
