#include "engine/lsm/read_path.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/lsm/level_iterator.h"

namespace kiban::lsm {
namespace {

using MaybeFound = std::optional<table::Found>;

std::optional<std::string> ValueOf(table::Kind kind, std::string_view value) {
  if (kind == table::Kind::kDelete) return std::nullopt;
  return std::string(value);
}

// Level 0 is searched from its newest table to its oldest: the sequences of one lie all above those
// of the next, so the first version found is the newest.
absl::StatusOr<MaybeFound> FindInLevel0(const std::vector<TableRef>& tables, std::string_view key,
                                        base::Sequence at) {
  for (auto table = tables.rbegin(); table != tables.rend(); ++table) {
    if (!Overlaps((*table)->info, key, key)) continue;
    ASSIGN_OR_RETURN(MaybeFound found, (*table)->reader->Get(key, at));
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

absl::StatusOr<MaybeFound> FindInTables(const Version& version, std::string_view key,
                                        base::Sequence at) {
  ASSIGN_OR_RETURN(MaybeFound newest, FindInLevel0(version.levels[0], key, at));
  if (newest.has_value()) return newest;
  for (uint32_t level = 1; level < kLevelCount; ++level) {
    const std::vector<TableRef>& tables = version.levels[level];
    const size_t candidate = FirstEndingAtOrBehind(tables, key);
    if (candidate == tables.size() || tables[candidate]->info.smallest_key > key) continue;
    ASSIGN_OR_RETURN(MaybeFound found, tables[candidate]->reader->Get(key, at));
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

base::Counter& CounterOf(Counters& stats, table::Tier tier) {
  switch (tier) {
    case table::Tier::kCache:
      return stats.gets_from_cache;
    case table::Tier::kDisk:
      return stats.gets_from_disk;
    case table::Tier::kIndex:
      return stats.gets_from_index;
  }
  CHECK(false);
}

bool MayHold(const TableInfo& table, std::string_view from, const std::optional<std::string>& to) {
  return table.largest_key >= from && (!to.has_value() || table.smallest_key < *to);
}

}  // namespace

// The view first, then the sequence. The other way round a compaction could come in between and
// drop the versions that were the newest at that sequence. As it is, everything in the view's
// tables and in its frozen memtable was visible before the view was there, so the sequence lies at
// or above all of it. It may also lie above what the view's memtable will ever hold, if the log was
// switched in between: then the memtable's limit is what the view can answer for, and it was the
// newest visible sequence at a moment between the two looks. The limit is stored before the new
// memtable is published, and so before any sequence above it is: looking for it last finds it.
absl::StatusOr<ReadView> ViewOf(const Core& core, const Snapshot* snapshot) {
  ReadView read{.view = core.view.Take(), .sequence = 0};
  if (read.view == nullptr) return core.Closed();
  if (snapshot != nullptr) {
    read.sequence = snapshot->sequence();
  } else {
    const base::Sequence visible = core.last_sequence.Load();
    const base::Sequence limit = read.view->memtable->limit();
    read.sequence = std::min(visible, limit);
  }
  return read;
}

std::vector<std::unique_ptr<table::Iterator>> SourcesOf(const View& view, std::string_view from,
                                                        const std::optional<std::string>& to) {
  std::vector<std::unique_ptr<table::Iterator>> sources;
  for (const auto& memtable : {view.memtable, view.frozen}) {
    if (memtable != nullptr && !memtable->empty()) {
      sources.push_back(Memtable::NewIterator(memtable));
    }
  }
  for (const TableRef& table : view.version->levels[0]) {
    if (MayHold(table->info, from, to)) sources.push_back(table->reader->NewIterator());
  }
  for (uint32_t level = 1; level < kLevelCount; ++level) {
    const std::vector<TableRef>& tables = view.version->levels[level];
    const size_t first = FirstEndingAtOrBehind(tables, from);
    if (first < tables.size() && MayHold(tables[first]->info, from, to)) {
      sources.push_back(std::make_unique<LevelIterator>(tables));
    }
  }
  return sources;
}

absl::StatusOr<std::optional<std::string>> Get(const ReadView& read, std::string_view key,
                                               Counters& stats) {
  const View& view = *read.view;
  ++stats.gets;
  if (const table::Entry* const entry = view.memtable->Find(key, read.sequence)) {
    ++stats.gets_from_memtable;
    return ValueOf(entry->kind, entry->value);
  }
  if (view.frozen != nullptr) {
    if (const table::Entry* const entry = view.frozen->Find(key, read.sequence)) {
      ++stats.gets_from_frozen;
      return ValueOf(entry->kind, entry->value);
    }
  }
  ASSIGN_OR_RETURN(MaybeFound found, FindInTables(*view.version, key, read.sequence));
  if (!found.has_value()) {
    ++stats.gets_absent;
    return std::nullopt;
  }
  ++CounterOf(stats, found->tier);
  if (found->kind == table::Kind::kDelete) return std::nullopt;
  return std::move(found->value);
}

}  // namespace kiban::lsm
