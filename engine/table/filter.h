// Bloom filter over the keys of a table (B. H. Bloom, "Space/time trade-offs in hash coding with
// allowable errors", CACM 13/7, 1970), probed by double hashing (Kirsch and Mitzenmacher, "Less
// hashing, same performance", ESA 2006). Never denies a key that it was built from.
//
// Length and probes follow from the number of keys and the bits spent on each, so a decoder knows
// both exactly. The filter of no key is as long as that of one, and denies everything.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/hash.h"

namespace kiban::table {

class Filter {
 public:
  // What stands for a key; the same in every build, because it decides which bits are set on disk.
  static uint64_t HashOf(std::string_view key) { return base::Hash64(key); }

  // The section for keys with these hashes, to stand at `offset` of the file.
  static void Append(std::string& to, uint64_t file_number, uint64_t offset,
                     std::span<const uint64_t> hashes, uint32_t bits_per_key);
  // How long that will be.
  static uint64_t EncodedBytes(uint64_t key_count, uint32_t bits_per_key);

  // Nullopt unless `section` is exactly as Append() leaves it.
  static std::optional<Filter> Decode(uint64_t file_number, uint64_t offset,
                                      std::string_view section);

  bool MayContain(uint64_t hash) const;

  uint64_t key_count() const { return key_count_; }
  uint32_t bits_per_key() const { return bits_per_key_; }
  uint32_t probe_count() const { return probe_count_; }
  uint64_t bit_count() const { return uint64_t{bits_.size()} * 8; }

 private:
  std::string bits_;
  uint64_t key_count_ = 0;
  uint32_t bits_per_key_ = 0;
  uint32_t probe_count_ = 0;
};

}  // namespace kiban::table
