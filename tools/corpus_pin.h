// Chooses the lives of which a corpus is made: few, short ones if they will do, that reach together
// all that can be reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/case_file.h"
#include "suites/support/suite.h"

namespace kiban::tools {

struct PinRequest {
  const suites::Suite* suite = nullptr;  // One with short lives.
  const suites::Engine* engine = nullptr;
  const sim::Profile* profile = nullptr;
  size_t count = 0;
  uint64_t seeds = 0;  // From 0 on: those that are lived to choose from.
};

struct PinnedCase {
  std::string name;  // Of its file.
  suites::Case c;    // With every decision listed, what it reached, and why it was chosen.
};

// An error names the seed that did not hold, or what so many seeds do not reach.
absl::StatusOr<std::vector<PinnedCase>> PinCases(const PinRequest& request);

}  // namespace kiban::tools
