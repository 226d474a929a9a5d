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

void UseAllRoom(Core& core) {
  while (UseRoom(core)) continue;
}

absl::Status FlushMemtable(Core& core) {
  if (core.memtable->empty()) return absl::OkStatus();  // Everything is in tables already.
  RETURN_IF_ERROR(SwitchLog(core));
  return FlushFrozen(core);
}

}  // namespace

// Looking at the version takes no lock: only maintenance replaces it.
absl::StatusOr<bool> CompactDue(Core& core) {
  std::optional<CompactionPlan> plan = PlanCompaction(
      core.published.version, core.options, core.compacted_through, core.snapshots->Sequences());
  if (!plan.has_value()) return false;
  RETURN_IF_ERROR(Compact(core, *std::move(plan)));
  return true;
}

absl::Status MergeTables(Core& core) {
  std::optional<CompactionPlan> plan =
      PlanFullCompaction(core.published.version, core.options, core.snapshots->Sequences());
  if (!plan.has_value()) return absl::OkStatus();
  return Compact(core, *std::move(plan));
}

absl::Status Maintain(Core& core) {
  RETURN_IF_ERROR(FlushMemtable(core));
  // Each round takes a table out of its level for good, and there are only so many levels below.
  while (true) {
    ASSIGN_OR_RETURN(const bool compacted, CompactDue(core));
    if (!compacted) break;
  }
  UseAllRoom(core);
  return absl::OkStatus();
}

bool IsFull(const Core& core) {
  return core.memtable->used_bytes() >= core.options.write_buffer_bytes;
}

absl::Status MakeRoom(Core& core) { return IsFull(core) ? Maintain(core) : absl::OkStatus(); }

absl::Status CompactAll(Core& core) {
  RETURN_IF_ERROR(FlushMemtable(core));
  RETURN_IF_ERROR(MergeTables(core));
  UseAllRoom(core);
  return absl::OkStatus();
}

}  // namespace kiban::lsm
