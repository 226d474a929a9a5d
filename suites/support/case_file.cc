// One line a fact, the first word says which:
//
//   case 1
//   suite crash engine lsm profile strict seed 92 [clients 3] [crashes 4]
//   options write_buffer_bytes=2048 ...
//   boot 3 write_format=42                   what changes in them when boot 3 recovers
//   bug toy-no-sync                          planted in the engine's own code
//   plant seam no-wal-sync                   | plant logic NAME
//   op 1 put "k07" 100 sync                  operation.h
//   luck 3 5                                 the processes draw as the 3rd and the 5th would
//   schedule ...                             sim/schedules/choices.h
//   sync-error ..., cut ..., kept ...        sim/faults/fault_text.h
//   expect held found violated signature "violated: durable write lost: flush.F2"
//   marks a b c / spans a b c / formats sst3 ph2 / pairs sst3->ph2 ...
//   minimal AXIS [THING...]                  none of these can be taken away alone: shrink_axes.h
//   barrier holds if ...                     what it lacks, in words: barrier.h
//   weakest strict                           of the profiles in which it fails
//   build ... / revision ... / digest ... / why ...     the rest of the line
//   end                                      of a file: without it, the file was cut short
//
// Blank lines and lines that begin with # are for people.
#include "suites/support/case_file.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"
#include "sim/faults/fault_text.h"

namespace kiban::suites {
namespace {

using absl::string_view;
using base::ToAbsl;
using base::ToStd;

std::vector<string_view> WordsOf(string_view text) {
  return absl::StrSplit(text, absl::ByAnyChar(" \t"), absl::SkipEmpty());
}

struct WordAndRest {
  string_view word;
  string_view rest;
};

WordAndRest Split(string_view line) {
  const std::pair<string_view, string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(absl::ByAnyChar(" \t"), 1));
  return {parts.first, absl::StripAsciiWhitespace(parts.second)};
}

absl::Status Expected(string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("expected: ", what));
}

absl::Status ParseVersion(string_view rest) {
  int version = 0;
  if (!absl::SimpleAtoi(rest, &version)) return Expected("case NUMBER");
  if (version == kCaseVersion) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("a case of version ", version, "; this program reads version ", kCaseVersion));
}

// A whole line: names and values alternate.
absl::Status ParseSuite(string_view line, Plan& plan) {
  const std::vector<string_view> words = WordsOf(line);
  bool ok = words.size() % 2 == 0;
  for (size_t i = 0; ok && i < words.size(); i += 2) {
    const string_view value = words[i + 1];
    if (words[i] == "suite") {
      plan.suite = std::string(value);
    } else if (words[i] == "engine") {
      plan.engine = std::string(value);
    } else if (words[i] == "profile") {
      plan.profile = std::string(value);
    } else if (words[i] == "seed") {
      ok = absl::SimpleAtoi(value, &plan.seed);
    } else if (words[i] == "clients") {
      ok = absl::SimpleAtoi(value, &plan.clients) && plan.clients <= kClientsMax;
    } else if (words[i] == "crashes") {
      ok = absl::SimpleAtoi(value, &plan.crashes_expected);
    } else {
      ok = false;
    }
  }
  return ok ? absl::OkStatus()
            : Expected("suite NAME engine NAME profile NAME seed N [clients N] [crashes N]");
}

absl::Status ParsePlant(string_view rest, Case& c) {
  const std::vector<string_view> words = WordsOf(rest);
  if (words.size() == 2 && words[0] == "logic") {
    c.logic_plant = std::string(words[1]);
    return absl::OkStatus();
  }
  if (words.size() != 2 || words[0] != "seam")
    return Expected("plant seam NAME or plant logic NAME");
  const std::optional<sim::Plant> plant = sim::FindPlant(ToStd(words[1]));
  if (!plant.has_value()) {
    return absl::UnimplementedError(
        absl::StrCat("this revision has no plant ", absl::CHexEscape(words[1])));
  }
  c.plan.faults.plants.push_back(*plant);
  return absl::OkStatus();
}

absl::Status ParseExpect(string_view rest, Case& c) {
  const absl::Status malformed = Expected("expect VERDICT [found VERDICT signature \"...\"]");
  const std::pair<string_view, string_view> parts = absl::StrSplit(rest, absl::MaxSplits('"', 1));
  const std::vector<string_view> words = WordsOf(parts.first);
  if (words.empty()) return malformed;
  const std::optional<Verdict> expect = FindVerdict(ToStd(words[0]));
  if (!expect.has_value()) return malformed;
  c.expect = *expect;
  if (words.size() == 1) return absl::OkStatus();
  if (words.size() < 3 || words[1] != "found") return malformed;
  const std::optional<Verdict> found = FindVerdict(ToStd(words[2]));
  if (!found.has_value()) return malformed;
  c.found = *found;
  if (words.size() == 3) return absl::OkStatus();
  if (words.size() != 4 || words[3] != "signature") return malformed;
  c.signature = std::string(absl::StripSuffix(parts.second, "\""));
  return absl::OkStatus();
}

std::vector<std::string> NamesOf(string_view rest) {
  return absl::StrSplit(rest, absl::ByAnyChar(" \t"), absl::SkipEmpty());
}

absl::Status ParseBoot(string_view rest, Plan& plan) {
  const WordAndRest parts = Split(rest);
  uint32_t boot = 0;
  if (!absl::SimpleAtoi(parts.word, &boot) || boot < 2) {
    return Expected("boot NUMBER OPTION=VALUE ..., from boot 2 on");
  }
  ASSIGN_OR_RETURN(EngineOptions options, ParseOptions(ToStd(parts.rest)));
  if (!plan.boots.emplace(boot, std::move(options)).second) return Expected("each boot once");
  return absl::OkStatus();
}

absl::Status ParseOp(string_view rest, Plan& plan) {
  ASSIGN_OR_RETURN(Operation operation, ParseOperation(ToStd(rest)));
  if (!plan.operations.empty() && operation.id <= plan.operations.back().id) {
    return absl::InvalidArgumentError("operations are numbered upwards");
  }
  const bool is_anybodys = operation.kind == OpKind::kReopen;
  if (operation.client > plan.clients ||
      (operation.client == 0) != (plan.clients == 0 || is_anybodys)) {
    return absl::InvalidArgumentError(absl::StrCat(
        plan.clients == 0 ? "`by` needs a line `suite ... clients N` above"
        : is_anybodys     ? "a reopen is nobody's own"
                          : "expected `by N` behind the id",
        plan.clients == 0 || is_anybodys ? "" : absl::StrCat(", N from 1 to ", plan.clients)));
  }
  if (operation.abrupt && plan.clients == 0) {
    return absl::InvalidArgumentError("an abrupt reopen needs clients to be disturbed");
  }
  if (operation.snapshot != 0) {
    const auto taken =
        std::find_if(plan.operations.begin(), plan.operations.end(),
                     [&](const Operation& each) { return each.id == operation.snapshot; });
    if (taken != plan.operations.end() && taken->client != operation.client) {
      return absl::InvalidArgumentError(
          absl::StrCat("a snapshot is used by the client that took it, here ", taken->client));
    }
  }
  plan.operations.push_back(std::move(operation));
  return absl::OkStatus();
}

absl::Status ParseLucks(string_view rest, Plan& plan) {
  plan.lucks.clear();
  for (const string_view word : WordsOf(rest)) {
    if (!absl::SimpleAtoi(word, &plan.lucks.emplace_back())) return Expected("luck N ...");
  }
  return absl::OkStatus();
}

absl::Status ParseTried(string_view rest, Case& c) {
  std::vector<std::string> names = NamesOf(rest);
  if (names.empty()) return Expected("minimal AXIS [THING...]");
  TriedAxis tried{.name = std::move(names.front()), .things = {}};
  names.erase(names.begin());
  tried.things = std::move(names);
  c.certificate.push_back(std::move(tried));
  return absl::OkStatus();
}

absl::Status ParseLine(string_view line, string_view word, string_view rest, Case& c) {
  Plan& plan = c.plan;
  if (word == "suite") return ParseSuite(line, plan);
  if (word == "op") return ParseOp(rest, plan);
  if (word == "plant") return ParsePlant(rest, c);
  if (word == "expect") return ParseExpect(rest, c);
  if (word == "boot") return ParseBoot(rest, plan);
  if (word == "options") {
    ASSIGN_OR_RETURN(plan.options, ParseOptions(ToStd(rest)));
  } else if (word == "bug") {
    plan.planted_bug = std::string(rest);
  } else if (word == "luck") {
    return ParseLucks(rest, plan);
  } else if (word == "schedule") {
    return sim::ParseScheduleLine(ToStd(rest), plan.schedule);
  } else if (word == "marks") {
    c.marks = NamesOf(rest);
  } else if (word == "spans") {
    c.crash_spans = NamesOf(rest);
  } else if (word == "formats") {
    c.formats = NamesOf(rest);
  } else if (word == "pairs") {
    c.format_pairs = NamesOf(rest);
  } else if (word == "minimal") {
    return ParseTried(rest, c);
  } else if (word == "barrier") {
    c.barrier = std::string(rest);
  } else if (word == "weakest") {
    c.weakest = std::string(rest);
  } else if (word == "build") {
    c.build = std::string(rest);
  } else if (word == "revision") {
    c.revision = std::string(rest);
  } else if (word == "digest") {
    c.digest = std::string(rest);
  } else if (word == "why") {
    c.why = std::string(rest);
  } else if (word == "end") {
    return Expected("nothing but remarks behind the line `end`");
  } else {
    return absl::UnimplementedError(
        absl::StrCat("this revision does not know the word \"", absl::CHexEscape(word), "\""));
  }
  return absl::OkStatus();
}

struct Line {
  size_t number;
  string_view text;
};

// All but those for people.
std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines;
  size_t number = 0;
  for (const string_view raw : absl::StrSplit(ToAbsl(text), '\n')) {
    ++number;
    const string_view line = absl::StripAsciiWhitespace(raw);
    if (!line.empty() && line[0] != '#') lines.push_back({number, line});
  }
  return lines;
}

absl::Status AtLine(size_t number, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("line ", number, ": ", status.message()));
}

absl::Status ParseHead(const std::vector<Line>& lines) {
  if (lines.empty()) return absl::InvalidArgumentError("it is empty; expected: case NUMBER");
  const Line& head = lines.front();
  const WordAndRest parts = Split(head.text);
  if (parts.word != "case") {
    return AtLine(head.number, Expected("case NUMBER; this is not a case file"));
  }
  const absl::Status version = ParseVersion(parts.rest);
  return version.ok() ? version : AtLine(head.number, version);
}

absl::StatusOr<Case> ParseBody(std::span<const Line> lines) {
  Case c;
  for (const Line& line : lines) {
    const WordAndRest parts = Split(line.text);
    const std::string_view text = ToStd(line.text);
    const absl::Status status = sim::IsFaultLine(text)
                                    ? sim::ParseFaultLine(text, c.plan.faults)
                                    : ParseLine(line.text, parts.word, parts.rest, c);
    if (!status.ok()) return AtLine(line.number, status);
  }
  if (c.plan.suite.empty()) return absl::InvalidArgumentError("there is no line `suite ...` in it");
  return c;
}

}  // namespace

void AppendPlan(std::string& to, const Plan& plan) {
  absl::StrAppend(&to, "case ", kCaseVersion, "\nsuite ", plan.suite, " engine ", plan.engine,
                  " profile ", plan.profile, " seed ", plan.seed);
  if (plan.clients != 0) absl::StrAppend(&to, " clients ", plan.clients);
  if (plan.crashes_expected != 0) absl::StrAppend(&to, " crashes ", plan.crashes_expected);
  absl::StrAppend(&to, "\noptions ", FormatOptions(plan.options), "\n");
  for (const auto& [boot, options] : plan.boots) {
    absl::StrAppend(&to, "boot ", boot, " ", FormatOptions(options), "\n");
  }
  if (!plan.planted_bug.empty()) absl::StrAppend(&to, "bug ", plan.planted_bug, "\n");
  for (const Operation& operation : plan.operations) {
    to += "op ";
    AppendText(to, operation);
    to += '\n';
  }
  if (!plan.lucks.empty()) absl::StrAppend(&to, "luck ", absl::StrJoin(plan.lucks, " "), "\n");
  sim::AppendText(to, plan.schedule);
  sim::AppendText(to, plan.faults);
}

std::string FormatCase(const Case& c) {
  std::string text;
  AppendPlan(text, c.plan);
  if (!c.logic_plant.empty()) absl::StrAppend(&text, "plant logic ", c.logic_plant, "\n");
  absl::StrAppend(&text, "expect ", ToAbsl(Name(c.expect)), " found ", ToAbsl(Name(c.found)));
  if (!c.signature.empty()) absl::StrAppend(&text, " signature \"", c.signature, "\"");
  text += '\n';
  const auto line = [&text](string_view word, string_view rest) {
    if (!rest.empty()) absl::StrAppend(&text, word, " ", rest, "\n");
  };
  line("marks", absl::StrJoin(c.marks, " "));
  line("spans", absl::StrJoin(c.crash_spans, " "));
  line("formats", absl::StrJoin(c.formats, " "));
  line("pairs", absl::StrJoin(c.format_pairs, " "));
  for (const TriedAxis& tried : c.certificate) {
    line("minimal", absl::StrCat(tried.name, tried.things.empty() ? "" : " ",
                                 absl::StrJoin(tried.things, " ")));
  }
  line("barrier", c.barrier);
  line("weakest", c.weakest);
  line("build", c.build);
  line("revision", c.revision);
  line("digest", c.digest);
  line("why", c.why);
  text += "end\n";
  return text;
}

absl::StatusOr<Case> ParseCase(std::string_view text) {
  const std::vector<Line> lines = LinesOf(text);
  RETURN_IF_ERROR(ParseHead(lines));
  return ParseBody(std::span(lines).subspan(1));
}

absl::StatusOr<Case> ParseCaseFile(std::string_view text) {
  const std::vector<Line> lines = LinesOf(text);
  RETURN_IF_ERROR(ParseHead(lines));
  if (lines.back().text != "end") {
    return absl::InvalidArgumentError("cut short: expected the line `end`");
  }
  return ParseBody(std::span(lines).subspan(1, lines.size() - 2));
}

absl::StatusOr<Plan> WithDecisions(Plan plan, std::string_view decisions) {
  plan.faults.cuts.clear();
  plan.faults.sync_errors.clear();
  for (const string_view raw : absl::StrSplit(ToAbsl(decisions), '\n')) {
    const string_view line = absl::StripAsciiWhitespace(raw);
    if (line.empty() || line[0] == '#') continue;
    RETURN_IF_ERROR(sim::ParseFaultLine(ToStd(line), plan.faults));
  }
  return plan;
}

}  // namespace kiban::suites
