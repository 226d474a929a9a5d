// kiban replay: lives cases again and says whether they ended as they should.
#include <cstdio>
#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_util.h"
#include "suites/support/timeline.h"
#include "suites/support/whole_file.h"
#include "tools/build_info.h"
#include "tools/case_run.h"
#include "tools/commands.h"
#include "tools/debugger.h"
#include "tools/disk_image.h"
#include "tools/perfetto.h"

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

void PrintLine(std::string_view line) {
  if (line.empty()) return;
  std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
}

// Whoever watches one life.
class Watch {
 public:
  explicit Watch(const Arguments& arguments)
      : is_full_(arguments.Has("--full")), perfetto_path_(arguments.ValueOr("--perfetto", "")) {
    if (arguments.Has("--timeline") && !is_full_) timeline_.emplace();
  }

  bool wants_events() const { return is_full_ || timeline_.has_value() || !perfetto_path_.empty(); }
  void Add(const sim::Told& told) {
    if (is_full_) PrintLine(sim::EventLine(told));
    if (timeline_) timeline_->Add(told);
    if (!perfetto_path_.empty()) perfetto_.Add(told);
  }
  absl::Status End() {
    if (timeline_) {
      for (const std::string& line : timeline_->Finish()) PrintLine(line);
    }
    if (perfetto_path_.empty()) return absl::OkStatus();
    return suites::WriteWhole(perfetto_path_, perfetto_.Finish());
  }

 private:
  const bool is_full_;
  const std::string perfetto_path_;
  std::optional<suites::Timeline> timeline_;
  Perfetto perfetto_;
};

absl::Status ReadOptions(const Arguments& arguments, CaseRunOptions& options) {
  options.twice = arguments.Has("--twice");
  options.image = arguments.ValueOr("--image", "");
  options.waits = arguments.Has("--full");
  for (const char* const flag : {"--image", "--perfetto", "--break-at"}) {
    if (arguments.Has(flag) && arguments.operands().size() > 1) {
      return absl::InvalidArgumentError(absl::StrCat(flag, " takes one case at a time"));
    }
  }
  const auto break_at = arguments.Value("--break-at");
  if (!break_at) return absl::OkStatus();
  uint64_t event = 0;
  if (!absl::SimpleAtoi(*break_at, &event)) {
    return absl::InvalidArgumentError(absl::StrCat("--break-at ", absl::CHexEscape(*break_at),
                                                   ": expected the number of an event"));
  }
  if (!DebuggerIsAttached()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--break-at: no debugger is attached; type: gdb --args ", arguments.program(),
                     " ", absl::StrJoin(arguments.words(), " ")));
  }
  if (!options.image.empty()) {
    return absl::InvalidArgumentError("--break-at and --image do not go together");
  }
  options.break_at = event;
  return absl::OkStatus();
}

int Replay(const Arguments& arguments) {
  CaseRunOptions options;
  const absl::Status read = ReadOptions(arguments, options);
  if (!read.ok()) return BadUsage(base::ToStd(read.message()));
  const bool has_image = arguments.Has("--image");
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
    Watch watch(arguments);
    if (watch.wants_events()) {
      options.on_event = [&watch](const sim::Told& told) { watch.Add(told); };
    }
    const CaseRun run = RunCase(*c, options);
    const absl::Status written = watch.End();
    std::printf("%s\n", ResultText(path, *c, run).c_str());
    exit_status = WorseExitStatus(exit_status, run.exit_status);
    if (!run.event_came) {
      BadUsage(
          absl::StrCat("--break-at ", *options.break_at, ": the life ended before that event"));
    }
    if (!written.ok()) return BadUsage(base::ToStd(written.message()));
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
      .flags = {{"--timeline", "", "what happened, a line a step"},
                {"--full", "", "what happened, a line an event"},
                {"--perfetto", "FILE", "what happened, for viewers of Chrome traces"},
                {"--break-at", "EVENT", "under a debugger: stop before the event of this number"},
                {"--twice", "", "live it twice and compare the digests"},
                {"--image", "DIR",
                 "the disk at each cut, as DIR/cut-1/before and DIR/cut-1/after ..."}},
      .run = Replay,
      .parts = {}};
}

}  // namespace kiban::tools
