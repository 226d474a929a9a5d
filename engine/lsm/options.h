// What a user may choose. Validated by Db::Open(), which names the field that is out of its bounds.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "engine/cache/budget.h"
#include "engine/pointindex/builder.h"
#include "engine/pointindex/format.h"

namespace kiban::lsm {

struct KibanOptions {
  // A memtable is frozen and flushed once its entries take this much. 256 B .. 1 GiB.
  uint64_t write_buffer_bytes = 4u << 20;
  // A table's block is closed once it is at least this long. 64 B .. 1 MiB.
  uint32_t block_bytes = 4096;
  // Entries of a block from one whole key to the next. 1 .. 256.
  uint32_t restart_interval = 16;
  // Bloom filter bits a key. 1 .. 32.
  uint32_t filter_bits_per_key = 10;
  // What may be kept in memory of tables: verified blocks, and point indexes with the blocks they
  // lead to, which keep their part as long as their tables are open: what they take is not there
  // for blocks of other tables. Any value; 0 keeps nothing. Each open database has a budget of its
  // own. Without a value it is a share of `host_memory` (engine/cache/budget.h), 32 to 512 MiB.
  std::optional<uint64_t> block_cache_bytes;
  // What posix::ReadHostMemory() tells; left empty, 32 MiB are kept.
  cache::MemoryBounds host_memory;
  // Level 0 is compacted once it has this many tables. 1 .. 64.
  uint32_t l0_compaction_trigger = 4;
  // Writers wait once level 0 has this many tables, until a compaction has taken some of them.
  // l0_compaction_trigger .. 256. Only the shared handle can get that far.
  uint32_t l0_write_stall_trigger = 12;
  // Level 1 may hold this much; each deeper level `level_multiplier` times the one above. 512 B ..
  // 1 TiB.
  uint64_t level1_bytes = 16u << 20;
  uint32_t level_multiplier = 10;  // 2 .. 100.
  // A compaction starts a new output once one is this long, between keys only. 512 B .. 1 GiB.
  uint64_t table_bytes = 2u << 20;
  // On: tables are written with a point index (format 4), and those that have one are read through
  // it as far as the budget has room for it and all blocks of its table. Off: format 3 is written
  // and indexes are left alone; Compact() then takes the last of them away.
  bool point_index = false;
  // Make the directory and an empty database if there is none; otherwise kNotFound.
  bool create_if_missing = true;

  struct ForTests {
    // What `point_index` writes; nothing is format 3, while indexes are read.
    std::optional<pointindex::BuilderOptions> written = pointindex::BuilderOptions{};
    // kPh2: a reader from before PH3, which refuses it with kUnimplemented.
    pointindex::Layout newest_layout = pointindex::Layout::kPh3;
  };
  ForTests for_tests;
};

absl::Status Validate(const KibanOptions& options);

}  // namespace kiban::lsm
