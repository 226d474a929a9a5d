// What is kept of an open table besides its blocks, and what its blocks are checked against.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/pointindex/format.h"
#include "engine/table/filter.h"
#include "engine/table/footer.h"
#include "engine/table/index.h"
#include "engine/table/table_file.h"

namespace kiban::table {

struct Sections {
  TableFile file;
  Footer footer;
  Filter filter;
  Index index;

  // `file` is open, its footer intact and of a known version. Checks filter and index; of the point
  // index no more than the footer's word on its layout.
  static absl::StatusOr<Sections> Open(TableFile file, uint32_t version, pointindex::Layout newest);

  // The i-th block from the file, without its crc32. It is as CheckBlock() demands.
  absl::StatusOr<std::string> ReadBlock(size_t i) const;
  // `bytes` are the i-th block as it stands in the file: without its crc32, once that holds, every
  // entry is sound and both ends agree with the fences.
  absl::StatusOr<std::string_view> CheckBlock(size_t i, std::string_view bytes) const;
};

}  // namespace kiban::table
