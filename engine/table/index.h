// The index: where each block ends, in the file and in the order of entries (format.h, "fence").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/table/footer.h"

namespace kiban::table {

class IndexBuilder {
 public:
  // `smallest_key` stands in front of all fences.
  void Begin(std::string_view smallest_key);
  void Add(std::string_view key, base::Sequence sequence, uint64_t block_bytes);
  // Of the section if this were added as the last fence.
  uint64_t SizeWith(std::string_view key, base::Sequence sequence, uint64_t block_bytes) const;
  // Appends the section, which begins at `offset` of the file.
  void Finish(std::string& to, uint64_t file_number, uint64_t offset);
  uint32_t fence_count() const { return fence_count_; }

 private:
  std::string bytes_;
  std::string last_key_;
  uint32_t fence_count_ = 0;
};

// A fence parsed into one cache line, so that a search touches one line a step. Keys that do not
// fit stand in a string beside the fences.
class alignas(64) Fence {
 public:
  static constexpr size_t kInlineBytesMax = 46;

  // Appends `key` to `long_keys` if it does not fit.
  Fence(std::string_view key, base::Sequence sequence, uint64_t block_end, std::string& long_keys);

  std::string_view key(const std::string& long_keys) const;
  base::Sequence sequence() const { return sequence_; }
  uint64_t block_end() const { return block_end_; }

 private:
  static constexpr uint16_t kElsewhere = UINT16_MAX;

  uint64_t block_end_;  // In the file; the next block begins there.
  base::Sequence sequence_;
  uint16_t inline_bytes_;  // Or kElsewhere: then inline_ has offset and length in long_keys.
  char inline_[kInlineBytesMax];
};
static_assert(sizeof(Fence) == 64);

class Index {
 public:
  // kDataLoss unless `section` is valid (format.h) for the blocks of `footer`.
  static absl::StatusOr<Index> Decode(std::string_view path, uint64_t file_number,
                                      const Footer& footer, std::string_view section);

  size_t block_count() const { return fences_.size(); }
  uint64_t block_offset(size_t i) const { return i == 0 ? 0 : fences_[i - 1].block_end(); }
  // With the crc32.
  uint64_t block_bytes(size_t i) const { return fences_[i].block_end() - block_offset(i); }
  std::string_view key(size_t i) const { return fences_[i].key(long_keys_); }
  base::Sequence sequence(size_t i) const { return fences_[i].sequence(); }
  std::string_view smallest_key() const { return smallest_key_; }
  std::string_view largest_key() const { return key(block_count() - 1); }

  // The first block whose fence does not stand before (key, sequence); block_count() if all do.
  size_t Find(std::string_view key, base::Sequence sequence) const;

 private:
  std::string smallest_key_;
  std::vector<Fence> fences_;
  std::string long_keys_;
};

}  // namespace kiban::table
