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
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_util.h"
#include "sim/disk/profile.h"
#include "suites/support/seed_life.h"
#include "suites/support/suite.h"
#include "suites/support/table_text.h"
#include "suites/support/whole_file.h"
#include "tools/case_run.h"
#include "tools/commands.h"
#include "tools/corpus_pin.h"
#include "tools/corpus_reach.h"
#include "tools/golden.h"

namespace kiban::tools {
namespace {

using base::ToAbsl;
using base::ToStd;
using suites::Case;

constexpr char kCorpora[] = "corpora";
constexpr char kEngine[] = "lsm";  // Whose declarations the corpora are held to.
constexpr std::string_view kPinnedHead = "pinned-";
constexpr uint64_t kPinNumberMax = 1'000'000;

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
Reach Rot(const Case& c, const Reach& reached) {
  Reach recorded;
  for (const std::string& mark : c.marks) recorded.insert("mark " + mark);
  for (const std::string& span : c.crash_spans) recorded.insert("span " + span);
  for (const std::string& format : c.formats) recorded.insert("format " + format);
  for (const std::string& pair : c.format_pairs) recorded.insert("pair " + pair);
  return Missing(recorded, reached);
}

// What a terminal might obey is not printed.
std::string Printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); }, '?');
  return text;
}

// What the entries of one suite reached with the engine that its corpus is for.
struct SuiteReached {
  size_t entries = 0;
  Reach reach;
};
using Reached = std::map<std::string, SuiteReached>;  // By suite.

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
  Reach reach = ReachOf(c->plan.faults, run.report.counts);
  if (run.exit_status != kExitHeld) {
    std::printf("OTHERWISE   %s: %s\n", path.c_str(), Outcome(run).c_str());
    return run.exit_status == kExitBadUsage ? kExitBadUsage : kExitFailed;
  }
  const Reach gone = Rot(*c, reach);
  SuiteReached& suite = reached[c->plan.suite];
  ++suite.entries;
  if (c->plan.engine == kEngine) suite.reach.merge(reach);
  if (gone.empty()) return kExitHeld;
  std::printf("ROTTED      %s: no longer reaches %s\n", path.c_str(),
              Printable(absl::StrJoin(gone, ", ")).c_str());
  return kExitFailed;
}

// Of what is declared, how much was reached.
std::string Share(const Reach& declared, const Reach& missing, std::string_view kind) {
  const size_t all = CountOf(declared, kind);
  return absl::StrCat(all - CountOf(missing, kind), "/", all);
}

// What each suite of which a corpus is kept has reached; false if something is missing.
bool JudgeReach(const Reached& reached, bool is_all) {
  std::vector<suites::Row> rows = {{"suite", "entries"}};
  for (const ReachKind& kind : kReachKinds) rows[0].emplace_back(kind.heading);
  std::string complaints;
  for (const suites::Suite& suite : suites::Suites()) {
    const auto found = reached.find(std::string(suite.name));
    if (suite.generate_short == nullptr || (found == reached.end() && !is_all)) continue;
    const SuiteReached of_suite = found == reached.end() ? SuiteReached() : found->second;
    const Reach declared = DeclaredReach(suite, *suites::FindEngine(kEngine));
    const Reach missing = Missing(declared, of_suite.reach);
    suites::Row& row = rows.emplace_back();
    row = {std::string(suite.name), absl::StrCat(of_suite.entries)};
    for (const ReachKind& kind : kReachKinds) {
      row.push_back(Share(declared, missing, kind.name));
    }
    if (missing.empty()) continue;
    absl::StrAppend(&complaints, "MISSING     ", ToAbsl(suite.name), ": no entry reaches ",
                    absl::StrJoin(missing, ", "), "; `kiban corpus pin --suite ",
                    ToAbsl(suite.name), "` chooses anew\n");
  }
  if (rows.size() > 1) std::fputs(suites::TableText(rows).c_str(), stdout);
  std::fputs(complaints.c_str(), stdout);
  return complaints.empty();
}

int CheckCases(const Arguments& arguments, const std::vector<std::string>& directories) {
  const auto paths = CasesUnder(directories);
  if (!paths.ok()) return BadUsage(ToStd(paths.status().message()));
  Reached reached;
  int exit_status = kExitHeld;
  size_t held = 0;
  for (const std::string& path : *paths) {
    const int of_entry = CheckEntry(path, reached);
    exit_status = std::max(exit_status, of_entry);
    if (of_entry == kExitHeld) ++held;
  }
  const bool is_part = arguments.Has("--part");
  const bool is_whole = JudgeReach(reached, arguments.operands().empty() && !is_part);
  if (!is_whole && !is_part) exit_status = std::max(exit_status, kExitFailed);
  Reach all;
  for (const auto& [suite, of_suite] : reached) {
    all.insert(of_suite.reach.begin(), of_suite.reach.end());
  }
  std::printf("%zu entries held of %zu, %zu spans, %zu marks, %zu pairs reached: %s\n", held,
              paths->size(), CountOf(all, "span"), CountOf(all, "mark"), CountOf(all, "pair"),
              exit_status == kExitHeld ? "all as they should be" : "not all as they should be");
  return exit_status;
}

// Cases everywhere but in a folder of golden files, which has none.
int Check(const Arguments& arguments) {
  const std::vector<std::string> directories = DirectoriesOf(arguments);
  std::vector<std::string> with_cases = directories;
  std::erase_if(with_cases, IsGolden);
  const int of_cases = with_cases.empty() ? kExitHeld : CheckCases(arguments, with_cases);
  const bool is_all = arguments.operands().empty() && !arguments.Has("--part");
  return std::max(of_cases, CheckGolden(directories, is_all));
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
  suites::RecordReach(run.report.counts, *c);
  absl::Status written = suites::MakeDirectories(directory);
  if (written.ok()) written = suites::WriteWhole(target, FormatCase(*c));
  if (!written.ok()) return BadUsage(ToStd(written.message()));
  std::printf("%s\n", target.c_str());
  return kExitHeld;
}

absl::StatusOr<uint64_t> NumberOf(const Arguments& arguments, std::string_view flag,
                                  std::string_view otherwise) {
  uint64_t number = 0;
  const std::string text = arguments.ValueOr(flag, otherwise);
  if (absl::SimpleAtoi(text, &number) && number > 0 && number <= kPinNumberMax) return number;
  return absl::InvalidArgumentError(absl::StrCat("corpus pin: ", ToAbsl(flag), " ", text,
                                                 ": expected a number from 1 to ", kPinNumberMax));
}

absl::StatusOr<PinRequest> PinRequestOf(const Arguments& arguments) {
  PinRequest request;
  const std::string suite = arguments.ValueOr("--suite", "");
  request.suite = suites::FindSuite(suite);
  if (request.suite == nullptr || request.suite->generate_short == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "corpus pin: --suite ", suite, ": no corpus is kept of it; choose crash or concurrent"));
  }
  request.engine = suites::FindEngine(kEngine);
  request.profile = &sim::kStrict;
  ASSIGN_OR_RETURN(request.count, NumberOf(arguments, "--count", "48"));
  ASSIGN_OR_RETURN(request.seeds, NumberOf(arguments, "--seeds", "1000"));
  return request;
}

// In place of those that were pinned before.
absl::Status Replace(const std::string& directory, const std::vector<PinnedCase>& pinned) {
  RETURN_IF_ERROR(suites::MakeDirectories(directory));
  std::vector<std::filesystem::path> old;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPinnedHead) && name.ends_with(".case")) old.push_back(entry.path());
  }
  for (const std::filesystem::path& path : old) std::filesystem::remove(path);
  for (const PinnedCase& each : pinned) {
    RETURN_IF_ERROR(
        suites::WriteWhole(absl::StrCat(directory, "/", each.name), FormatCase(each.c)));
  }
  return absl::OkStatus();
}

int Pin(const Arguments& arguments) {
  const absl::StatusOr<PinRequest> request = PinRequestOf(arguments);
  if (!request.ok()) return BadUsage(ToStd(request.status().message()));
  const absl::StatusOr<std::vector<PinnedCase>> pinned = PinCases(*request);
  if (!pinned.ok()) {
    std::printf("%s\n", std::string(pinned.status().message()).c_str());
    return kExitFailed;
  }
  const std::string directory = absl::StrCat(kCorpora, "/", ToAbsl(request->suite->name));
  const absl::Status written = Replace(directory, *pinned);
  if (!written.ok()) return BadUsage(ToStd(written.message()));
  std::printf("%zu cases in %s\n", pinned->size(), directory.c_str());
  return kExitHeld;
}

const Operands kDirectories = {.name = "[DIR...]", .required = false, .many = true};

Command CheckCommand() {
  return {.name = "check",
          .summary =
              "Lives every case twice; red if one goes otherwise, has rotted, or too little "
              "is reached.",
          .details =
              "All cases of a suite must reach together every span, mark, format and pair "
              "of formats\nthat the engine declares. With DIR, only suites that have a case "
              "there are judged by that.\nGolden files, in a folder of that name, are read "
              "in every way; without DIR they must be\nthere, of every format.\n\n"
              "Exit status: 0 all as they should be, 1 one is not, or something is not "
              "reached,\n2 one cannot be read or its run is broken, or there is none.",
          .examples = {"corpus check", "corpus check corpora/crash",
                       "corpus check --part kiban-failures"},
          .operands = kDirectories,
          .flags = {{"--part", "", "not red for what no case reaches"}},
          .run = Check,
          .parts = {}};
}

Command ListCommand() {
  return {.name = "list",
          .summary = "Shows every case and why it is there.",
          .details = {},
          .examples = {"corpus list"},
          .operands = kDirectories,
          .flags = {},
          .run = List,
          .parts = {}};
}

Command AddCommand() {
  return {
      .name = "add",
      .summary = "Copies a case to corpora/SUITE, with what it reaches now.",
      .details = {},
      .examples = {"corpus add kiban-failures/crash-92.case --why \"Recovery dropped the newest "
                   "table\""},
      .operands = {.name = "CASE", .required = true},
      .flags = {{"--why", "TEXT", "a sentence on what it was"}},
      .run = Add,
      .parts = {}};
}

Command PinCommand() {
  return {.name = "pin",
          .summary =
              "Makes corpora/SUITE/pinned-*.case anew: lives that reach together all that is "
              "declared.",
          .details =
              "Lives short lives of the suite and chooses among them greedily; whole lives "
              "only for\nwhat no short one reaches. Cases that are not called pinned-* "
              "stay.\n\n"
              "Exit status: 0 made, 1 so many seeds do not reach it all, or one did not "
              "hold.",
          .examples = {"corpus pin --suite crash",
                       "corpus pin --suite concurrent --count 60 --seeds 3000"},
          .operands = {},
          .flags = {{"--suite", "NAME", "crash or concurrent"},
                    {"--count", "N", "cases to choose (48)"},
                    {"--seeds", "N", "lives to choose from (1000)"}},
          .run = Pin,
          .parts = {}};
}

}  // namespace

Command CorpusCommand() {
  return {.name = "corpus",
          .summary = "Lives the corpora again, lists them, adds to them, chooses them anew.",
          .details = {},
          .examples = {"corpus check"},
          .operands = {},
          .flags = {},
          .run = nullptr,
          .parts = {CheckCommand(), ListCommand(), AddCommand(), PinCommand()}};
}

}  // namespace kiban::tools
