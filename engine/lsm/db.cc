#include "engine/lsm/db.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/core.h"
#include "engine/lsm/cursor.h"
#include "engine/lsm/maintenance.h"
#include "engine/lsm/read_path.h"
#include "engine/lsm/recovery.h"
#include "engine/lsm/write_path.h"

namespace kiban::lsm {
namespace {

// The direct handle. Refusals come first and touch nothing; whatever fails after them poisons,
// here.
class DirectDb final : public Db {
 public:
  explicit DirectDb(std::unique_ptr<Core> core) : core_(std::move(core)) {}

  absl::StatusOr<base::Sequence> Put(std::string_view key, std::string_view value,
                                     WriteOptions options) override {
    single_.Clear();
    single_.Put(key, value);
    return Write(single_, options);
  }
  absl::StatusOr<base::Sequence> Delete(std::string_view key, WriteOptions options) override {
    single_.Clear();
    single_.Delete(key);
    return Write(single_, options);
  }
  absl::StatusOr<base::Sequence> Write(const Batch& batch, WriteOptions options) override;
  absl::Status Sync() override;

  absl::StatusOr<std::optional<std::string>> Get(std::string_view key,
                                                 const Snapshot* snapshot) override;
  std::unique_ptr<Cursor> NewCursor(KeyRange range, const Snapshot* snapshot) override;
  absl::StatusOr<std::vector<KeyValue>> LatestK(std::string_view prefix, uint32_t k,
                                                const Snapshot* snapshot) override;
  std::unique_ptr<Snapshot> TakeSnapshot() override {
    return SnapshotList::Take(core_->snapshots, core_->last_sequence);
  }
  base::Sequence last_sequence() const override { return core_->last_sequence; }

  absl::Status Flush() override;
  absl::Status Compact() override;
  Stats GetStats() const override;
  absl::Status Close() override;

 private:
  // OK, or the handle is poisoned and the answer is "maybe applied".
  absl::Status OkOrPoison(const absl::Status& status) {
    return status.ok() ? status : core_->Poison(status);
  }

  const std::unique_ptr<Core> core_;
  Batch single_;  // Reused.
};

absl::StatusOr<base::Sequence> DirectDb::Write(const Batch& batch, WriteOptions options) {
  SPAN("write");
  RETURN_IF_ERROR(core_->MayMutate());
  RETURN_IF_ERROR(CheckBatch(*core_, batch));
  RETURN_IF_ERROR(OkOrPoison(MakeRoom(*core_)));
  const absl::StatusOr<base::Sequence> first = ApplyBatch(*core_, batch, options);
  RETURN_IF_ERROR(OkOrPoison(first.status()));
  return first;
}

absl::Status DirectDb::Sync() {
  RETURN_IF_ERROR(core_->MayMutate());
  return OkOrPoison(SyncLog(*core_));
}

absl::StatusOr<std::optional<std::string>> DirectDb::Get(std::string_view key,
                                                         const Snapshot* snapshot) {
  SPAN("get");
  RETURN_IF_ERROR(core_->MayRead());
  return lsm::Get(*core_, key, snapshot == nullptr ? core_->last_sequence : snapshot->sequence());
}

std::unique_ptr<Cursor> DirectDb::NewCursor(KeyRange range, const Snapshot* snapshot) {
  absl::Status may_read = core_->MayRead();
  if (!may_read.ok()) return NewFailedCursor(std::move(may_read));
  return lsm::NewCursor(ViewOf(*core_, snapshot), std::move(range));
}

absl::StatusOr<std::vector<KeyValue>> DirectDb::LatestK(std::string_view prefix, uint32_t k,
                                                        const Snapshot* snapshot) {
  SPAN("scan");
  RETURN_IF_ERROR(core_->MayRead());
  return lsm::LatestK(ViewOf(*core_, snapshot), prefix, k);
}

absl::Status DirectDb::Flush() {
  RETURN_IF_ERROR(core_->MayMutate());
  return OkOrPoison(Maintain(*core_));
}

absl::Status DirectDb::Compact() {
  RETURN_IF_ERROR(core_->MayMutate());
  return OkOrPoison(CompactAll(*core_));
}

Stats DirectDb::GetStats() const {
  Stats stats = core_->stats;
  const cache::BlockCache::Stats cached = core_->cache->stats();
  stats.cache_hits = cached.hits;
  stats.cache_misses = cached.misses;
  for (const std::vector<TableRef>& tables : core_->published.version->levels) {
    stats.level_tables.push_back(tables.size());
    stats.level_bytes.push_back(BytesOf(tables));
  }
  return stats;
}

absl::Status DirectDb::Close() {
  SPAN("close");
  RETURN_IF_ERROR(core_->MayRead());
  const absl::Status closed = core_->log == nullptr ? absl::OkStatus() : core_->log->Close();
  core_->Release();
  return closed;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Db>> Db::Open(const engine::Env& env, std::string dir,
                                             const KibanOptions& options) {
  RETURN_IF_ERROR(Validate(options));
  while (dir.ends_with('/')) dir.pop_back();
  if (dir.empty()) return absl::InvalidArgumentError("a database needs a directory of its own");
  CHECK(env.files != nullptr);
  ASSIGN_OR_RETURN(std::unique_ptr<Core> core, OpenCore(*env.files, dir, options));
  return std::make_unique<DirectDb>(std::move(core));
}

}  // namespace kiban::lsm
