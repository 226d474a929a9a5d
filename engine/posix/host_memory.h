// How much memory this process may use, as Linux tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiban::posix {

struct HostMemory {
  std::optional<uint64_t> physical_bytes;  // Nothing if /proc does not say.
  // memory.max of the process's control group and all groups around it, as far as they can be seen,
  // innermost first, without those that say "max". Nothing stands for a group that does not answer,
  // and one nothing alone for a host whose memory is not controlled by version 2 of control groups.
  std::vector<std::optional<uint64_t>> limits_bytes;
};

// The files of /proc and /sys are looked for below `root`.
HostMemory ReadHostMemory(const std::string& root = "");

}  // namespace kiban::posix
