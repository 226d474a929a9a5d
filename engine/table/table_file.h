// The bytes of an open table: its end, which is read at once when it is opened, and its blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/env.h"

namespace kiban::table {

class TableFile {
 public:
  // Reads the last kTailBytes too: of a small table that is all but everything.
  static absl::StatusOr<TableFile> Open(engine::FileSystem& files, std::string path,
                                        uint64_t file_number);

  // Makes tail() begin at `offset` at the latest.
  absl::Status ExtendTail(uint64_t offset);
  std::string_view tail() const { return tail_; }
  // A part of tail().
  std::string_view InTail(uint64_t offset, uint64_t bytes) const;
  void ForgetTail();

  absl::Status Read(uint64_t offset, std::span<char> out) const;
  // Whether `block`, read at `offset`, ends in its crc32.
  bool HasItsCrc(uint64_t offset, std::string_view block) const;

  const std::string& path() const { return path_; }
  uint64_t file_number() const { return file_number_; }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  static constexpr uint64_t kTailBytes = 8192;

  TableFile() = default;

  std::string path_;
  uint64_t file_number_ = 0;
  std::unique_ptr<engine::File> file_;
  uint64_t size_bytes_ = 0;
  std::string tail_;
};

}  // namespace kiban::table
