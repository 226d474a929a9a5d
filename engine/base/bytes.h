// Bytes and little-endian integers, the only byte order on disk.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiban::base {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian; add byte swaps");

inline std::span<const std::byte> AsBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <typename Int>
void StoreLittle(char* to, Int value) {
  static_assert(std::is_unsigned_v<Int>);
  std::memcpy(to, &value, sizeof value);
}

template <typename Int>
Int LoadLittle(const char* from) {
  static_assert(std::is_unsigned_v<Int>);
  Int value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// How many bytes two texts have in common at their beginning.
inline size_t CommonPrefixBytes(std::string_view a, std::string_view b) {
  const size_t end = std::min(a.size(), b.size());
  const auto differing = [&](size_t at) {
    return LoadLittle<uint64_t>(a.data() + at) ^ LoadLittle<uint64_t>(b.data() + at);
  };
  const auto end_from = [](size_t at, uint64_t difference) {
    return at + static_cast<size_t>(std::countr_zero(difference)) / 8;
  };
  size_t at = 0;
  for (; at + 8 <= end; at += 8) {
    if (const uint64_t difference = differing(at); difference != 0) return end_from(at, difference);
  }
  if (end >= 8) {  // The rest with some of what is known to be the same, not byte by byte.
    const uint64_t difference = differing(end - 8);
    return difference == 0 ? end : end_from(end - 8, difference);
  }
  while (at < end && a[at] == b[at]) ++at;
  return at;
}

template <typename Int>
void AppendLittle(std::string& to, Int value) {
  char bytes[sizeof value];
  StoreLittle(bytes, value);
  to.append(bytes, sizeof bytes);
}

// LEB128: seven bits a byte, low bits first, at most five bytes for 32 bits and ten for 64.
inline constexpr size_t kVarintBytesMax = 10;

inline void AppendVarint(std::string& to, uint64_t value) {
  char bytes[kVarintBytesMax];
  size_t count = 0;
  while (value >= 0x80) {
    bytes[count++] = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes[count++] = static_cast<char>(value);
  to.append(bytes, count);
}

// Takes one varint off the front of `from`. False, with `from` in no particular state, if it is cut
// short, longer than it need be or does not fit in 64 bits: a number has one way to be written.
inline bool TakeVarint(std::string_view& from, uint64_t& value) {
  value = 0;
  for (size_t i = 0; i < from.size() && i < kVarintBytesMax; ++i) {
    const auto byte = static_cast<unsigned char>(from[i]);
    if (i == kVarintBytesMax - 1 && byte > 1) return false;
    value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      if (byte == 0 && i > 0) return false;
      from.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

// The same for a value that must fit in 32 bits.
inline bool TakeVarint32(std::string_view& from, uint32_t& value) {
  uint64_t wide = 0;
  if (!TakeVarint(from, wide) || wide > UINT32_MAX) return false;
  value = static_cast<uint32_t>(wide);
  return true;
}

// A string with its length before it.
inline void AppendCounted(std::string& to, std::string_view text) {
  AppendVarint(to, text.size());
  to.append(text);
}

// The view stays inside what `from` viewed.
inline bool TakeCounted(std::string_view& from, std::string_view& text) {
  uint64_t bytes = 0;
  if (!TakeVarint(from, bytes) || bytes > from.size()) return false;
  text = from.substr(0, static_cast<size_t>(bytes));
  from.remove_prefix(static_cast<size_t>(bytes));
  return true;
}

}  // namespace kiban::base
