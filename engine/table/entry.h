// One version of one key, and the order in which versions stand everywhere: keys ascending by
// unsigned bytes, the versions of one key newest first.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "engine/base/sequence.h"

namespace kiban::table {

enum class Kind : uint8_t { kDelete = 0, kPut = 1 };

struct Entry {
  std::string_view key;
  base::Sequence sequence = 0;
  Kind kind = Kind::kPut;
  std::string_view value;  // Empty for kDelete.
};

// Less: `a` stands before (b_key, b_sequence).
inline std::strong_ordering Compare(std::string_view a_key, base::Sequence a_sequence,
                                    std::string_view b_key, base::Sequence b_sequence) {
  const int keys = a_key.compare(b_key);  // char_traits<char> compares as unsigned bytes.
  if (keys != 0) return keys <=> 0;
  return b_sequence <=> a_sequence;
}

}  // namespace kiban::table
