// Memory that is taken in small pieces and given back all at once. Chunks grow with use, so that an
// empty arena costs nothing and a small one little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace kiban::lsm {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised, aligned for a pointer, valid as long as the arena.
  char* Allocate(size_t bytes);
  std::string_view Copy(std::string_view text);

  // What was asked for, not what is held in reserve.
  uint64_t used_bytes() const { return used_bytes_; }

 private:
  static constexpr size_t kFirstChunkBytes = 4096;
  static constexpr size_t kLargestChunkBytes = size_t{256} * 1024;

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  size_t free_bytes_ = 0;
  size_t next_chunk_bytes_ = kFirstChunkBytes;
  uint64_t used_bytes_ = 0;
};

}  // namespace kiban::lsm
