#include "engine/lsm/compaction_commit.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"

namespace kiban::lsm {

absl::Status CommitCompaction(Core& core, const CompactionPlan& plan,
                              const std::vector<TableRef>& outputs) {
  // Nothing may have come in between: MayLieDeeper() was answered from this version.
  CHECK(plan.version == core.published.version);
  VersionEdit edit{.removed = plan.inputs, .added = {}};
  edit.added[plan.output_level] = outputs;
  // The log position stays: what a compaction merges was in tables before.
  Published next = core.published;
  next.version = Apply(*core.published.version, edit);
  if (core.snapshots->HoldsAny(plan.snapshots)) MARK("compact.over_snapshot");
  {
    SPAN("compact.C4");
    RETURN_IF_ERROR(Publish(core, next));
  }
  MARK("compact.C5");
  core.published = std::move(next);
  core.view.Change([&](View& changed) { changed.version = core.published.version; });
  core.compacted_through[plan.turn_level] = plan.turn_through;
  ++core.stats.compactions;
  if (plan.trivial) return absl::OkStatus();
  core.stats.compacted_bytes += BytesOf(outputs);
  for (const std::vector<TableRef>& tables : plan.inputs) {
    core.obsolete.insert(core.obsolete.end(), tables.begin(), tables.end());
  }
  return absl::OkStatus();
}

}  // namespace kiban::lsm
