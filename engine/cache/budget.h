// How many bytes a database's block cache may hold: what the user says, or else a share of what the
// host says it has. Pure arithmetic; engine/posix/host_memory.h reads the numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kiban::cache {

inline constexpr uint64_t kDefaultBudgetBytesMin = 32u << 20;
inline constexpr uint64_t kDefaultBudgetBytesMax = 512u << 20;
inline constexpr uint64_t kMemoryPerBudget = 64;  // One byte in so many.

struct MemoryBounds {
  std::optional<uint64_t> physical_bytes;  // Nothing if it is not known.
  // The limits of the process's control groups. Those known to have none are left out; nothing
  // stands for one that may have a limit which is not known.
  std::vector<std::optional<uint64_t>> limits_bytes;
};

// `chosen_bytes` as it is, 0 included. Without it the smallest of all bounds divided by
// kMemoryPerBudget, clamped; the minimum if any bound is not known, because caching too little is
// slow and caching too much is killed.
uint64_t BudgetBytes(std::optional<uint64_t> chosen_bytes, const MemoryBounds& bounds);

}  // namespace kiban::cache
