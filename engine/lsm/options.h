// What a user may choose. Validated by Db::Open(), which names the field that is out of its bounds.
#pragma once

#include <cstdint>

#include "absl/status/status.h"

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
  // Verified blocks kept in memory. Any value; 0 keeps none.
  uint64_t block_cache_bytes = 32u << 20;
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
  // Make the directory and an empty database if there is none; otherwise kNotFound.
  bool create_if_missing = true;
};

absl::Status Validate(const KibanOptions& options);

}  // namespace kiban::lsm
