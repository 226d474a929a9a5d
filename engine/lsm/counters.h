// What is counted while a database is open: the part of Stats that is not worked out when it is
// asked for.
#pragma once

#include "engine/base/counter.h"
#include "engine/lsm/db.h"

namespace kiban::lsm {

struct Counters {
  base::Counter puts, deletes, gets;
  base::Counter gets_from_memtable, gets_from_frozen, gets_from_cache, gets_from_disk;
  base::Counter gets_from_index, gets_absent;
  base::Counter log_syncs, log_switches;
  base::Counter flushes, compactions, manifests;
  base::Counter tables_written_sst3, tables_written_ph2, tables_written_ph3;
  base::Counter indexes_not_loaded;
  base::Counter flushed_bytes, compacted_bytes;
  base::Counter versions_dropped, tombstones_dropped;
  base::Counter files_swept, removes_failed;
  base::Counter replayed_records, replayed_tail_bytes_dropped;

  // Not at one moment: others may count in between.
  Stats Read() const {
    return {.puts = puts.value(),
            .deletes = deletes.value(),
            .gets = gets.value(),
            .gets_from_memtable = gets_from_memtable.value(),
            .gets_from_frozen = gets_from_frozen.value(),
            .gets_from_cache = gets_from_cache.value(),
            .gets_from_disk = gets_from_disk.value(),
            .gets_from_index = gets_from_index.value(),
            .gets_absent = gets_absent.value(),
            .log_syncs = log_syncs.value(),
            .log_switches = log_switches.value(),
            .flushes = flushes.value(),
            .compactions = compactions.value(),
            .manifests = manifests.value(),
            .tables_written_sst3 = tables_written_sst3.value(),
            .tables_written_ph2 = tables_written_ph2.value(),
            .tables_written_ph3 = tables_written_ph3.value(),
            .indexes_not_loaded = indexes_not_loaded.value(),
            .flushed_bytes = flushed_bytes.value(),
            .compacted_bytes = compacted_bytes.value(),
            .versions_dropped = versions_dropped.value(),
            .tombstones_dropped = tombstones_dropped.value(),
            .files_swept = files_swept.value(),
            .removes_failed = removes_failed.value(),
            .replayed_records = replayed_records.value(),
            .replayed_tail_bytes_dropped = replayed_tail_bytes_dropped.value(),
            .cache_hits = 0,
            .cache_misses = 0,
            .cache_used_bytes = 0,
            .cache_budget_bytes = 0,
            .index_charged_bytes = 0,
            .level_tables = {},
            .level_bytes = {}};
  }
};

}  // namespace kiban::lsm
