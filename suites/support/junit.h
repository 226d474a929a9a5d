// Results as JUnit XML, which most CI servers show.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "suites/support/results.h"

namespace kiban::suites {

// One testsuite a sweep; in it one testcase for the sweep itself (its floors, and whether it came
// to its end) and one for each signature that failed.
std::string JunitXml(std::span<const SweepResult> results);

// `text` as content or attribute; what XML 1.0 cannot hold at all becomes '?'.
std::string XmlEscaped(std::string_view text);

}  // namespace kiban::suites
