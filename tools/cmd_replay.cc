// kiban replay: lives cases again and says whether they ended as they should.
#include <cstdio>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "tools/build_info.h"
#include "tools/case_run.h"
#include "tools/commands.h"
#include "tools/disk_image.h"

namespace kiban::tools {
namespace {

using base::ToAbsl;
using suites::Case;

// Digests mean something only within one build of one revision.
std::string DigestText(const Case& c, const std::string& digest) {
  if (c.digest.empty()) return digest;
  if (c.build != Build() || c.revision != Revision()) {
    return digest + " (not compared: the case is of another build)";
  }
  return digest + (c.digest == digest ? " (as recorded)"
                                      : " (recorded: " + absl::CHexEscape(c.digest) + ")");
}

std::string ResultText(const std::string& path, const Case& c, const CaseRun& run) {
  const suites::LifeReport& report = run.report;
  std::string text = absl::StrCat(path, ": ", ToAbsl(Name(report.verdict)));
  if (!report.complaint.empty()) absl::StrAppend(&text, ": ", report.complaint);
  if (!report.detail.empty()) absl::StrAppend(&text, "\n  ", report.detail);
  absl::StrAppend(&text, "\n  expected: ", ToAbsl(Name(run.expect)),
                  run.report.verdict == run.expect ? " (as it is)" : " (it is not)");
  if (c.logic_plant != LogicPlant()) {
    absl::StrAppend(
        &text, c.logic_plant.empty()
                   ? absl::StrCat("; this program is built with ", LogicPlant())
                   : absl::StrCat("; built without the patch ", absl::CHexEscape(c.logic_plant),
                                  ", so the case ought to hold"));
  }
  if (report.verdict != suites::Verdict::kCrashed) {
    absl::StrAppend(&text, "\n  digest:   ", DigestText(c, report.digest.Text()));
  }
  if (report.misfits > 0) {
    absl::StrAppend(&text, "\n  not reached: ", report.misfits,
                    " places, the first: ", report.first_misfit);
  }
  if (report.not_owed > 0) {
    absl::StrAppend(&text, "\n  not owed at their cut: ", report.not_owed,
                    ", the first: ", report.first_not_owed);
  }
  return text;
}

int Replay(const Arguments& arguments) {
  const CaseRunOptions options{.timeline = arguments.Has("--timeline"),
                               .twice = arguments.Has("--twice"),
                               .image = arguments.ValueOr("--image", "")};
  const bool has_image = arguments.Has("--image");
  if (has_image && arguments.operands().size() > 1) {
    return BadUsage("--image takes one case at a time");
  }
  int exit_status = kExitHeld;
  for (const std::string& path : arguments.operands()) {
    const absl::StatusOr<Case> c = LoadCase(path);
    if (!c.ok()) {
      BadUsage(base::ToStd(c.status().message()));
      exit_status = WorseExitStatus(exit_status, ExitStatusOf(c.status()));
      continue;
    }
    if (has_image) {
      const absl::Status empty = MakeEmptyDirectory(options.image);
      if (!empty.ok()) return BadUsage(base::ToStd(empty.message()));
    }
    const CaseRun run = RunCase(*c, options);
    std::printf("%s\n", ResultText(path, *c, run).c_str());
    exit_status = WorseExitStatus(exit_status, run.exit_status);
  }
  return exit_status;
}

}  // namespace

Command ReplayCommand() {
  return {
      .name = "replay",
      .summary = "Lives cases again, exactly as they were.",
      .details =
          "Exit status: 0 if each ended as it expects, 1 if not, 2 if one cannot be read, 125 if\n"
          "one does not fit this revision or is not known to it (which `git bisect run` skips).",
      .examples = {"replay kiban-failures/crash-92.case --timeline",
                   "replay corpora/crash/*.case --twice",
                   "replay kiban-failures/crash-92.case --image disk"},
      .operands = {.name = "CASE...", .required = true, .many = true},
      .flags = {{"--timeline", "", "one line an event"},
                {"--twice", "", "live it twice and compare the digests"},
                {"--image", "DIR",
                 "the disk at each cut, as DIR/cut-1/before and DIR/cut-1/after ..."}},
      .run = Replay,
      .parts = {}};
}

}  // namespace kiban::tools
