// kiban sweep: lives many seeds and says what was lost.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/base/status_util.h"
#include "suites/support/json.h"
#include "suites/support/junit.h"
#include "suites/support/progress.h"
#include "suites/support/runner.h"
#include "suites/support/sweep_text.h"
#include "suites/support/whole_file.h"
#include "tools/build_info.h"
#include "tools/commands.h"
#include "tools/sweep_options.h"

namespace kiban::tools {
namespace {

using suites::SweepResult;

absl::Status WriteReports(const Arguments& arguments, const std::vector<SweepResult>& results,
                          size_t requested) {
  if (const auto path = arguments.Value("--json")) {
    const std::string json = suites::SweepJson(ProvenanceOf(arguments), results, requested);
    RETURN_IF_ERROR(suites::WriteWhole(*path, json));
  }
  if (const auto path = arguments.Value("--junit")) {
    RETURN_IF_ERROR(suites::WriteWhole(*path, suites::JunitXml(results)));
  }
  return absl::OkStatus();
}

void Print(const std::string& text) { std::fputs(text.c_str(), stdout); }

// What is not covered first, then the table, and at the very end what a person has to act on.
void PrintResults(const std::vector<SweepResult>& results) {
  for (const SweepResult& result : results) Print(suites::NotCoveredText(result));
  Print("\n" + suites::SweepTable(results));
  for (const SweepResult& result : results) {
    for (const suites::FailureGroup& group : result.failures) {
      Print("\n" + suites::FailureText(result.request, group));
    }
    if (!result.harness_error.empty()) Print("\nBROKEN  " + result.harness_error + "\n");
  }
}

int Sweep(const Arguments& arguments) {
  const absl::StatusOr<std::vector<suites::SweepRequest>> requests = SweepsOf(arguments);
  if (!requests.ok()) return BadUsage(base::ToStd(requests.status().message()));
  const absl::Status writable = TryOutputs(arguments, requests->front().artifacts);
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  suites::Progress progress;
  std::vector<SweepResult> results;
  int exit_status = kExitHeld;
  for (const suites::SweepRequest& request : *requests) {
    results.push_back(suites::RunSweep(request, &progress));
    exit_status = std::max(exit_status, suites::ExitStatus(results.back()));
    if (arguments.Has("--fail-fast") && exit_status != kExitHeld) break;
  }
  const absl::Status written = WriteReports(arguments, results, requests->size());
  PrintResults(results);
  if (!written.ok()) return BadUsage(base::ToStd(written.message()));
  return exit_status;
}

}  // namespace

Command SweepCommand() {
  return {
      .name = "sweep",
      .summary = "Lives many seeds, each a whole life with crashes, and judges every one.",
      .details =
          "Exit status: 0 if all held, 1 if one did not or a floor was missed, 2 if the call or\n"
          "the harness itself is broken. Every failure leaves a case and the command to replay it.",
      .examples = {"sweep --suite long --seeds 20000", "sweep --suite crash --seed 92",
                   "sweep --suite crash --seeds 200 --plant no-wal-sync --fail-fast",
                   "sweep --suite all --seeds 1000..1999 --json results.json --junit results.xml"},
      .operands = {},
      .flags = {{"--suite", "NAME",
                 "a suite, `long` or `all` (see `kiban suites`); otherwise long"},
                {"--seeds", "N|A..B", "0 to N-1, or A to B, both included; otherwise 2000"},
                {"--seed", "N", "this one alone, whatever --seeds says"},
                {"--from", "S", "moves the start of --seeds"},
                kJobsFlag,
                {"--profile", "NAME", "what the disk may do; otherwise strict"},
                {"--engine", "NAME", "which engine; otherwise lsm"},
                {"--plant", "NAME", "a bug to be caught, in every life (see `kiban mutants`)"},
                {"--recheck", "RATE", "share of seeds lived twice and compared; otherwise 0.05"},
                {"--fail-fast", "", "stop at the first failure"},
                {"--keep-going", "", "do not stop after ten signatures"},
                kJsonFlag,
                {"--junit", "FILE", "results for CI servers"},
                kArtifactsFlag},
      .run = Sweep,
      .parts = {}};
}

}  // namespace kiban::tools
