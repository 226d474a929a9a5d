// Encodes one block at a time (format.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/entry.h"

namespace kiban::table {

class BlockBuilder {
 public:
  explicit BlockBuilder(uint32_t restart_interval);

  // Entries must come in order, over all blocks (CHECK). Returns where in the block the value
  // stands.
  uint64_t Add(const Entry& entry);
  bool empty() const { return restarts_.empty(); }
  // Of the block if it were finished now, crc32 included.
  uint64_t size_bytes() const;
  // Appends the block, which is not empty and begins at `offset` of the file, and starts the next.
  void Finish(std::string& to, uint64_t file_number, uint64_t offset);

  // The entry added last, in this block or the one before.
  std::string_view last_key() const { return last_key_; }
  base::Sequence last_sequence() const { return last_sequence_; }

 private:
  uint32_t restart_interval_;
  std::string entries_;
  std::vector<uint32_t> restarts_;
  uint32_t since_restart_ = 0;
  bool has_last_ = false;
  std::string last_key_;
  base::Sequence last_sequence_ = 0;
};

}  // namespace kiban::table
