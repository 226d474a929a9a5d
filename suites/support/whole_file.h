// Files read and written whole, or not at all: results, cases, reports.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiban::suites {

absl::StatusOr<std::string> ReadWhole(const std::string& path);

// Writes beside `path`, then renames: a reader finds the old file or the new one.
absl::Status WriteWhole(const std::string& path, std::string_view text);

// Every missing directory on the way, too.
absl::Status MakeDirectories(const std::string& path);

}  // namespace kiban::suites
