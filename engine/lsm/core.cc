#include "engine/lsm/core.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/publish.h"

namespace kiban::lsm {

Core::Core(engine::FileSystem& file_system, std::string directory, const KibanOptions& chosen)
    : files(file_system),
      dir(std::move(directory)),
      options(chosen),
      cache(cache::BlockCache::Create(chosen.block_cache_bytes)),
      memtable(std::make_shared<Memtable>()) {
  published.version = std::make_shared<Version>();
}

absl::Status Core::MayRead() const {
  if (closed()) return absl::FailedPreconditionError(absl::StrCat(dir, ": closed"));
  return absl::OkStatus();
}

absl::Status Core::MayMutate() const {
  if (closed()) return absl::FailedPreconditionError(absl::StrCat(dir, ": closed"));
  if (!poisoned()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(dir, ": refused until reopened, because of: ", poison_.ToString()));
}

absl::Status Core::Poison(const absl::Status& error) {
  MARK("db.poisoned");
  const bool promises_too_much = error.code() == absl::StatusCode::kFailedPrecondition ||
                                 error.code() == absl::StatusCode::kInvalidArgument;
  const absl::Status told = promises_too_much ? absl::InternalError(error.ToString()) : error;
  if (poison_.ok()) poison_ = told;
  return told;
}

void Core::Release() {
  log = nullptr;
  memtable = std::make_shared<Memtable>();
  frozen = nullptr;
  published.version = std::make_shared<Version>();
  obsolete.clear();
  lock = nullptr;
}

absl::Status Publish(Core& core, const Published& next) {
  Manifest manifest{.min_log = next.min_log,
                    .next_file = core.next_file,
                    .last_sequence = next.last_sequence,
                    .levels = {}};
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    manifest.levels[level] = InfosOf(next.version->levels[level]);
  }
  RETURN_IF_ERROR(PublishManifest(core.files, core.dir, manifest));
  ++core.stats.manifests;
  return absl::OkStatus();
}

void RemoveGarbage(Core& core, const std::string& path) {
  const absl::Status removed = core.files.Remove(path);
  ++(removed.ok() ? core.stats.files_swept : core.stats.removes_failed);
}

void RemoveObsolete(Core& core) {
  std::vector<TableRef> kept;
  for (TableRef& table : core.obsolete) {
    if (table.use_count() > 1) {
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
