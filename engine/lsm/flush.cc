#include "engine/lsm/flush.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/table_output.h"

namespace kiban::lsm {
namespace {

// Null `output`: not even the file was made.
absl::Status WriteFrozen(Core& core, std::unique_ptr<TableOutput>& output) {
  {
    SPAN("flush.F1");
    ASSIGN_OR_RETURN(output, TableOutput::Create(core));
    RETURN_IF_ERROR(AddAll(*output, *Memtable::NewIterator(core.frozen)));
    RETURN_IF_ERROR(output->FinishAndVerify());
  }
  {
    SPAN("flush.F2");
    RETURN_IF_ERROR(output->Sync());
  }
  SPAN("flush.F3");
  return core.files.SyncDir(core.dir);
}

absl::StatusOr<TableRef> BuildFlushed(Core& core) {
  std::unique_ptr<TableOutput> output;
  const absl::Status written = WriteFrozen(core, output);
  if (!written.ok()) {
    if (output != nullptr) output->Discard();
    return written;
  }
  return output->table();
}

}  // namespace

absl::Status SwitchLog(Core& core) {
  SPAN("switch");
  CHECK(core.frozen == nullptr);
  {
    SPAN("switch.T1");
    RETURN_IF_ERROR(core.log->Sync());
    ++core.stats.log_syncs;
    core.durable_through = core.last_sequence;
    // Given up first: whatever fails from here on, nothing is appended any more.
    const std::unique_ptr<wal::Writer> old_log = std::move(core.log);
    RETURN_IF_ERROR(old_log->Close());
  }
  const uint64_t number = core.next_file++;
  std::unique_ptr<wal::Writer> new_log;
  {
    SPAN("switch.T2");
    ASSIGN_OR_RETURN(new_log, wal::Writer::Create(core.files, LogPath(core.dir, number), number,
                                                  core.last_sequence + 1));
  }
  {
    SPAN("switch.T3");
    RETURN_IF_ERROR(core.files.SyncDir(core.dir));
  }
  MARK("switch.T4");
  core.frozen = std::exchange(core.memtable, std::make_shared<Memtable>());
  core.frozen_through = core.last_sequence;
  core.frozen_log_number = std::exchange(core.log_number, number);
  core.log = std::move(new_log);
  ++core.stats.log_switches;
  return absl::OkStatus();
}

absl::Status FlushFrozen(Core& core) {
  SPAN("flush");
  ASSIGN_OR_RETURN(const TableRef flushed, BuildFlushed(core));
  VersionEdit edit;
  edit.added[0].push_back(flushed);
  Published next{.version = Apply(*core.published.version, edit),
                 .min_log = core.log_number,
                 .last_sequence = core.frozen_through};
  {
    SPAN("flush.F4");
    RETURN_IF_ERROR(Publish(core, next));
  }
  MARK("flush.F5");
  core.published = std::move(next);
  core.frozen = nullptr;
  ++core.stats.flushes;
  core.stats.flushed_bytes += flushed->info.size_bytes;
  {
    SPAN("flush.F6");
    RemoveGarbage(core, LogPath(core.dir, core.frozen_log_number));
    RemoveObsolete(core);  // What a reader held back at the last compaction.
  }
  return absl::OkStatus();
}

absl::Status FlushMemtable(Core& core) {
  if (core.memtable->empty()) return absl::OkStatus();
  RETURN_IF_ERROR(SwitchLog(core));
  return FlushFrozen(core);
}

}  // namespace kiban::lsm
