#include "engine/lsm/compaction_build.h"

#include <memory>
#include <string>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/level_iterator.h"
#include "engine/lsm/merging_iterator.h"
#include "engine/lsm/table_output.h"
#include "engine/lsm/version_filter.h"

namespace kiban::lsm {
namespace {

MergingIterator InputsOf(const CompactionPlan& plan) {
  std::vector<std::unique_ptr<table::Iterator>> sources;
  for (const TableRef& table : plan.inputs[0]) sources.push_back(table->reader->NewIterator());
  for (uint32_t level = 1; level < kLevelCount; ++level) {
    if (plan.inputs[level].empty()) continue;
    sources.push_back(std::make_unique<LevelIterator>(plan.inputs[level]));
  }
  return MergingIterator(std::move(sources));
}

class Builder {
 public:
  Builder(Core& core, const CompactionPlan& plan)
      : core_(core), plan_(plan), filter_(plan.snapshots), inputs_(InputsOf(plan)) {}

  absl::Status Run();
  std::vector<TableRef> Outputs() const;
  void DiscardAll();

 private:
  // Writes and checks one output, up to the end of a key once it is long enough. Null if nothing is
  // left to be written.
  absl::StatusOr<TableOutput*> WriteOutput();
  bool Keeps(const table::Entry& entry);

  Core& core_;
  const CompactionPlan& plan_;
  VersionFilter filter_;
  MergingIterator inputs_;
  bool begun_ = false;
  std::vector<std::unique_ptr<TableOutput>> outputs_;
};

absl::Status Builder::Run() {
  while (true) {
    if (core_.closing.Load()) return absl::CancelledError("closing");
    TableOutput* output = nullptr;
    {
      SPAN("compact.C1");
      ASSIGN_OR_RETURN(output, WriteOutput());
    }
    if (output == nullptr) break;
    SPAN("compact.C2");
    RETURN_IF_ERROR(output->Sync());
  }
  if (outputs_.empty()) return absl::OkStatus();
  SPAN("compact.C3");
  return core_.files.SyncDir(core_.dir);
}

absl::StatusOr<TableOutput*> Builder::WriteOutput() {
  if (!std::exchange(begun_, true)) inputs_.SeekToFirst();
  TableOutput* output = nullptr;
  std::string last_key;
  for (; inputs_.Valid(); inputs_.Next()) {
    const table::Entry& entry = inputs_.entry();
    const bool is_full = output != nullptr && output->size_bytes() >= core_.options.table_bytes;
    // Between keys only: the versions of one key stay together.
    if (is_full && entry.key != last_key) break;
    if (!Keeps(entry)) continue;
    if (output == nullptr) {
      const size_t expected = outputs_.empty() ? 0 : outputs_.back()->table()->info.entry_count;
      ASSIGN_OR_RETURN(std::unique_ptr<TableOutput> created, TableOutput::Create(core_, expected));
      output = created.get();
      outputs_.push_back(std::move(created));
    }
    last_key = entry.key;
    RETURN_IF_ERROR(output->Add(entry));
  }
  RETURN_IF_ERROR(inputs_.status());
  if (output != nullptr) RETURN_IF_ERROR(output->FinishAndVerify());
  return output;
}

bool Builder::Keeps(const table::Entry& entry) {
  switch (filter_.Judge(entry, [&](std::string_view key) { return MayLieDeeper(plan_, key); })) {
    case Fate::kKept:
      return true;
    case Fate::kKeptForSnapshot:
      MARK("compact.version_kept_for_snapshot");
      return true;
    case Fate::kShadowed:
      ++core_.stats.versions_dropped;
      return false;
    case Fate::kTombstone:
      MARK("compact.tombstone_dropped");
      ++core_.stats.tombstones_dropped;
      return false;
  }
  CHECK(false);
}

std::vector<TableRef> Builder::Outputs() const {
  std::vector<TableRef> tables;
  for (const auto& output : outputs_) tables.push_back(output->table());
  return tables;
}

void Builder::DiscardAll() {
  for (const auto& output : outputs_) output->Discard();
}

}  // namespace

absl::StatusOr<std::vector<TableRef>> BuildCompaction(Core& core, const CompactionPlan& plan) {
  Builder builder(core, plan);
  const absl::Status built = builder.Run();
  if (!built.ok()) {
    builder.DiscardAll();
    return built;
  }
  return builder.Outputs();
}

}  // namespace kiban::lsm
