// Appends records to one log segment. One task at a time.
//
// Add() collects records in memory and Flush() hands them to the file system in one call, so that
// writers who meet can share it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"

namespace kiban::wal {

class Writer {
 public:
  // Makes the file, which must not exist, and writes its header. Nothing is durable yet: the header
  // is carried by the first Sync(), the name by a SyncDir() that the caller makes. `files` is only
  // used here.
  static absl::StatusOr<std::unique_ptr<Writer>> Create(engine::FileSystem& files, std::string path,
                                                        uint64_t segment_id,
                                                        base::Sequence first_sequence);

  // Puts one record behind those that wait for Flush(). Records come in the order of their
  // sequences, the first with that of the header; `durable_through` is at least first_sequence - 1
  // of the header and smaller than this record's sequence (CHECK; format.h says what depends on
  // it). kInvalidArgument, with nothing touched, if `payload` is empty or over kPayloadBytesMax.
  absl::Status Add(base::Sequence first_sequence, base::Sequence durable_through,
                   std::string_view payload);

  // Hands all that was added to the file system in one call. After an error, here or in Sync(), the
  // segment's tail is in doubt and the writer refuses everything with kFailedPrecondition; nothing
  // is retried.
  absl::Status Flush();

  // Both, for one record.
  absl::Status Append(base::Sequence first_sequence, base::Sequence durable_through,
                      std::string_view payload);

  // After OK every record flushed so far survives a power cut, provided the name does.
  absl::Status Sync();

  // Syncs nothing. No other call may follow.
  absl::Status Close();

  uint64_t size_bytes() const { return size_bytes_; }
  const std::string& path() const { return path_; }

 private:
  Writer(std::string path, uint64_t segment_id, base::Sequence first_sequence,
         std::unique_ptr<engine::File> file);
  absl::Status MayWrite() const;
  absl::Status Remember(absl::Status status);

  std::string path_;
  uint64_t segment_id_;
  base::Sequence first_sequence_;
  base::Sequence last_added_ = 0;  // The newest record's first sequence; 0 before the first.
  std::unique_ptr<engine::File> file_;
  uint64_t size_bytes_ = 0;  // Of the file, counting only what was accepted.
  bool failed_ = false;      // A call has failed: the tail may hold anything.
  std::string added_;        // Records that wait for Flush(), as they will stand in the file.
};

}  // namespace kiban::wal
