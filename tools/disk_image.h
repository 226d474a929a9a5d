// A simulated disk as files of the host, to be looked at with the host's tools.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "sim/disk/disk.h"

namespace kiban::tools {

// Makes `path` and what leads to it; an error if there is anything in it, or if it is no directory.
absl::Status MakeEmptyDirectory(const std::string& path);

// All files and directories of `disk`, as calls see them, below `path`, which is made.
absl::Status WriteImage(const sim::Disk& disk, const std::string& path);

}  // namespace kiban::tools
