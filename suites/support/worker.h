// A worker: takes chunks of seeds until there are none, lives them, and reports sums.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "suites/support/shared_slot.h"
#include "suites/support/sweep_request.h"

namespace kiban::suites {

// Small enough that a dead worker loses little, large enough that reports cost little.
inline constexpr uint64_t kChunkSeeds = 8;

// The seeds of one chunk that are still to be lived.
struct Job {
  uint64_t chunk = 0;
  uint64_t from = 0;
  uint64_t last = 0;
  uint64_t step = 1;           // From one to the next.
  std::vector<uint64_t> dead;  // Killed their worker; not again.
};

uint64_t ChunkCount(const SweepRequest& request);
// All of chunk `chunk`.
Job WholeChunk(const SweepRequest& request, uint64_t chunk);

// The body of a worker's process. A life that leaves no sound process behind ends it; what it has
// lived until then is reported. So it is when the board says that the sweep ends early.
int Work(const SweepRequest& request, SharedBoard& board, size_t worker,
         const std::optional<Job>& first_job, int report_fd);

}  // namespace kiban::suites
