// kiban shrink: makes a failing case as small as it gets.
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"
#include "suites/support/host.h"
#include "suites/support/interrupts.h"
#include "suites/support/results.h"
#include "suites/support/shrink.h"
#include "suites/support/whole_file.h"
#include "tools/build_info.h"
#include "tools/case_run.h"
#include "tools/commands.h"
#include "tools/seed_range.h"
#include "tools/sweep_options.h"
#include "tools/test_export.h"

namespace kiban::tools {
namespace {

using suites::Case;
using suites::Shrunk;

constexpr double kSecondsUnlessTold = 60;

std::string SizeText(const Case& c) {
  const size_t operations = c.plan.operations.size();
  const size_t cuts = c.plan.faults.cuts.size();
  return absl::StrCat(operations, operations == 1 ? " operation, " : " operations, ", cuts,
                      cuts == 1 ? " crash" : " crashes");
}

std::string ResultText(const Case& before, const Shrunk& result) {
  std::string text =
      absl::StrFormat("%s: %s to %s, in %d trials and %.1f seconds\n",
                      result.changed ? "shrunk" : "as small as it was", SizeText(before),
                      SizeText(result.shrunk), result.trials, result.seconds);
  absl::StrAppend(&text, "  ", result.shrunk.signature, "\n");
  if (!result.shrunk.barrier.empty()) {
    absl::StrAppend(&text, "  missing barrier: ", result.shrunk.barrier, "\n");
  }
  absl::StrAppend(&text, "  weakest profile: ", result.shrunk.weakest, "\n");
  if (!result.certified) return text + "  not minimal: time ran out\n";
  text += "  minimal: without any one of these it does not fail so\n";
  for (const suites::TriedAxis& tried : result.shrunk.certificate) {
    if (tried.things.empty()) continue;
    absl::StrAppend(&text, "    ", tried.name, ": ", absl::StrJoin(tried.things, " "), "\n");
  }
  return text;
}

absl::StatusOr<double> SecondsOf(const Arguments& arguments) {
  const auto text = arguments.Value("--time-budget");
  if (!text) return kSecondsUnlessTold;
  return ParseTimeBudget(*text);
}

// Whether the case can be a test, and the test be written.
absl::Status TryTest(const Case& c, const std::optional<std::string>& path) {
  if (!path) return absl::OkStatus();
  RETURN_IF_ERROR(TestOf(c, *path).status());
  return suites::TryWriting(*path);
}

// The last line of what is printed; nothing without a path.
absl::StatusOr<std::string> WriteTest(const Case& c, const std::optional<std::string>& path) {
  if (!path) return "";
  ASSIGN_OR_RETURN(const std::string text, TestOf(c, *path));
  RETURN_IF_ERROR(suites::WriteWhole(*path, text));
  return absl::StrCat("  test:   ", *path, "\n");
}

// A bug that was mended meanwhile left nothing to be shrunk, but its case is a good test.
bool HoldsAsItShould(const Case& c) {
  const CaseRun run = RunCase(c, {});
  return run.report.verdict == suites::Verdict::kHeld && run.exit_status == kExitHeld;
}

int Shrink(const Arguments& arguments) {
  const suites::Interrupts interrupts;
  const std::string& path = arguments.operands().front();
  const auto seconds = SecondsOf(arguments);
  if (!seconds.ok()) return BadUsage(base::ToStd(seconds.status().message()));
  const std::string target = arguments.ValueOr("-o", suites::MinimalPath(path));
  const absl::Status writable = suites::TryWriting(target);
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  const absl::StatusOr<Case> c = LoadCase(path);
  if (!c.ok()) {
    BadUsage(base::ToStd(c.status().message()));
    return ExitStatusOf(c.status());
  }
  const std::optional<std::string> test = arguments.Value("--as-test");
  const absl::Status testable = TryTest(*c, test);
  if (!testable.ok()) return BadUsage(base::ToStd(base::InFile(path, testable).message()));
  if (test && HoldsAsItShould(*c)) {
    const absl::StatusOr<std::string> line = WriteTest(*c, test);
    if (!line.ok()) return BadUsage(base::ToStd(line.status().message()));
    std::printf("it holds here: there is nothing to shrink\n%s", line->c_str());
    return kExitHeld;
  }
  const absl::StatusOr<Shrunk> result =
      suites::Shrink(*c, {.seconds_max = *seconds,
                          .ends_early = [&] { return interrupts.received() != 0; },
                          .provenance = ProvenanceOf(arguments),
                          .live = suites::RunLife});
  if (!result.ok()) {
    BadUsage(base::ToStd(base::InFile(path, result.status()).message()));
    return absl::IsFailedPrecondition(result.status()) ? kExitFailed : kExitBadUsage;
  }
  const absl::Status written = suites::WriteWhole(target, suites::FormatCase(result->shrunk));
  if (!written.ok()) return BadUsage(base::ToStd(written.message()));
  const absl::StatusOr<std::string> line = WriteTest(result->shrunk, test);
  if (!line.ok()) return BadUsage(base::ToStd(line.status().message()));
  std::printf("%s  case:   %s\n  replay: %s\n%s", ResultText(*c, *result).c_str(), target.c_str(),
              suites::ReplayCommand(arguments.program(), target, result->shrunk.found).c_str(),
              line->c_str());
  if (interrupts.received() != 0) return kExitAfterSignal + interrupts.received();
  return kExitHeld;
}

}  // namespace

Command ShrinkCommand() {
  return {
      .name = "shrink",
      .summary = "Makes a failing case as small as it gets while it fails in the same way.",
      .details =
          "The same way: verdict, complaint, and the span of the last crash. Operations, clients,\n"
          "keys, values, options, faults, lost writes and drawn steps of tasks are taken away or\n"
          "made plainer, until no single one can be; the new case lists what was tried in vain.\n"
          "A test expects the life to hold, unless the case plants a bug; of a case that holds by\n"
          "now it is written as well.\n"
          "Exit status: 0 if it was shrunk or was minimal, 1 if it does not fail here, 2 if it\n"
          "cannot be read, 125 if it is not known to this revision, 130 or 143 after SIGINT or\n"
          "SIGTERM (the smallest case so far is written).",
      .examples = {"shrink kiban-failures/crash-92.case",
                   "shrink kiban-failures/crash-92.case -o small.case --time-budget 5m",
                   "shrink kiban-failures/crash-92.case --as-test lost_put_test.cc"},
      .operands = {.name = "CASE", .required = true},
      .flags = {{"-o", "FILE", "where it is written; otherwise NAME.min.case beside NAME.case"},
                {"--time-budget", "TIME", "end after 90s, 10m, 2h; otherwise 60s"},
                {"--as-test", "FILE.cc", "the shrunk case as a GoogleTest over kiban_suites"}},
      .run = Shrink,
      .parts = {}};
}

}  // namespace kiban::tools
