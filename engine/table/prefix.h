// What two keys have in common, and the shortest key between two.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiban::table {

size_t CommonPrefixBytes(std::string_view a, std::string_view b);

// A shortest `s` with last <= s < next. Needs last < next.
std::string ShortestSeparator(std::string_view last, std::string_view next);

}  // namespace kiban::table
