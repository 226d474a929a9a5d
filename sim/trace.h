// The rolling 128-bit digest over every event of a life. Always on: it is what makes "the same
// life" a fact that can be checked.
//
// Events are packed into a small buffer and hashed (XXH3, 128 bits) when it is full, each block
// together with the digest of the one before. The value after each 1,024 events is kept, so that
// two runs that differ can be searched for the first difference.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/hash.h"
#include "sim/digest.h"

namespace kiban::sim {

struct Event {
  uint64_t kind;  // What happened; the meaning of the rest depends on it.
  uint64_t time;
  uint64_t subject;
  uint64_t first;
  uint64_t second;
  uint64_t result;
  friend bool operator==(const Event&, const Event&) = default;
};
static_assert(sizeof(Event) == 48, "hashed as bytes: no padding");

class Trace {
 public:
  static constexpr size_t kEventsPerBlock = 1024;
  // kNothing is for measuring what recording costs (`kiban bench sim`), never for a sweep. kAndKeep
  // is for finding the first event at which two runs differ.
  enum class Recording { kEverything, kNothing, kAndKeep };

  // `kept` outlives the trace; it is needed for kAndKeep.
  explicit Trace(Recording recording, std::vector<Event>* kept = nullptr)
      : recording_(recording), kept_(kept) {}

  void Add(const Event& event) {
    if (recording_ != Recording::kEverything) {
      if (recording_ == Recording::kNothing) return;
      kept_->push_back(event);
    }
    buffer_[used_++] = event;
    if (used_ == kEventsPerBlock) HashBlock();
  }

  // What stands for bytes in an event. The seed is added, not given to XXH3, which would derive a
  // whole secret from it each time.
  uint64_t HashOf(std::string_view bytes, uint64_t seed) const {
    return recording_ == Recording::kNothing ? 0 : base::Hash64(bytes) + base::Mix64(seed);
  }

  // How many were added.
  uint64_t count() const { return blocks_.size() * kEventsPerBlock + used_; }

  // Over everything so far. Nothing may be added afterwards.
  Digest Finish();

  // The digest after each full block.
  const std::vector<Digest>& blocks() const { return blocks_; }

 private:
  void HashBlock();

  Recording recording_;
  std::vector<Event>* kept_;
  std::vector<Digest> blocks_;
  size_t used_ = 0;
  // The last place is for the digest of the block before.
  std::array<Event, kEventsPerBlock + 1> buffer_;
};

}  // namespace kiban::sim
