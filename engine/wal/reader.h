// Reads one log segment back and decides where it ends (format.h, "what a hole means").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"

namespace kiban::wal {

enum class TailRule {
  kWhole,      // Synced before its successor was made: anything but a clean end is kDataLoss.
  kMayBeTorn,  // The last live segment: it ends by the hole rule.
};

struct Record {
  uint64_t offset;
  base::Sequence first_sequence;
  base::Sequence durable_through;
  std::string_view payload;  // Valid during the visit only.
};

struct ReplayResult {
  uint64_t records = 0;
  uint64_t end_offset = 0;     // Just past the last valid record, padding included.
  uint64_t dropped_bytes = 0;  // What lies behind it and was never promised to anyone.
  // False: the header is short, zero or invalid and nothing in the segment was ever synced: an
  // empty log.
  bool has_header = false;
  base::Sequence first_sequence = 0;  // Of the header, if there is one.
  // Without a header only: a valid record stands in what is dropped.
  bool has_stray_record = false;
};

// The first sequence of the segment that begins with `bytes`; nullopt if its header is short, zero
// or invalid. kUnimplemented, naming the format, for a good header of another format.
absl::StatusOr<std::optional<base::Sequence>> ReadHeader(std::string_view path, uint64_t segment_id,
                                                         std::string_view bytes);

// Calls `visit` for each valid record in order; it answers with the sequence that follows the
// record's last operation, which is larger than its first (CHECK). That is the sequence which the
// next record must begin with (a record that begins with another is invalid) and which the hole
// rule calls the hole. The first record begins with the header's first_sequence. A read error ends
// the replay with that error: it is never taken for the end of the log. An error of `visit` is
// returned as it is. What was visited before any error must be thrown away. Otherwise errors are
// those of ReadHeader().
//
// The search behind a hole looks at length, sequence in (hole, hole + bytes left] and
// durable_through < sequence before it computes any CRC, and gives up with kDataLoss after hashing
// four times the file.
absl::StatusOr<ReplayResult> Replay(
    engine::FileSystem& files, const std::string& path, uint64_t segment_id, TailRule tail,
    const std::function<absl::StatusOr<base::Sequence>(const Record&)>& visit);

}  // namespace kiban::wal
