// Writes one sorted table, front to back. The layout is in format.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/env.h"
#include "engine/pointindex/builder.h"
#include "engine/table/entry.h"

namespace kiban::table {

inline constexpr uint32_t kWriteBytes = 64u << 10;

// Bounds: block_bytes and restart_interval from 1, as in format.h up to there (CHECK).
struct BuilderOptions {
  uint32_t block_bytes = 4096;     // A block is closed once it is at least this long.
  uint32_t restart_interval = 16;  // Entries from one whole key to the next.
  uint32_t filter_bits_per_key = 10;
  size_t expected_entries = 0;  // Room is taken for as many; more or fewer may come.
  // With it the table is of format 4, unless no perfect hash is found for its keys.
  std::optional<pointindex::BuilderOptions> point_index;
};

class Builder {
 public:
  // Makes the file, which must not exist.
  static absl::StatusOr<std::unique_ptr<Builder>> Create(engine::FileSystem& files,
                                                         const std::string& path,
                                                         uint64_t file_number,
                                                         const BuilderOptions& options);
  virtual ~Builder() = default;

  // Entries must come in order, no two alike (CHECK). Errors stick. What is added reaches the file
  // in pieces of kWriteBytes or more, and a small table in one call.
  virtual absl::Status Add(const Entry& entry) = 0;

  // Writes what is left, filter, index and footer. Nothing is durable until Sync(). There is no
  // empty table (CHECK): who has no entries needs no file.
  virtual absl::Status Finish() = 0;
  // After OK the bytes survive a power cut; the name needs the caller's SyncDir().
  virtual absl::Status Sync() = 0;
  virtual absl::Status Close() = 0;

  virtual uint64_t entry_count() const = 0;
  // What the file would be if it were finished now, but for a point index: of that it counts about
  // what PH3 takes. Exact after Finish().
  virtual uint64_t size_bytes() const = 0;
};

}  // namespace kiban::table
