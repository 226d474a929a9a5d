#include "sim/trace.h"

#include <xxhash.h>

namespace kiban::sim {

void Trace::HashBlock() {
  const Digest before = blocks_.empty() ? Digest{} : blocks_.back();
  buffer_[used_++] = {
      .kind = 0, .time = 0, .subject = before.high, .first = before.low, .second = 0, .result = 0};
  const XXH128_hash_t hash = XXH3_128bits(buffer_.data(), used_ * sizeof(Event));
  blocks_.push_back({.high = hash.high64, .low = hash.low64});
  used_ = 0;
}

Digest Trace::Finish() {
  HashBlock();
  return blocks_.back();
}

}  // namespace kiban::sim
