#include "engine/lsm/maintenance.h"

#include <optional>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/compaction_build.h"
#include "engine/lsm/compaction_commit.h"
#include "engine/lsm/compaction_plan.h"
#include "engine/lsm/flush.h"

namespace kiban::lsm {
namespace {

absl::StatusOr<std::vector<TableRef>> OutputsOf(Core& core, const CompactionPlan& plan) {
  if (!plan.trivial) return BuildCompaction(core, plan);
  MARK("compact.trivial");
  for (const std::vector<TableRef>& tables : plan.inputs) {
    if (!tables.empty()) return tables;
  }
  CHECK(false);
}

absl::Status Compact(Core& core, CompactionPlan plan) {
  SPAN("compact");
  {
    ASSIGN_OR_RETURN(const std::vector<TableRef> outputs, OutputsOf(core, plan));
    RETURN_IF_ERROR(CommitCompaction(core, plan, outputs));
  }
  plan = {};  // Lets go of the inputs.
  SPAN("compact.C6");
  RemoveObsolete(core);
  return absl::OkStatus();
}

}  // namespace

absl::Status Maintain(Core& core) {
  RETURN_IF_ERROR(FlushMemtable(core));
  // Each round takes a table out of its level for good, and there are only so many levels below.
  while (std::optional<CompactionPlan> plan =
             PlanCompaction(core.published.version, core.options, core.compacted_through,
                            core.snapshots->Sequences())) {
    RETURN_IF_ERROR(Compact(core, *std::move(plan)));
  }
  return absl::OkStatus();
}

absl::Status MakeRoom(Core& core) {
  if (core.memtable->used_bytes() < core.options.write_buffer_bytes) return absl::OkStatus();
  return Maintain(core);
}

absl::Status CompactAll(Core& core) {
  RETURN_IF_ERROR(FlushMemtable(core));
  std::optional<CompactionPlan> plan =
      PlanFullCompaction(core.published.version, core.options, core.snapshots->Sequences());
  if (!plan.has_value()) return absl::OkStatus();
  return Compact(core, *std::move(plan));
}

}  // namespace kiban::lsm
