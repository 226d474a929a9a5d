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

// What each case of a sweep may be shrunk for.
inline constexpr double kShrinkSecondsMax = 30;

// Whether --json, --junit, --html and cases in `artifacts` (empty: there will be none) can be
// written: known before the first life, not after the last.
absl::Status TryOutputs(const Arguments& arguments, const std::string& artifacts);

absl::StatusOr<unsigned> JobsOf(const Arguments& arguments);

// A share from 0 to 1, as SweepRequest::recheck_ppm has it.
uint32_t InMillionths(double share);

// When `--time-budget` ends, on the monotonic clock; infinity without it.
absl::StatusOr<double> EndOfBudget(const Arguments& arguments);

// One request for each suite that `--suite` names. Errors say what is wrong, where, and what there
// is.
// The first seed of `--from random` is drawn here, and stands in its place in the provenance.
absl::StatusOr<std::vector<suites::SweepRequest>> SweepsOf(const Arguments& arguments);

// A plant at the seam or a bug in the engine's own code, by its name; "NAME@SEED": in one life
// only.
absl::Status PlantByName(const std::string& name, suites::SweepRequest& request);

}  // namespace kiban::tools
