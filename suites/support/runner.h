// Sweeps: forks the workers, hands out the seeds, puts what they report together in the order of
// the seeds, and survives the death of any of them.
#pragma once

#include "suites/support/progress.h"
#include "suites/support/results.h"
#include "suites/support/sweep_request.h"

namespace kiban::suites {

// Everything but times and memory is the same for any number of jobs, as if one worker had lived
// the seeds in order: results are committed by chunk, in order, and what lies beyond the end of the
// sweep is dropped. `progress` may be null.
SweepResult RunSweep(const SweepRequest& request, Progress* progress);

}  // namespace kiban::suites
