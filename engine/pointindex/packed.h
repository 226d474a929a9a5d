// Integers of a few bits each, side by side: a part of fields, each as wide as the largest number
// in it asks for, counted from the smallest. A part begins and ends on a byte.
//
// Whoever reads a part may look at the eight bytes from any byte of it on: something has to follow.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/base/bytes.h"

namespace kiban::pointindex {

// One eight-byte load reaches a field wherever in its first byte it begins.
inline constexpr uint32_t kFieldBitsMax = 56;

// The numbers that go into a field.
struct FieldRange {
  uint64_t low = UINT64_MAX;
  uint64_t high = 0;

  void Add(uint64_t value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

// As it stands on disk: the number is base + bits.
struct FieldWidth {
  uint64_t base = 0;
  uint32_t bits = 0;
};

inline FieldWidth WidthOf(const FieldRange& range) {
  if (range.empty()) return {};
  return {range.low, static_cast<uint32_t>(std::bit_width(range.high - range.low))};
}

struct PackedField {
  uint64_t base = 0;
  uint64_t mask = 0;
  uint32_t at = 0;  // The bit at which it begins; 0 if it has none.
};

template <size_t kFields>
struct PackedPart {
  std::array<PackedField, kFields> fields{};
  uint32_t bits = 0;

  uint32_t bytes() const { return (bits + 7) / 8; }
  bool fits_a_word() const { return bits <= 64; }

  static PackedPart Of(const std::array<FieldWidth, kFields>& widths) {
    PackedPart part;
    for (size_t i = 0; i < kFields; ++i) {
      part.fields[i].base = widths[i].base;
      if (widths[i].bits == 0) continue;
      part.fields[i].mask = (uint64_t{1} << widths[i].bits) - 1;
      part.fields[i].at = part.bits;
      part.bits += widths[i].bits;
    }
    return part;
  }

  // Whether the bits behind the last field, up to the next byte, are zeros.
  bool EndsInZeros(const char* part) const {
    return bits % 8 == 0 || static_cast<unsigned char>(part[bits / 8]) >> (bits % 8) == 0;
  }

  // Whether the part is as Store() leaves it.
  bool Holds(const char* part, const std::array<uint64_t, kFields>& numbers) const {
    if (fits_a_word()) {
      uint64_t word = 0;
      uint64_t too_wide = 0;
      ForEachField([&](size_t i) {
        const uint64_t bits_here = numbers[i] - fields[i].base;
        too_wide |= bits_here & ~fields[i].mask;
        word |= bits_here << fields[i].at;
      });
      const uint64_t behind = ~uint64_t{0} << bytes() * 4 << bytes() * 4;  // Not by 64 at once.
      return too_wide == 0 && (base::LoadLittle<uint64_t>(part) & ~behind) == word;
    }
    bool holds = EndsInZeros(part);
    ForEachField([&](size_t i) {
      const auto word = base::LoadLittle<uint64_t>(part + fields[i].at / 8);
      holds &= (word >> fields[i].at % 8 & fields[i].mask) == numbers[i] - fields[i].base;
    });
    return holds;
  }

  // Bytes at `to` were zeros. The numbers must fit.
  void Store(char* to, const std::array<uint64_t, kFields>& numbers) const {
    if (fits_a_word()) {  // Not one by one: each would wait for the one before.
      uint64_t word = 0;
      ForEachField([&](size_t i) { word |= (numbers[i] - fields[i].base) << fields[i].at; });
      base::StoreLittle(to, base::LoadLittle<uint64_t>(to) | word);
      return;
    }
    ForEachField([&](size_t i) {
      char* const byte = to + fields[i].at / 8;
      const uint64_t bits_here = (numbers[i] - fields[i].base) << fields[i].at % 8;
      base::StoreLittle(byte, base::LoadLittle<uint64_t>(byte) | bits_here);
    });
  }

 private:
  // A loop without a loop: the numbers are in registers then, and need not be put into an array.
  template <typename Body>
  static void ForEachField(Body body) {
    [&]<size_t... kIndex>(std::index_sequence<kIndex...>) { (body(kIndex), ...); }
    (std::make_index_sequence<kFields>());
  }
};

// Reads the fields of one part. If the part fits a word, all of them take a single load.
template <bool kFitsAWord>
class PackedReader {
 public:
  explicit PackedReader(const char* part)
      : part_(part), word_(kFitsAWord ? base::LoadLittle<uint64_t>(part) : 0) {}

  uint64_t operator()(const PackedField& field) const {
    if constexpr (kFitsAWord) return field.base + (word_ >> field.at & field.mask);
    const auto word = base::LoadLittle<uint64_t>(part_ + field.at / 8);
    return field.base + (word >> field.at % 8 & field.mask);
  }

 private:
  const char* part_;
  uint64_t word_;
};

}  // namespace kiban::pointindex
