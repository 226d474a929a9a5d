// From the words of a command line to the sweeps they ask for.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suites/support/sweep_request.h"
#include "tools/command_line.h"

namespace kiban::tools {

// Flags that more than one command has.
inline constexpr Flag kJobsFlag = {"--jobs", "N", "worker processes; otherwise one for each core"};
inline constexpr Flag kArtifactsFlag = {"--artifacts", "DIR",
                                        "where cases are written; otherwise kiban-failures"};
inline constexpr Flag kJsonFlag = {"--json", "FILE", "results for programs"};

// Whether --json, --junit and cases in `artifacts` (empty: there will be none) can be written:
// known before the first life, not after the last.
absl::Status TryOutputs(const Arguments& arguments, const std::string& artifacts);

absl::StatusOr<unsigned> JobsOf(const Arguments& arguments);

// One request for each suite that `--suite` names. Errors say what is wrong, where, and what there
// is.
absl::StatusOr<std::vector<suites::SweepRequest>> SweepsOf(const Arguments& arguments);

// A plant at the seam or a bug in the engine's own code, by its name.
absl::Status PlantByName(const std::string& name, suites::SweepRequest& request);

}  // namespace kiban::tools
