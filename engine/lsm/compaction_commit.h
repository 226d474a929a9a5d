// COMMIT: the outputs take the place of the inputs. Opens nothing and reads nothing.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "engine/lsm/compaction_plan.h"
#include "engine/lsm/core.h"
#include "engine/lsm/version.h"

namespace kiban::lsm {

// Steps C4 to C6. For a trivial plan `outputs` is the input itself.
absl::Status CommitCompaction(Core& core, const CompactionPlan& plan,
                              const std::vector<TableRef>& outputs);

}  // namespace kiban::lsm
