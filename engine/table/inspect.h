// What is in a table, for people: everything that can be told, damaged or not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"

namespace kiban::table {

struct BlockDescription {
  uint64_t offset = 0;
  uint64_t bytes = 0;   // In the file, checksum included.
  absl::Status status;  // What is wrong with it; what follows is then not known.
  uint64_t entry_count = 0;
  std::string first_key;
};

struct TableDescription {
  uint32_t version = 0;
  uint64_t file_bytes = 0;
  uint64_t data_bytes = 0;
  uint64_t filter_bytes = 0;
  uint64_t index_bytes = 0;
  uint64_t entry_count = 0;
  std::string smallest_key;
  std::string largest_key;
  base::Sequence sequence_min = 0;
  base::Sequence sequence_max = 0;
  uint64_t filter_key_count = 0;
  uint64_t filter_bit_count = 0;
  uint32_t filter_bits_per_key = 0;
  uint32_t filter_probe_count = 0;
  std::vector<BlockDescription> blocks;
  // Of the whole table: the first damage there is, with its offset.
  absl::Status status;
};

// An error if there is nothing to tell: the file cannot be read, or footer, filter or index are
// damaged.
absl::StatusOr<TableDescription> Describe(engine::FileSystem& files, const std::string& path,
                                          uint64_t file_number);

}  // namespace kiban::table
