#include "engine/lsm/core.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/publish.h"

namespace kiban::lsm {

Core::Core(const engine::Env& env, std::string directory, const KibanOptions& chosen)
    : files(*env.files),
      tasks(env.tasks),
      dir(std::move(directory)),
      options(chosen),
      cache(cache::BlockCache::Create(
          cache::BudgetBytes(chosen.block_cache_bytes, chosen.host_memory), env.tasks)),
      view(env.tasks, {.memtable = std::make_shared<Memtable>(),
                       .frozen = nullptr,
                       .version = std::make_shared<Version>()}),
      snapshots(std::make_shared<SnapshotList>(env.tasks)),
      memtable(std::make_shared<Memtable>()) {}

Core::~Core() { delete poison_.LoadOwn(); }

absl::Status Core::Closed() const {
  return absl::FailedPreconditionError(absl::StrCat(dir, ": closed"));
}

absl::Status Core::MayMutate() const {
  if (closing.Load()) return Closed();
  const absl::Status because = poison();
  if (because.ok()) return because;
  return absl::FailedPreconditionError(
      absl::StrCat(dir, ": refused until reopened, because of: ", because.ToString()));
}

absl::Status Core::Poison(const absl::Status& error) {
  MARK("db.poisoned");
  const bool promises_too_much = error.code() == absl::StatusCode::kFailedPrecondition ||
                                 error.code() == absl::StatusCode::kInvalidArgument;
  absl::Status told = promises_too_much ? absl::InternalError(error.ToString()) : error;
  auto first = std::make_unique<const absl::Status>(told);
  const absl::Status* none = nullptr;
  if (poison_.CompareExchange(none, first.get())) (void)first.release();
  return told;
}

absl::Status Core::poison() const {
  const absl::Status* const because = poison_.Load();
  return because == nullptr ? absl::OkStatus() : *because;
}

void Core::Release() {
  log = nullptr;
  memtable = std::make_shared<Memtable>();
  view.Close();
  published.version = nullptr;
  obsolete.clear();
  lock = nullptr;
}

absl::Status Publish(Core& core, const Published& next) {
  const uint64_t next_file = core.next_file.Load();
  Manifest manifest{.min_log = next.min_log,
                    .next_file = next_file,
                    .last_sequence = next.last_sequence,
                    .levels = {}};
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    manifest.levels[level] = InfosOf(next.version->levels[level]);
  }
  RETURN_IF_ERROR(PublishManifest(core.files, core.dir, manifest));
  ++core.stats.manifests;
  return absl::OkStatus();
}

bool UseRoom(Core& core) {
  if (!core.options.point_index) return false;
  for (const std::vector<TableRef>& level : core.published.version->levels) {
    for (const TableRef& table : level) {
      const absl::StatusOr<bool> loaded = table->reader->TryToBeResident();
      if (!loaded.ok()) ++core.stats.indexes_not_loaded;
      if (loaded.ok() && *loaded) return true;
    }
  }
  return false;
}

void RemoveGarbage(Core& core, const std::string& path) {
  const absl::Status removed = core.files.Remove(path);
  ++(removed.ok() ? core.stats.files_swept : core.stats.removes_failed);
}

void RemoveObsolete(Core& core) {
  std::vector<TableRef> kept;
  for (TableRef& table : core.obsolete) {
    if (table.use_count() > 1) {
      MARK("table.held_by_reader");
      kept.push_back(std::move(table));
      continue;
    }
    const uint64_t number = table->info.number;
    table.reset();  // Closes the file.
    core.cache->Forget(number);
    RemoveGarbage(core, TablePath(core.dir, number));
  }
  core.obsolete = std::move(kept);
}

}  // namespace kiban::lsm
