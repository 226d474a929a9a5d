// kiban corpus: everything that was ever interesting, lived again.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_util.h"
#include "suites/support/suite.h"
#include "suites/support/table_text.h"
#include "suites/support/whole_file.h"
#include "tools/case_run.h"
#include "tools/commands.h"

namespace kiban::tools {
namespace {

using base::ToAbsl;
using base::ToStd;
using suites::Case;

constexpr char kCorpora[] = "corpora";

absl::StatusOr<std::vector<std::string>> CasesUnder(const std::vector<std::string>& directories) {
  std::vector<std::string> paths;
  for (const std::string& directory : directories) {
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(directory, error);
    for (; !error && entry != std::filesystem::recursive_directory_iterator();
         entry.increment(error)) {
      if (entry->path().extension() == ".case") paths.push_back(entry->path().string());
    }
    if (error) return absl::NotFoundError(absl::StrCat(directory, ": ", error.message()));
  }
  if (paths.empty()) {
    return absl::NotFoundError(absl::StrCat("no cases under ", absl::StrJoin(directories, ", ")));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> DirectoriesOf(const Arguments& arguments) {
  return arguments.operands().empty() ? std::vector<std::string>{kCorpora} : arguments.operands();
}

// What the entry once reached and does not any more: it "passes" only because it goes elsewhere.
std::vector<std::string> Rot(const Case& c, const suites::LifeCounts& reached) {
  std::vector<std::string> gone;
  for (const std::string& mark : c.marks) {
    if (reached.marks.count(mark) == 0) gone.push_back("mark " + mark);
  }
  for (const std::string& span : c.crash_spans) {
    if (reached.crash_points.count(span) == 0) gone.push_back("span " + span);
  }
  return gone;
}

// What a terminal might obey is not printed.
std::string Printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); }, '?');
  return text;
}

struct Reached {
  std::map<std::string, uint64_t> marks;
  std::map<std::string, uint64_t> spans;
};

// What was wrong with a run, in words.
std::string Outcome(const CaseRun& run) {
  std::string text = absl::StrCat("expected ", ToAbsl(Name(run.expect)), ", found ",
                                  ToAbsl(Name(run.report.verdict)));
  if (!run.report.complaint.empty()) absl::StrAppend(&text, ": ", run.report.complaint);
  if (run.report.misfits > 0) absl::StrAppend(&text, "; ", run.report.first_misfit);
  return text;
}

// Its exit status, and a line on it unless all is well.
int CheckEntry(const std::string& path, Reached& reached) {
  const absl::StatusOr<Case> c = LoadCase(path);
  if (!c.ok()) {
    std::printf("UNREADABLE  %s\n", std::string(c.status().message()).c_str());
    return kExitBadUsage;
  }
  const CaseRun run = RunCase(*c, {.twice = true});
  for (const auto& [mark, count] : run.report.counts.marks) reached.marks[mark] += count;
  for (const auto& [span, count] : run.report.counts.crash_points) reached.spans[span] += count;
  if (run.exit_status != kExitHeld) {
    std::printf("OTHERWISE   %s: %s\n", path.c_str(), Outcome(run).c_str());
    return run.exit_status == kExitBadUsage ? kExitBadUsage : kExitFailed;
  }
  const std::vector<std::string> gone = Rot(*c, run.report.counts);
  if (gone.empty()) return kExitHeld;
  std::printf("ROTTED      %s: no longer reaches %s\n", path.c_str(),
              Printable(absl::StrJoin(gone, ", ")).c_str());
  return kExitFailed;
}

int Check(const Arguments& arguments) {
  const auto paths = CasesUnder(DirectoriesOf(arguments));
  if (!paths.ok()) return BadUsage(ToStd(paths.status().message()));
  Reached reached;
  int exit_status = kExitHeld;
  for (const std::string& path : *paths) {
    exit_status = std::max(exit_status, CheckEntry(path, reached));
  }
  std::printf("%zu entries, %zu spans, %zu marks reached: %s\n", paths->size(),
              reached.spans.size(), reached.marks.size(),
              exit_status == kExitHeld ? "all as they should be" : "not all as they should be");
  return exit_status;
}

int List(const Arguments& arguments) {
  const auto paths = CasesUnder(DirectoriesOf(arguments));
  if (!paths.ok()) return BadUsage(ToStd(paths.status().message()));
  std::vector<suites::Row> rows = {{"case", "suite", "engine", "expect", "why"}};
  int exit_status = kExitHeld;
  for (const std::string& path : *paths) {
    const absl::StatusOr<Case> c = LoadCase(path);
    if (!c.ok()) {
      exit_status = BadUsage(ToStd(c.status().message()));
      continue;
    }
    rows.push_back({path, Printable(c->plan.suite), Printable(c->plan.engine),
                    std::string(Name(c->expect)), Printable(c->why)});
  }
  std::fputs(suites::TableText(rows).c_str(), stdout);
  return exit_status;
}

template <typename Counts>
std::vector<std::string> NamesOf(const Counts& counts) {
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

int Add(const Arguments& arguments) {
  const std::string& path = arguments.operands().front();
  const std::string why = arguments.ValueOr("--why", "");
  if (why.empty() || why.find('\n') != std::string::npos) {
    return BadUsage("corpus add: --why \"one sentence on what it was\" is missing");
  }
  absl::StatusOr<Case> c = LoadCase(path);
  if (!c.ok()) return BadUsage(ToStd(c.status().message()));
  if (suites::FindSuite(c->plan.suite) == nullptr) {  // Its name becomes a directory's.
    return BadUsage(absl::StrCat(path, ": there is no suite ", absl::CHexEscape(c->plan.suite)));
  }
  const CaseRun run = RunCase(*c, {.twice = true});
  if (run.exit_status != kExitHeld) {
    return BadUsage(absl::StrCat(path, ": ", Outcome(run),
                                 "; an entry joins the corpus together with its fix"));
  }
  const std::string directory = absl::StrCat(kCorpora, "/", c->plan.suite);
  const std::string target =
      absl::StrCat(directory, "/", std::filesystem::path(path).filename().string());
  if (std::filesystem::exists(target)) return BadUsage(target + " exists; rename the case first");
  c->why = why;
  c->marks = NamesOf(run.report.counts.marks);
  c->crash_spans = NamesOf(run.report.counts.crash_points);
  absl::Status written = suites::MakeDirectories(directory);
  if (written.ok()) written = suites::WriteWhole(target, FormatCase(*c));
  if (!written.ok()) return BadUsage(ToStd(written.message()));
  std::printf("%s\n", target.c_str());
  return kExitHeld;
}

}  // namespace

Command CorpusCommand() {
  const Operands directories = {.name = "[DIR...]", .required = false, .many = true};
  return {.name = "corpus",
          .summary = "Lives the corpora again, lists them, adds to them.",
          .details = {},
          .examples = {"corpus check"},
          .operands = {},
          .flags = {},
          .run = nullptr,
          .parts = {{.name = "check",
                     .summary = "Lives every case twice; red if one goes otherwise or has rotted.",
                     .details = "Exit status: 0 all as they should be, 1 one is not, 2 one cannot "
                                "be read or its\nrun is broken, or there is none.",
                     .examples = {"corpus check", "corpus check corpora/crash"},
                     .operands = directories,
                     .flags = {},
                     .run = Check,
                     .parts = {}},
                    {.name = "list",
                     .summary = "Shows every case and why it is there.",
                     .details = {},
                     .examples = {"corpus list"},
                     .operands = directories,
                     .flags = {},
                     .run = List,
                     .parts = {}},
                    {.name = "add",
                     .summary = "Copies a case to corpora/SUITE, with what it reaches now.",
                     .details = {},
                     .examples = {"corpus add kiban-failures/crash-92.case --why \"Recovery "
                                  "dropped the newest table\""},
                     .operands = {.name = "CASE", .required = true},
                     .flags = {{"--why", "TEXT", "a sentence on what it was"}},
                     .run = Add,
                     .parts = {}}}};
}

}  // namespace kiban::tools
