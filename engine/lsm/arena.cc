#include "engine/lsm/arena.h"

#include <algorithm>
#include <cstring>

namespace kiban::lsm {

char* Arena::Allocate(size_t bytes) {
  constexpr size_t kAlign = alignof(void*);
  bytes = (bytes + kAlign - 1) / kAlign * kAlign;
  if (bytes > free_bytes_) {
    const size_t chunk_bytes = std::max(bytes, next_chunk_bytes_);
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk_bytes));
    free_ = chunks_.back().get();
    free_bytes_ = chunk_bytes;
    next_chunk_bytes_ = std::min(next_chunk_bytes_ * 2, kLargestChunkBytes);
  }
  char* const piece = free_;
  free_ += bytes;
  free_bytes_ -= bytes;
  used_bytes_ += bytes;
  return piece;
}

std::string_view Arena::Copy(std::string_view text) {
  if (text.empty()) return {};
  char* const copy = Allocate(text.size());
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

}  // namespace kiban::lsm
