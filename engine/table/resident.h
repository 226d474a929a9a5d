// A table of format 4 in memory: all of its blocks and its point index, charged together to the
// cache's budget for as long as the table is open.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/cache/block_cache.h"
#include "engine/pointindex/reader.h"
#include "engine/table/sections.h"
#include "engine/table/table_walk.h"

namespace kiban::table {

class Resident {
 public:
  // Reserves, loads, and checks everything there is in one walk: each block, the filter, the
  // footer, and the point index against every entry. Null if `cache` has no room; then nothing was
  // read. On an error the reservation is given back.
  static absl::StatusOr<std::unique_ptr<const Resident>> Load(const Sections& sections,
                                                              cache::BlockCache& cache);

  pointindex::Answer Find(std::string_view key, base::Sequence at) const {
    return index_->Find(key, pointindex::KeyHash(key), at);
  }
  std::string_view ValueAt(const pointindex::ValuePlace& place) const {
    return bytes().substr(static_cast<size_t>(place.offset), place.bytes);
  }
  // The i-th block, without its crc32.
  std::string_view Block(const Index& index, size_t i) const;

 private:
  Resident(cache::Reservation charge, uint64_t size_bytes);
  // Fills bytes [begin, end) from the file.
  absl::Status Read(const TableFile& file, size_t begin, size_t end);
  std::string_view bytes() const { return {bytes_.get(), size_bytes_}; }

  cache::Reservation charge_;
  // The file from its beginning to the end of the point index. What is in it is used where it lies:
  // nothing that grows with the table is made of it.
  const size_t size_bytes_;
  const std::unique_ptr<char[]> bytes_;
  std::unique_ptr<const pointindex::PointIndex> index_;
};

// The point index of `sections`, which is `bytes`, checked against every entry of `walk`. `bytes`
// outlives it.
absl::StatusOr<std::unique_ptr<const pointindex::PointIndex>> OpenPointIndex(
    const Sections& sections, std::string_view bytes, TableWalk walk);

}  // namespace kiban::table
