// Files read and written whole, or not at all: results, cases, reports.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiban::suites {

// A pipe or a device may never end: an error.
absl::StatusOr<std::string> ReadWhole(const std::string& path);

// Writes beside `path`, then renames: a reader finds the old file or the new one. What `path` links
// to is replaced, not the link; into what is no file (a pipe, /dev/null) it is written directly.
absl::Status WriteWhole(const std::string& path, std::string_view text);

// Whether WriteWhole() could do its work here now. Leaves everything as it is.
absl::Status TryWriting(const std::string& path);
// The same of files in a directory; missing ones above it are made.
absl::Status TryWritingIn(const std::string& directory);

// Every missing directory on the way, too.
absl::Status MakeDirectories(const std::string& path);

}  // namespace kiban::suites
