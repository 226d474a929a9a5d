// The end of a table: what its parts are and how long (format.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/pointindex/format.h"
#include "engine/table/format.h"

namespace kiban::table {

struct Footer {
  uint64_t data_bytes = 0;
  uint64_t point_index_bytes = 0;  // 0 in format 3.
  uint64_t filter_bytes = 0;
  uint64_t index_bytes = 0;
  uint64_t entry_count = 0;
  base::Sequence sequence_min = 0;
  base::Sequence sequence_max = 0;
  uint32_t block_count = 0;
  std::optional<pointindex::Layout> layout;  // Nothing in format 3.

  uint64_t point_index_offset() const { return data_bytes; }
  uint64_t filter_offset() const { return data_bytes + point_index_bytes; }
  uint64_t index_offset() const { return filter_offset() + filter_bytes; }
  uint64_t footer_offset() const { return index_offset() + index_bytes; }
  uint32_t footer_bytes() const { return layout ? kIndexedFooterBytes : kFooterBytes; }
  TableFormat format() const;
};

// Appends the footer, to stand at footer_offset().
void AppendFooter(std::string& to, uint64_t file_number, const Footer& footer);

// The version of the table of which `tail` is the end; `file_bytes` long. kDataLoss if it is not a
// table, or if its footer is damaged.
absl::StatusOr<uint32_t> ReadVersion(std::string_view path, uint64_t file_number,
                                     uint64_t file_bytes, std::string_view tail);

// The error for an intact table of a version that nothing here can read: kUnimplemented.
absl::Status UnknownVersion(std::string_view path, uint32_t version);

// The footer of a table of this version, which is kVersionSorted or kVersionIndexed. Its parts fill
// the file exactly and may hold what it says they do. kUnimplemented if the layout of its point
// index is newer than `newest`, or a flag of it is not known.
absl::StatusOr<Footer> ReadFooter(std::string_view path, uint64_t file_bytes, std::string_view tail,
                                  uint32_t version, pointindex::Layout newest);

}  // namespace kiban::table
