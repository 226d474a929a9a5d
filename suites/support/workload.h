// Draws the operations of one life. Swarm (Groce et al., 2012): each life first draws which kinds
// of operation exist in it at all. Arguments are biased to collisions and boundaries: few keys,
// shared prefixes, empty, 0x00 and 0xFF, sizes around block, page, record and restart borders; huge
// keys and values in one life of twenty.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/operation.h"

namespace kiban::suites {

struct WorkloadShape {
  uint32_t operations_min = 200;
  uint32_t operations_max = 260;
  uint32_t clients = 0;      // As Plan::clients. Snapshots are used by the client that took them.
  bool cursors = false;      // Cursor mixes (the model suite).
  uint32_t reopens_max = 3;  // Clean reopens with other options.
};

// For people to read.
inline constexpr WorkloadShape kShortLife = {
    .operations_min = 40, .operations_max = 60, .reopens_max = 2};

// Small buffers and budgets, so that every life flushes, compacts and publishes manifests; every
// format as often.
EngineOptions DrawOptions(const Engine& engine, const sim::Rng& rng);

// Always ends with enough puts, flushes and a compaction that no life is without them.
std::vector<Operation> DrawWorkload(const Engine& engine, const WorkloadShape& shape,
                                    const sim::Rng& rng);

}  // namespace kiban::suites
