// Who a file is, in a way that survives edits of a life: not by number or name, which shift when an
// operation is removed, but by its kind and by where it was made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiban::sim {

// The n-th file of its kind that was made in one occurrence of a span since a boot. As text
// "wal@2:switch.T2#3", with ".n" behind it when n is not 1: made in the 3rd switch.T2 of the 2nd
// boot.
struct FileLabel {
  std::string kind;       // KindOfName() of its first name.
  uint32_t boot = 0;      // From 1. 0: the root directory.
  std::string_view span;  // Innermost open span; static storage. Empty: none was open.
  uint32_t occurrence = 0;
  uint32_t nth = 1;

  uint64_t Key() const;  // For keyed draws; the same in every process.
  std::string Text() const;
};

// "wal" for "db/000007.wal" (digits, a dot, a suffix); otherwise the last part of the path itself.
std::string_view KindOfName(std::string_view path);

}  // namespace kiban::sim
