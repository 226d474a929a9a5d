#include "engine/lsm/compaction_plan.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"

namespace kiban::lsm {
namespace {

struct KeySpan {
  std::string smallest;
  std::string largest;

  void Cover(const TableInfo& table) {
    smallest = std::min(smallest, table.smallest_key);
    largest = std::max(largest, table.largest_key);
  }
};

// Level 0 tables overlap each other, and each one added may reach further: again until none is
// added.
void CloseOverLevel0(const std::vector<TableRef>& tables, std::vector<TableRef>& inputs,
                     KeySpan& span) {
  for (bool grew = true; grew;) {
    grew = false;
    for (const TableRef& table : tables) {
      if (!Overlaps(table->info, span.smallest, span.largest)) continue;
      if (std::find(inputs.begin(), inputs.end(), table) != inputs.end()) continue;
      inputs.push_back(table);
      span.Cover(table->info);
      grew = true;
    }
  }
}

const TableRef& NextInTurn(const std::vector<TableRef>& tables, const std::string& through) {
  for (const TableRef& table : tables) {
    if (table->info.smallest_key > through) return table;
  }
  return tables.front();
}

// The level that is due, if any.
std::optional<uint32_t> LevelDue(const Version& version, const KibanOptions& options) {
  if (version.levels[0].size() >= options.l0_compaction_trigger) {
    MARK("l0.trigger");
    return 0;
  }
  for (uint32_t level = 1; level + 1 < kLevelCount; ++level) {
    if (BytesOf(version.levels[level]) > LevelBudgetBytes(options, level)) {
      MARK("level.over_budget");
      return level;
    }
  }
  return std::nullopt;
}

}  // namespace

uint64_t LevelBudgetBytes(const KibanOptions& options, uint32_t level) {
  CHECK(level >= 1);
  if (level + 1 >= kLevelCount) return UINT64_MAX;
  uint64_t budget = options.level1_bytes;
  for (uint32_t i = 1; i < level; ++i) {
    if (budget > UINT64_MAX / options.level_multiplier) return UINT64_MAX;
    budget *= options.level_multiplier;
  }
  return budget;
}

std::optional<CompactionPlan> PlanCompaction(
    std::shared_ptr<const Version> version, const KibanOptions& options,
    const std::array<std::string, kLevelCount>& compacted_through,
    std::vector<base::Sequence> snapshots) {
  const std::optional<uint32_t> due = LevelDue(*version, options);
  if (!due.has_value()) return std::nullopt;
  const uint32_t level = *due;
  CompactionPlan plan;
  plan.version = std::move(version);
  plan.snapshots = std::move(snapshots);
  plan.output_level = level + 1;

  const std::vector<TableRef>& tables = plan.version->levels[level];
  const TableRef& first =
      level == 0 ? tables.front() : NextInTurn(tables, compacted_through[level]);
  KeySpan span{.smallest = first->info.smallest_key, .largest = first->info.largest_key};
  plan.inputs[level].push_back(first);
  // Above level 0 no two tables share a key, so one of them is closed by itself.
  if (level == 0) CloseOverLevel0(tables, plan.inputs[0], span);
  for (const TableRef& table : plan.version->levels[plan.output_level]) {
    if (Overlaps(table->info, span.smallest, span.largest)) {
      plan.inputs[plan.output_level].push_back(table);
    }
  }
  plan.turn_level = level;
  plan.turn_through = span.largest;
  plan.trivial = plan.inputs[level].size() == 1 && plan.inputs[plan.output_level].empty();
  return plan;
}

std::optional<CompactionPlan> PlanFullCompaction(std::shared_ptr<const Version> version,
                                                 const KibanOptions& options,
                                                 std::vector<base::Sequence> snapshots) {
  uint64_t bytes = 0;
  uint32_t deepest = 1;
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    bytes += BytesOf(version->levels[level]);
    if (!version->levels[level].empty()) deepest = std::max(deepest, level);
  }
  if (bytes == 0) return std::nullopt;
  while (bytes > LevelBudgetBytes(options, deepest)) ++deepest;
  CompactionPlan plan;
  plan.inputs = version->levels;
  plan.version = std::move(version);
  plan.snapshots = std::move(snapshots);
  plan.output_level = deepest;
  return plan;
}

bool MayLieDeeper(const CompactionPlan& plan, std::string_view key) {
  for (uint32_t level = plan.output_level + 1; level < kLevelCount; ++level) {
    const std::vector<TableRef>& tables = plan.version->levels[level];
    const size_t candidate = FirstEndingAtOrBehind(tables, key);
    if (candidate < tables.size() && tables[candidate]->info.smallest_key <= key) return true;
  }
  return false;
}

}  // namespace kiban::lsm
