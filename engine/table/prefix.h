// The shortest key between two.
#pragma once

#include <string>
#include <string_view>

namespace kiban::table {

// A shortest `s` with last <= s < next. Needs last < next.
std::string ShortestSeparator(std::string_view last, std::string_view next);

}  // namespace kiban::table
