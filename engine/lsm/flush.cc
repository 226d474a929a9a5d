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
absl::Status WriteFrozen(Core& core, const std::shared_ptr<const Memtable>& frozen,
                         std::unique_ptr<TableOutput>& output) {
  {
    SPAN("flush.F1");
    ASSIGN_OR_RETURN(output, TableOutput::Create(core, frozen->entry_count()));
    RETURN_IF_ERROR(AddAll(*output, *Memtable::NewIterator(frozen)));
    RETURN_IF_ERROR(output->FinishAndVerify());
  }
  {
    SPAN("flush.F2");
    RETURN_IF_ERROR(output->Sync());
  }
  SPAN("flush.F3");
  return core.files.SyncDir(core.dir);
}

absl::StatusOr<TableRef> BuildFlushed(Core& core, const std::shared_ptr<const Memtable>& frozen) {
  std::unique_ptr<TableOutput> output;
  const absl::Status written = WriteFrozen(core, frozen, output);
  if (!written.ok()) {
    if (output != nullptr) output->Discard();
    return written;
  }
  return output->table();
}

}  // namespace

absl::Status SwitchLog(Core& core) {
  SPAN("switch");
  const base::Sequence last_sequence = core.last_sequence.LoadOwn();
  {
    SPAN("switch.T1");
    RETURN_IF_ERROR(core.log->Sync());
    ++core.stats.log_syncs;
    core.durable_through = last_sequence;
    // Given up first: whatever fails from here on, nothing is appended any more.
    const std::unique_ptr<wal::Writer> old_log = std::move(core.log);
    RETURN_IF_ERROR(old_log->Close());
  }
  const uint64_t number = core.next_file.FetchAdd(1);
  std::unique_ptr<wal::Writer> new_log;
  {
    SPAN("switch.T2");
    ASSIGN_OR_RETURN(new_log, wal::Writer::Create(core.files, LogPath(core.dir, number), number,
                                                  last_sequence + 1));
  }
  {
    SPAN("switch.T3");
    RETURN_IF_ERROR(core.files.SyncDir(core.dir));
  }
  MARK("switch.T4");
  core.log = std::move(new_log);
  // Before anybody finds the new memtable: read_path.cc says why.
  core.memtable->Freeze(last_sequence);
  core.memtable = std::make_shared<Memtable>(number);
  core.view.Change([&](View& next) {
    CHECK(next.frozen == nullptr);
    next.frozen = std::exchange(next.memtable, core.memtable);
  });
  ++core.stats.log_switches;
  return absl::OkStatus();
}

absl::Status FlushFrozen(Core& core) {
  SPAN("flush");
  const std::shared_ptr<const View> view = core.view.Take();
  CHECK(view->frozen != nullptr);
  ASSIGN_OR_RETURN(const TableRef flushed, BuildFlushed(core, view->frozen));
  VersionEdit edit;
  edit.added[0].push_back(flushed);
  // The next log switch waits for this flush, so the log of the view is still the current one.
  Published next{.version = Apply(*core.published.version, edit),
                 .min_log = view->memtable->log_number(),
                 .last_sequence = view->frozen->limit()};
  {
    SPAN("flush.F4");
    RETURN_IF_ERROR(Publish(core, next));
  }
  MARK("flush.F5");
  core.published = std::move(next);
  core.view.Change([&](View& changed) {
    changed.frozen = nullptr;
    changed.version = core.published.version;
  });
  ++core.stats.flushes;
  core.stats.flushed_bytes += flushed->info.size_bytes;
  SPAN("flush.F6");
  RemoveGarbage(core, LogPath(core.dir, view->frozen->log_number()));
  RemoveObsolete(core);  // What a reader held back at the last compaction.
  return absl::OkStatus();
}

}  // namespace kiban::lsm
