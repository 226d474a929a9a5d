// When what is done. Through the direct handle all of it runs inside the caller.
#pragma once

#include "absl/status/status.h"
#include "engine/lsm/core.h"

namespace kiban::lsm {

// Flushes the memtable and compacts until nothing is due.
absl::Status Maintain(Core& core);

// Before a write: the same if the memtable is full, nothing otherwise.
absl::Status MakeRoom(Core& core);

// Flushes the memtable and merges everything into one level.
absl::Status CompactAll(Core& core);

}  // namespace kiban::lsm
