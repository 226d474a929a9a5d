// kiban sweep: lives many seeds and says what was lost.
#include <cstdio>
#include <string>
#include <vector>

#include "engine/base/status_util.h"
#include "suites/support/host.h"
#include "suites/support/interrupts.h"
#include "suites/support/json.h"
#include "suites/support/junit.h"
#include "suites/support/progress.h"
#include "suites/support/runner.h"
#include "suites/support/sweep_page.h"
#include "suites/support/sweep_text.h"
#include "suites/support/whole_file.h"
#include "tools/commands.h"
#include "tools/sweep_options.h"

namespace kiban::tools {
namespace {

using suites::SweepRequest;
using suites::SweepResult;

absl::Status WriteReports(const Arguments& arguments, const std::vector<SweepResult>& results) {
  if (const auto path = arguments.Value("--json")) {
    const std::string json = suites::SweepJson(results.front().request.provenance, results);
    RETURN_IF_ERROR(suites::WriteWhole(*path, json));
  }
  if (const auto path = arguments.Value("--junit")) {
    RETURN_IF_ERROR(suites::WriteWhole(*path, suites::JunitXml(results)));
  }
  if (const auto path = arguments.Value("--html")) {
    const std::string page = suites::SweepPage(results.front().request.provenance, results);
    RETURN_IF_ERROR(suites::WriteWhole(*path, page));
  }
  return absl::OkStatus();
}

// What the words of the call do not say.
void PrintHead(const Arguments& arguments, const SweepRequest& request) {
  const suites::Shard& shard = request.shard;
  if (shard.source != "none") {
    std::printf("shard %s/%s (from %s)\n", std::to_string(shard.index).c_str(),
                std::to_string(shard.count).c_str(), shard.source.c_str());
  }
  if (arguments.Value("--from") == "random") {
    const std::string seed = std::to_string(request.first_seed);
    std::printf("first seed %s (drawn; --from %s sweeps the same again)\n", seed.c_str(),
                seed.c_str());
  }
  std::fflush(stdout);
}

// What is no part of a time budget.
double ShrinkSeconds(const SweepResult& result) {
  double seconds = 0;
  for (const suites::FailureGroup& group : result.failures) {
    seconds += group.written.front().shrunk.seconds;
  }
  return seconds;
}

// One result a request. Of the time until `end` each gets an equal share of what those before it
// have left: the first must not live on the time of all.
std::vector<SweepResult> SweepAll(std::vector<SweepRequest> requests, double end,
                                  const suites::Interrupts& interrupts) {
  suites::Progress progress;
  std::vector<SweepResult> results;
  bool failed = false;
  for (SweepRequest& request : requests) {
    const auto left = static_cast<double>(requests.size() - results.size());
    const double now = suites::MonotonicSeconds();
    const double own_end = now + (end - now) / left;
    request.ends_early = [&interrupts, own_end] {
      return interrupts.received() != 0 || suites::MonotonicSeconds() >= own_end;
    };
    request.interrupted = [&interrupts] { return interrupts.received() != 0; };
    const bool stops = failed && request.stop_at == suites::StopAt::kFirstFailure;
    results.push_back(stops || request.ends_early() ? suites::NotSwept(request)
                                                    : suites::RunSweep(request, &progress));
    failed = suites::ExitStatus(results) != kExitHeld;
    end += ShrinkSeconds(results.back());
  }
  return results;
}

int Sweep(const Arguments& arguments) {
  const suites::Interrupts interrupts;
  const absl::StatusOr<double> end = EndOfBudget(arguments);
  if (!end.ok()) return BadUsage(base::ToStd(end.status().message()));
  const absl::StatusOr<std::vector<SweepRequest>> requests = SweepsOf(arguments);
  if (!requests.ok()) return BadUsage(base::ToStd(requests.status().message()));
  const absl::Status writable = TryOutputs(arguments, requests->front().artifacts);
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  PrintHead(arguments, requests->front());
  const std::vector<SweepResult> results = SweepAll(*requests, *end, interrupts);
  const absl::Status written = WriteReports(arguments, results);
  std::fputs(suites::SweepsText(results).c_str(), stdout);
  if (!written.ok()) return BadUsage(base::ToStd(written.message()));
  if (interrupts.received() != 0) return kExitAfterSignal + interrupts.received();
  return suites::ExitStatus(results);
}

}  // namespace

Command SweepCommand() {
  return {
      .name = "sweep",
      .summary = "Lives many seeds, each a whole life with crashes, and judges every one.",
      .details =
          "Exit status: 0 if all held, 1 if one did not or a floor was missed, 2 if the call or\n"
          "the harness itself is broken, 130 or 143 after SIGINT or SIGTERM (what was lived until\n"
          "then is reported). Every failure leaves a case and the command to replay it. The first\n"
          "case of each signature is shrunk as well, for at most 30 seconds that no --time-budget\n"
          "counts.",
      .examples = {"sweep --suite long --seeds 20000", "sweep --suite crash --seed 92",
                   "sweep --suite crash --seeds 200 --plant no-wal-sync --fail-fast",
                   "sweep --suite all --seeds 1000..1999 --json results.json --junit results.xml",
                   "sweep --suite crash --seeds 2000 --html report.html",
                   "sweep --seeds 20000 --shard 3/8 --json shard-3.json",
                   "sweep --seeds 1000000 --from random --time-budget 10m"},
      .operands = {},
      .flags = {{"--suite", "NAME",
                 "a suite, `long` or `all` (see `kiban suites`); otherwise long"},
                {"--seeds", "N|A..B", "0 to N-1, or A to B, both included; otherwise 2000"},
                {"--seed", "N", "this one alone, whatever --seeds says"},
                {"--from", "S|random", "moves the start of --seeds; random draws and prints it"},
                kJobsFlag,
                {"--shard", "I/N",
                 "every N-th seed, from the I-th on; otherwise what the CI server says"},
                {"--time-budget", "TIME",
                 "end early after 90s, 10m, 2h, of which each suite gets its share"},
                {"--profile", "NAME", "what the disk may do; otherwise strict"},
                {"--engine", "NAME", "which engine; otherwise lsm"},
                {"--plant", "NAME[@SEED]",
                 "a bug to be caught, in every life or in one (see `kiban mutants`)"},
                {"--recheck", "RATE", "share of seeds lived twice and compared; otherwise 0.05"},
                {"--fail-fast", "", "stop at the first failure"},
                {"--keep-going", "", "do not stop after ten signatures"},
                {"--no-shrink", "", "leave every case as it is (see `kiban shrink`)"},
                kJsonFlag,
                {"--junit", "FILE", "results for CI servers"},
                {"--html", "FILE", "results for people: one page that needs no other file"},
                kArtifactsFlag},
      .run = Sweep,
      .parts = {}};
}

}  // namespace kiban::tools
