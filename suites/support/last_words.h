// Why a child died, out of its exit status and what it said on standard error.
#pragma once

#include <string>
#include <string_view>

namespace kiban::suites {

struct Death {
  std::string complaint;  // Fixed words, equal for equal causes: no address, no line, no value.
  std::string detail;     // The line that says it, as it was said.
};

// `wait_status` as from waitpid().
Death ExplainDeath(int wait_status, std::string_view last_words);

}  // namespace kiban::suites
