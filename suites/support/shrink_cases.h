// The cases of a red sweep, made small: the first of each signature.
#pragma once

#include <string>
#include <vector>

#include "suites/support/progress.h"
#include "suites/support/results.h"
#include "suites/support/sweep_request.h"

namespace kiban::suites {

// Each case that was written is shrunk for at most SweepRequest::shrink_seconds_max and written
// beside itself. `progress` may be null.
void ShrinkFirstCases(const SweepRequest& request, Progress* progress,
                      std::vector<FailureGroup>& groups);

// What an earlier sweep left beside `path` is not that of the case that stands there now.
void RemoveMinimal(const std::string& path);

}  // namespace kiban::suites
