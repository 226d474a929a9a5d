// Step O3 of an open: what the live logs hold.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"
#include "engine/lsm/memtable.h"

namespace kiban::lsm {

struct Replayed {
  std::shared_ptr<Memtable> memtable = std::make_shared<Memtable>();
  base::Sequence last_sequence = 0;
  uint64_t records = 0;
  uint64_t dropped_bytes = 0;
};

// Reads the logs `live` (ascending numbers), which continue behind `last_sequence`. All but the
// last must be whole: they were synced before their successors were made. Each must take up the
// sequence where those before left it, and so must the records of one: a hole is kDataLoss, never
// jumped, and neither is a missing end that only the header of the next log tells of.
absl::StatusOr<Replayed> ReplayLogs(engine::FileSystem& files, const std::string& dir,
                                    const std::vector<uint64_t>& live,
                                    base::Sequence last_sequence);

// Whether a log holds anything that might have been a record. An error of reading is an error.
absl::StatusOr<bool> HoldsRecords(engine::FileSystem& files, const std::string& dir,
                                  uint64_t number);

}  // namespace kiban::lsm
