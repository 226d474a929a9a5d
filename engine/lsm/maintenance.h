// What is done when. Through the direct handle all of it runs inside the caller, through the shared
// one in the background task (background.h), piece by piece.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/lsm/core.h"

namespace kiban::lsm {

// Maintenance's: one compaction, the one that is due first. False if none is.
absl::StatusOr<bool> CompactDue(Core& core);

// Maintenance's: merges all tables into one level.
absl::Status MergeTables(Core& core);

// For whoever plays both roles: flushes the memtable and compacts until nothing is due.
absl::Status Maintain(Core& core);

// Before a write: the same if the memtable is full, nothing otherwise.
absl::Status MakeRoom(Core& core);

// Flushes the memtable and merges everything into one level.
absl::Status CompactAll(Core& core);

// Whether the memtable has taken what it is to take. The writer's.
bool IsFull(const Core& core);

}  // namespace kiban::lsm
