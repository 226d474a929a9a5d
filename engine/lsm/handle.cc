#include "engine/lsm/handle.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/cursor.h"
#include "engine/lsm/read_path.h"
#include "engine/lsm/recovery.h"

namespace kiban::lsm {

absl::StatusOr<std::optional<std::string>> Handle::Get(std::string_view key,
                                                       const Snapshot* snapshot,
                                                       base::Sequence* read_at) {
  SPAN("get");
  ASSIGN_OR_RETURN(const ReadView view, ViewOf(*core_, snapshot));
  if (read_at != nullptr) *read_at = view.sequence;
  return lsm::Get(view, key, core_->stats);
}

std::unique_ptr<Cursor> Handle::NewCursor(KeyRange range, const Snapshot* snapshot) {
  absl::StatusOr<ReadView> view = ViewOf(*core_, snapshot);
  if (!view.ok()) return NewFailedCursor(view.status());
  return lsm::NewCursor(*std::move(view), std::move(range));
}

absl::StatusOr<std::vector<KeyValue>> Handle::LatestK(std::string_view prefix, uint32_t k,
                                                      const Snapshot* snapshot,
                                                      base::Sequence* read_at) {
  SPAN("scan");
  ASSIGN_OR_RETURN(ReadView view, ViewOf(*core_, snapshot));
  if (read_at != nullptr) *read_at = view.sequence;
  return lsm::LatestK(std::move(view), prefix, k);
}

std::unique_ptr<Snapshot> Handle::TakeSnapshot() {
  return SnapshotList::Take(core_->snapshots, core_->last_sequence);
}

Stats Handle::GetStats() const {
  Stats stats = core_->stats.Read();
  const cache::BlockCache::Stats cached = core_->cache->stats();
  stats.cache_hits = cached.hits;
  stats.cache_misses = cached.misses;
  stats.cache_used_bytes = cached.used_bytes;
  stats.index_charged_bytes = cached.reserved_bytes;
  stats.cache_budget_bytes = core_->cache->budget_bytes();
  const std::shared_ptr<const View> view = core_->view.Take();
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    const bool closed = view == nullptr;
    stats.level_tables.push_back(closed ? 0 : view->version->levels[level].size());
    stats.level_bytes.push_back(closed ? 0 : BytesOf(view->version->levels[level]));
  }
  return stats;
}

absl::StatusOr<std::unique_ptr<Core>> OpenChecked(const engine::Env& env, std::string dir,
                                                  const KibanOptions& options) {
  RETURN_IF_ERROR(Validate(options));
  while (dir.ends_with('/')) dir.pop_back();
  if (dir.empty()) return absl::InvalidArgumentError("a database needs a directory of its own");
  CHECK(env.files != nullptr);
  return OpenCore(env, dir, options);
}

}  // namespace kiban::lsm
