// Numbers on a page: alone, in tables, as bars and as columns over time. Whoever does not see the
// bars reads the numbers beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suites/support/html.h"
#include "suites/support/rate.h"

namespace kiban::suites {

std::string WithCommas(uint64_t value);  // "20,000".

// "20,000". Where it stands in the JSON of the same results is said in the page, so that programs
// can compare the two: names separated by '/'.
Html Count(std::string_view place, uint64_t value);
// `shown` is `value` as a person wants it.
Html Real(std::string_view place, double value, std::string_view shown);
Html Bytes(std::string_view place, uint64_t value);  // "12.3 MiB".

struct TableRow {
  std::string label;
  Html value;
};
// Two columns: what it is, and how much.
Html TableOf(std::string_view caption, const std::vector<TableRow>& rows);

struct BarRow {
  std::string label;
  std::string place;  // Empty: the JSON has no such entry, and so it is 0.
  uint64_t value = 0;
  std::string note = {};  // Behind the label, in words: "not reached".
};
// The longest bar is the largest value; a value that is not 0 is never without one. Empty if there
// are no rows.
Html BarsOf(std::string_view caption, const std::vector<BarRow>& rows);

// Lives a second in each stretch of a sweep of `seconds`. Empty if nothing was noted.
Html RateFigure(const Rate& rate, double seconds);

}  // namespace kiban::suites
