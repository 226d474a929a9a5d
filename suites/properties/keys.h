// The keys of small cases, by number: the lower, the plainer. Few, so that they meet; near each
// other, so that they hurt.
#pragma once

#include <cstdint>
#include <string>

namespace kiban::suites {

inline constexpr uint32_t kPlainKeys = 24;
inline constexpr uint32_t kPoolKeys = 40;

inline std::string PoolKey(uint32_t number) {
  using std::string;
  if (number < kPlainKeys) {
    string key = "row/00";
    key[4] = static_cast<char>('0' + number / 10);
    key[5] = static_cast<char>('0' + number % 10);
    return key;
  }
  switch (number % 16) {
    case 0:
      return "";
    case 1:
      return string(1, '\0');
    case 2:
      return string(2, '\0');
    case 3:
      return "\xff";
    case 4:
      return "\xff\xff";
    case 5:
      return "row/";
    case 6:
      return string("row/00\0", 7);
    case 7:
      return "row/00\xff";
    case 8:
      return "row";
    case 9:
      return "row/0";
    case 10:
      return "row/1";
    case 11:
      return "row/100";
    case 12:
      return "\x7f";
    case 13:
      return "\x80";
    case 14:
      return string(46, 'r');  // Fits into a fence in memory ...
    default:
      return string(47, 'r');  // ... and does not.
  }
}

}  // namespace kiban::suites
