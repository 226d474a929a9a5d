// From a full memtable to a table of level 0: log switch (steps T1 to T4), then flush (F1 to F6).
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/lsm/core.h"
#include "engine/lsm/memtable.h"
#include "engine/lsm/version.h"

namespace kiban::lsm {

// The writer's: freezes the memtable and goes on with an empty one and a new log, whose name is
// durable. Everything written so far is durable then: the old log is synced before its successor
// exists. There must be no frozen memtable (CHECK).
absl::Status SwitchLog(Core& core);

// Maintenance's: writes the frozen memtable out, publishes it, and removes the log that held it.
absl::Status FlushFrozen(Core& core);

}  // namespace kiban::lsm
