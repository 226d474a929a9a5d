// What group commit is worth: synced writes a second of sixteen writers against those of one.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/json.h"

namespace kiban::tools {

// On real files in a temporary directory below `parent`; empty: where such directories are made.
absl::StatusOr<std::vector<suites::BenchRow>> BenchWrite(const std::string& parent);

}  // namespace kiban::tools
