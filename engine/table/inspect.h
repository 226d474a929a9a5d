// What is in a table, part by part, for people: everything that can be told, damaged or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"
#include "engine/pointindex/ph3_layout.h"
#include "engine/pointindex/section.h"
#include "engine/table/footer.h"

namespace kiban::table {

struct PartDescription {
  uint64_t offset = 0;  // In the file.
  uint64_t bytes = 0;   // Checksum included.
  absl::Status status;  // What is wrong with it; what else is said of the part is then not known.
};

struct BlockDescription {
  PartDescription part;
  uint64_t entry_count = 0;
  std::string first_key;
  base::Sequence first_sequence = 0;
  std::string fence_key;  // Behind the block, from the index.
  base::Sequence fence_sequence = 0;
};

struct FilterDescription {
  PartDescription part;
  uint64_t key_count = 0;
  uint64_t bit_count = 0;
  uint32_t bits_per_key = 0;
  uint32_t probe_count = 0;
};

struct IndexDescription {
  PartDescription part;
  std::string smallest_key;
};

struct PointIndexDescription {
  PartDescription part;
  pointindex::Header header;
  pointindex::SectionSizes sizes;
  std::optional<pointindex::Ph3Layout> fields;  // Of PH3.
};

struct TableDescription {
  uint64_t file_bytes = 0;
  PartDescription footer_part;  // If it is damaged no other part can be found.
  uint32_t version = 0;
  Footer footer;
  std::vector<BlockDescription> blocks;  // Empty if the index is damaged, which tells them apart.
  std::optional<PointIndexDescription> point_index;
  FilterDescription filter;
  IndexDescription index;
  // OK if a part is damaged; otherwise what only all parts together show.
  absl::Status whole;
};

// An error if the file cannot be read or is of a version that is not known here. Damage is no
// error.
absl::StatusOr<TableDescription> Describe(engine::FileSystem& files, const std::string& path,
                                          uint64_t file_number);

}  // namespace kiban::table
