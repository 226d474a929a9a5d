// A list of puts and deletes that is applied whole or not at all, and the bytes it takes in the
// log.
//
//   payload := operation+        each taking one sequence, in order
//   operation := kind u8 (table::Kind), counted key, counted value (kPut only); counts are varints
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "engine/table/entry.h"

namespace kiban::lsm {

class Batch {
 public:
  void Put(std::string_view key, std::string_view value);
  void Delete(std::string_view key);
  void Clear();

  uint32_t count() const { return count_; }
  uint32_t delete_count() const { return delete_count_; }
  uint64_t longest_key_bytes() const { return longest_key_bytes_; }
  std::string_view payload() const { return payload_; }

 private:
  void Append(table::Kind kind, std::string_view key);

  std::string payload_;
  uint32_t count_ = 0;
  uint32_t delete_count_ = 0;
  uint64_t longest_key_bytes_ = 0;
};

// Calls `visit(kind, key, value)` for each operation. kDataLoss, without file or offset, if
// `payload` is not exactly as a Batch writes it; whatever was visited before must then be thrown
// away.
absl::Status DecodeBatch(
    std::string_view payload,
    const std::function<absl::Status(table::Kind, std::string_view, std::string_view)>& visit);

}  // namespace kiban::lsm
