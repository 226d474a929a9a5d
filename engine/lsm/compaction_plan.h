// PLAN: which tables are to be merged next, and into which level. Looks at a version, touches
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/sequence.h"
#include "engine/lsm/options.h"
#include "engine/lsm/version.h"

namespace kiban::lsm {

// One compaction. The inputs are closed: every table of their levels that can hold a version of a
// key of theirs, between the newest and the oldest level of the inputs, is among them. So what is
// left outside is newer if it lies above, older if it lies below the output level.
struct CompactionPlan {
  std::shared_ptr<const Version> version;  // On which it was planned.
  Levels inputs;
  uint32_t output_level = 0;
  std::vector<base::Sequence> snapshots;  // Live ones, ascending.
  uint32_t turn_level = 0;                // Whose turn it was, and up to which key it got.
  std::string turn_through;
  // One table that nothing overlaps below: it changes its level and is not rewritten.
  bool trivial = false;
};

// Level 0 once it has `l0_compaction_trigger` tables, then the first level over its budget; nullopt
// when nothing is due. Each level's tables take turns by key, after `compacted_through`.
std::optional<CompactionPlan> PlanCompaction(
    std::shared_ptr<const Version> version, const KibanOptions& options,
    const std::array<std::string, kLevelCount>& compacted_through,
    std::vector<base::Sequence> snapshots);

// Everything, into the first level that has room for it and nothing below it; nullopt if there is
// no table.
std::optional<CompactionPlan> PlanFullCompaction(std::shared_ptr<const Version> version,
                                                 const KibanOptions& options,
                                                 std::vector<base::Sequence> snapshots);

// Whether a level below the output may hold a version of `key`.
bool MayLieDeeper(const CompactionPlan& plan, std::string_view key);

// How many bytes level 1 or a deeper one may hold. The last level has no budget.
uint64_t LevelBudgetBytes(const KibanOptions& options, uint32_t level);

}  // namespace kiban::lsm
