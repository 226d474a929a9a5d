// BUILD: the outputs of a planned compaction, written, read back and checked, durable but named by
// nobody.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "engine/lsm/compaction_plan.h"
#include "engine/lsm/core.h"
#include "engine/lsm/version.h"

namespace kiban::lsm {

// Steps C1 to C3. The outputs are in order of keys and may be none at all. After an error none of
// them is left. kCancelled, between two outputs, if the database is being closed.
absl::StatusOr<std::vector<TableRef>> BuildCompaction(Core& core, const CompactionPlan& plan);

}  // namespace kiban::lsm
