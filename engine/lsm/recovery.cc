#include "engine/lsm/recovery.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/create.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/replay.h"
#include "engine/lsm/table_output.h"

namespace kiban::lsm {
namespace {

// One open under way. Each step needs those before it.
class Recovery {
 public:
  Recovery(const engine::Env& env, const std::string& dir, const KibanOptions& options)
      : core_(std::make_unique<Core>(env, dir, options)) {}

  absl::StatusOr<std::unique_ptr<Core>> Run();

 private:
  absl::Status Lock();             // O1
  absl::Status DecodeManifest();   // O2
  absl::Status Replay();           // O3
  absl::Status RaiseNextFile();    // O4
  absl::Status RewriteReplayed();  // O5
  absl::Status PublishAdopted();   // O6
  absl::Status CreateLog();        // O7
  void Sweep();                    // O8

  absl::StatusOr<TableRef> OpenTable(const TableInfo& info);
  absl::StatusOr<TableRef> WriteReplayed();

  std::unique_ptr<Core> core_;
  std::vector<FileName> present_;  // When the lock had been taken.
  Replayed replayed_;
};

absl::StatusOr<std::unique_ptr<Core>> Recovery::Run() {
  RETURN_IF_ERROR(Lock());
  RETURN_IF_ERROR(DecodeManifest());
  RETURN_IF_ERROR(Replay());
  RETURN_IF_ERROR(RaiseNextFile());
  RETURN_IF_ERROR(RewriteReplayed());
  RETURN_IF_ERROR(PublishAdopted());
  RETURN_IF_ERROR(CreateLog());
  Sweep();
  return std::move(core_);
}

absl::Status Recovery::Lock() {
  SPAN("open.O1");
  ASSIGN_OR_RETURN(core_->lock, core_->files.Lock(PathIn(core_->dir, kLockName)));
  return absl::OkStatus();
}

absl::StatusOr<TableRef> Recovery::OpenTable(const TableInfo& info) {
  const std::string path = TablePath(core_->dir, info.number);
  auto reader = lsm::OpenTable(*core_, info.number);
  if (absl::IsNotFound(reader.status())) {
    return base::Corruption(path, 0, "named by the manifest, but not there");
  }
  RETURN_IF_ERROR(reader.status());
  RETURN_IF_ERROR(CheckTable(path, info, **reader));
  return std::make_shared<Table>(Table{.info = info, .reader = *std::move(reader)});
}

absl::Status Recovery::DecodeManifest() {
  SPAN("open.O2");
  ASSIGN_OR_RETURN(present_, ListFiles(core_->files, core_->dir));
  ASSIGN_OR_RETURN(const Manifest manifest,
                   ReadOrInventManifest(core_->files, core_->dir, present_, core_->options));
  auto version = std::make_shared<Version>();
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    for (const TableInfo& info : manifest.levels[level]) {
      ASSIGN_OR_RETURN(TableRef table, OpenTable(info));
      version->levels[level].push_back(std::move(table));
    }
  }
  core_->next_file.Store(manifest.next_file);
  core_->published = {.version = std::move(version),
                      .min_log = manifest.min_log,
                      .last_sequence = manifest.last_sequence};
  return absl::OkStatus();
}

absl::Status Recovery::Replay() {
  SPAN("open.O3");
  const uint64_t min_log = core_->published.min_log;
  std::vector<uint64_t> live;
  for (const FileName& file : present_) {
    if (file.kind == FileKind::kLog && file.number >= min_log) live.push_back(file.number);
  }
  std::sort(live.begin(), live.end());  // Names sort by text, which longer numbers outrun.
  // The last open was cut between its publication and its log, or lost the log's unsynced name.
  const bool is_new = !Holds(present_, FileKind::kManifest);
  if (!is_new && (live.empty() || live.front() != min_log)) MARK("open.log_missing");
  ASSIGN_OR_RETURN(replayed_,
                   ReplayLogs(core_->files, core_->dir, live, core_->published.last_sequence));
  core_->stats.replayed_records += replayed_.records;
  core_->stats.replayed_tail_bytes_dropped += replayed_.dropped_bytes;
  return absl::OkStatus();
}

// Above everything that lies there, named by the manifest or not: what was given up once, or what a
// lost removal brought back, must never be taken for something new.
absl::Status Recovery::RaiseNextFile() {
  uint64_t next_file = core_->next_file.LoadOwn();
  for (const FileName& file : present_) {
    if (file.number > kFileNumberMax / 2) {
      return absl::FailedPreconditionError(
          absl::StrCat(core_->dir, ": file number ", file.number, " leaves none to be given"));
    }
    next_file = std::max(next_file, file.number + 1);
  }
  if (next_file > kFileNumberMax / 2 + 1) {  // The next open would be the one to refuse it.
    return base::Corruption(PathIn(core_->dir, kManifestName), 0,
                            "next_file is above all numbers that can have been given");
  }
  core_->next_file.Store(next_file);
  MARK("open.O4");
  return absl::OkStatus();
}

absl::StatusOr<TableRef> Recovery::WriteReplayed() {
  ASSIGN_OR_RETURN(const std::unique_ptr<TableOutput> output,
                   TableOutput::Create(*core_, replayed_.memtable->entry_count()));
  RETURN_IF_ERROR(AddAll(*output, *Memtable::NewIterator(replayed_.memtable)));
  RETURN_IF_ERROR(output->FinishAndVerify());
  RETURN_IF_ERROR(output->Sync());
  RETURN_IF_ERROR(core_->files.SyncDir(core_->dir));
  return output->table();
}

// Adopts by rewriting, never by syncing what was read: a failed sync may have left pages that only
// memory holds, and a kill leaves a log that nobody has synced.
absl::Status Recovery::RewriteReplayed() {
  if (replayed_.memtable->empty()) {
    MARK("open.nothing_replayed");
    return absl::OkStatus();
  }
  SPAN("open.O5");
  ASSIGN_OR_RETURN(const TableRef table, WriteReplayed());
  VersionEdit edit;
  edit.added[0].push_back(table);
  core_->published.version = Apply(*core_->published.version, edit);
  return absl::OkStatus();
}

absl::Status Recovery::PublishAdopted() {
  SPAN("open.O6");
  core_->published.min_log = core_->next_file.FetchAdd(1);
  core_->published.last_sequence = replayed_.last_sequence;
  return Publish(*core_, core_->published);
}

absl::Status Recovery::CreateLog() {
  SPAN("open.O7");
  const uint64_t number = core_->published.min_log;
  ASSIGN_OR_RETURN(core_->log, wal::Writer::Create(core_->files, LogPath(core_->dir, number),
                                                   number, replayed_.last_sequence + 1));
  RETURN_IF_ERROR(core_->files.SyncDir(core_->dir));
  core_->last_sequence.Store(replayed_.last_sequence);
  core_->durable_through = replayed_.last_sequence;
  core_->memtable = std::make_shared<Memtable>(number);
  core_->view.Change([&](View& next) {
    next.memtable = core_->memtable;
    next.version = core_->published.version;
  });
  return absl::OkStatus();
}

// MANIFEST.tmp needs no sweeping: the publication took its name.
void Recovery::Sweep() {
  SPAN("open.O8");
  std::vector<uint64_t> named;
  for (const std::vector<TableRef>& tables : core_->published.version->levels) {
    for (const TableRef& table : tables) named.push_back(table->info.number);
  }
  std::sort(named.begin(), named.end());
  for (const FileName& file : present_) {
    if (file.kind == FileKind::kLog) {
      RemoveGarbage(*core_, LogPath(core_->dir, file.number));
    } else if (file.kind == FileKind::kTable &&
               !std::binary_search(named.begin(), named.end(), file.number)) {
      MARK("open.orphan_swept");
      RemoveGarbage(*core_, TablePath(core_->dir, file.number));
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Core>> OpenCore(const engine::Env& env, const std::string& dir,
                                               const KibanOptions& options) {
  SPAN("open");
  RETURN_IF_ERROR(PrepareDirectory(*env.files, dir, options));
  return Recovery(env, dir, options).Run();
}

}  // namespace kiban::lsm
