// Lets a suite loose on a planted bug, and on the same seeds without it.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suites/mutants/mutants.h"
#include "suites/support/json.h"
#include "suites/support/progress.h"
#include "suites/support/sweep_request.h"
#include "tools/logic_build.h"

namespace kiban::tools {

struct MutantContext {
  unsigned jobs = 1;
  std::string artifacts;
  double shrink_seconds_max = 0;  // See SweepRequest.
  suites::Provenance provenance;
  suites::Progress* progress = nullptr;
};

// Of a mutant that was not tried yet: not caught.
suites::MutantResult BlankResult(const suites::Mutant& mutant);

// OK if all seeds that `mutant` is given hold without it, rechecked as with it; otherwise catching
// it would mean nothing.
absl::Status CheckUnplanted(const suites::Mutant& mutant, const MutantContext& context);

// Sweeps upwards until the first failing seed; leaves its case in ARTIFACTS/NAME. An error means
// that it could not be tried.
absl::StatusOr<suites::MutantResult> RunPlanted(const suites::Mutant& mutant,
                                                const MutantContext& context);
// The same in a program of its own that has the patch.
absl::StatusOr<suites::MutantResult> RunPatched(const suites::Mutant& mutant,
                                                const MutantContext& context, LogicBuild& build);

}  // namespace kiban::tools
