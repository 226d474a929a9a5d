// All entries of a table, from first to last, and with them everything that only all blocks
// together can show: the filter admits every key and has no more, counts and sequences are the
// footer's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/pointindex/record.h"
#include "engine/table/sections.h"

namespace kiban::table {

class TableWalk {
 public:
  // The i-th block, checked; it lives until the next is asked for.
  using Blocks = std::function<absl::StatusOr<std::string_view>(size_t i)>;

  // `sections` outlives the walk.
  TableWalk(const Sections& sections, Blocks blocks)
      : sections_(sections), blocks_(std::move(blocks)) {}

  // The next entry, as a point index is told of it; its key lives until the next call. False once
  // all have been given and all holds.
  absl::StatusOr<bool> Next(pointindex::Record& record);

 private:
  absl::Status EnterBlock();
  absl::Status BeginKey(std::string_view suffix, size_t shared_bytes);
  absl::Status End() const;

  const Sections& sections_;
  const Blocks blocks_;
  size_t next_block_ = 0;
  const char* block_ = nullptr;
  uint64_t block_offset_ = 0;
  std::string_view left_;  // Of the block's entries.
  std::string key_;
  uint64_t hash_ = 0;
  uint64_t key_count_ = 0;
  uint64_t entry_count_ = 0;
  base::Sequence sequence_min_ = UINT64_MAX;
  base::Sequence sequence_max_ = 0;
};

}  // namespace kiban::table
