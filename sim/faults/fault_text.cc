#include "sim/faults/fault_text.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"

namespace kiban::sim {
namespace {

using base::ToAbsl;

// A span name in text: "-" for none.
std::string SpanText(const std::string& span) { return span.empty() ? "-" : span; }
std::string SpanOf(absl::string_view text) { return text == "-" ? "" : std::string(text); }

void AppendFate(std::string& to, const ListedFate& fate) {
  absl::StrAppend(&to, "  ",
                  !fate.kept               ? "lost"
                  : fate.torn_sectors != 0 ? "torn"
                                           : "kept",
                  " ", fate.text);
  if (fate.torn_sectors != 0) {
    std::vector<int> sectors;
    for (int i = 0; i < 8; ++i) {
      if ((fate.torn_sectors >> i & 1) != 0) sectors.push_back(i);
    }
    absl::StrAppend(&to, " sectors ", absl::StrJoin(sectors, ","));
  }
  absl::StrAppend(&to, "\n");
}

// Words of one line, taken from the front; remembers whether all was as expected.
class Words {
 public:
  explicit Words(std::string_view line)
      : words_(absl::StrSplit(ToAbsl(line), absl::ByAnyChar(" \t"), absl::SkipEmpty())) {}

  bool empty() const { return at_ == words_.size(); }
  absl::string_view Take() { return empty() ? absl::string_view() : words_[at_++]; }
  bool TakeIf(absl::string_view word) {
    if (empty() || words_[at_] != word) return false;
    ++at_;
    return true;
  }
  void Expect(absl::string_view word) { ok_ &= TakeIf(word); }

  template <typename Int>
  Int TakeNumber() {
    Int number = 0;
    ok_ &= absl::SimpleAtoi(Take(), &number);
    return number;
  }

  // "flush.F2#3": a span and its occurrence.
  void TakeSpan(std::string& span, uint32_t& occurrence) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(Take(), absl::MaxSplits('#', 1));
    span = SpanOf(parts.first);
    ok_ &= absl::SimpleAtoi(parts.second, &occurrence);
  }

  template <typename Int>
  std::vector<Int> TakeList() {
    std::vector<Int> numbers;
    const absl::string_view list = Take();
    if (list == "none") return numbers;
    for (const absl::string_view part : absl::StrSplit(list, ',')) {
      ok_ &= absl::SimpleAtoi(part, &numbers.emplace_back());
    }
    return numbers;
  }

  void Fail() { ok_ = false; }
  // All was as expected and nothing is left.
  bool Done() const { return ok_ && empty(); }

 private:
  std::vector<absl::string_view> words_;
  size_t at_ = 0;
  bool ok_ = true;
};

Anchor TakeAnchor(Words& words) {
  Anchor anchor;
  words.Expect("call");
  anchor.call = words.TakeNumber<uint32_t>();
  words.Expect("of");
  words.TakeSpan(anchor.span, anchor.occurrence);
  words.Expect("in");
  words.Expect("boot");
  anchor.boot = words.TakeNumber<uint32_t>();
  return anchor;
}

void TakePlace(Words& words, Cut& cut) {
  if (words.TakeIf("operation")) {
    cut.place = AfterOperation{words.TakeNumber<uint32_t>()};
    return;
  }
  if (words.TakeIf("end")) {
    cut.place = AtEnd{};
    return;
  }
  if (!words.TakeIf("skip")) {
    cut.place = TakeAnchor(words);
    return;
  }
  DrawnPlace drawn;
  drawn.skip_calls = words.TakeNumber<uint32_t>();
  words.Expect("of");
  drawn.span = SpanOf(words.Take());
  words.Expect("armed");
  cut.armed_at_operation = words.TakeNumber<uint32_t>();
  words.Expect("latest");
  cut.latest_operation = words.TakeNumber<uint32_t>();
  words.Expect("patience");
  drawn.patience_calls = words.TakeNumber<uint32_t>();
  cut.place = std::move(drawn);
}

absl::Status ParseCut(Words words, bool in_recovery, FaultPlan& plan) {
  Cut cut;
  cut.in_recovery = in_recovery;
  const absl::string_view kind = words.Take();
  if (kind == "kill") {
    cut.kind = FaultKind::kKill;
  } else if (kind != "power") {
    words.Fail();
  }
  const absl::string_view phase = words.Take();
  if (phase == "inside") {
    cut.phase = Phase::kInside;
  } else if (phase == "after") {
    cut.phase = Phase::kAfter;
  } else if (phase != "before") {
    words.Fail();
  }
  TakePlace(words, cut);
  if (words.TakeIf("steps")) cut.inside_steps = words.TakeNumber<uint64_t>();
  if (words.TakeIf("cold-cache")) cut.evict_ghosts = true;
  if (words.TakeIf("warm-cache")) cut.evict_ghosts = false;
  if (words.TakeIf("listed")) cut.fates.emplace();
  if (!words.Done()) {
    return absl::InvalidArgumentError(
        "expected: cut power|kill before|inside|after call N of SPAN#N in boot N [steps N] "
        "[cold-cache|warm-cache] [listed]");
  }
  plan.cuts.push_back(std::move(cut));
  return absl::OkStatus();
}

absl::Status ParseSyncError(Words words, FaultPlan& plan) {
  SyncError error;
  if (words.TakeIf("skip")) {
    error.skip_syncs = words.TakeNumber<uint32_t>();
    words.Expect("armed");
    error.armed_at_operation = words.TakeNumber<uint32_t>();
  } else {
    words.Expect("at");
    error.anchor = TakeAnchor(words);
    if (words.TakeIf("ghosts")) error.ghost_pages = words.TakeList<uint64_t>();
  }
  if (!words.Done()) {
    return absl::InvalidArgumentError(
        "expected: sync-error at call N of SPAN#N in boot N [ghosts none|N,N...]");
  }
  plan.sync_errors.push_back(std::move(error));
  return absl::OkStatus();
}

absl::Status ParseFate(std::string_view verb, absl::string_view rest, FaultPlan& plan) {
  if (plan.cuts.empty() || plan.cuts.back().kind != FaultKind::kPowerCut) {
    return absl::InvalidArgumentError("kept, lost and torn lines belong behind a power cut");
  }
  ListedFate fate{.text = std::string(absl::StripAsciiWhitespace(rest)), .kept = verb != "lost"};
  if (verb == "torn") {
    const size_t at = fate.text.rfind(" sectors ");
    if (at == std::string::npos) {
      return absl::InvalidArgumentError("expected: torn page FILE N vN sectors N,N...");
    }
    for (const absl::string_view part : absl::StrSplit(fate.text.substr(at + 9), ',')) {
      uint32_t sector = 8;
      if (!absl::SimpleAtoi(part, &sector) || sector >= 8) {
        return absl::InvalidArgumentError("a sector of a page is a number from 0 to 7");
      }
      fate.torn_sectors = static_cast<uint8_t>(fate.torn_sectors | 1u << sector);
    }
    fate.text.resize(at);
  }
  std::optional<std::vector<ListedFate>>& fates = plan.cuts.back().fates;
  if (!fates.has_value()) fates.emplace();
  fates->push_back(std::move(fate));
  return absl::OkStatus();
}

}  // namespace

std::string FormatAnchor(const Anchor& anchor) {
  return absl::StrCat("call ", anchor.call, " of ", SpanText(anchor.span), "#", anchor.occurrence,
                      " in boot ", anchor.boot);
}

std::string FormatPlace(const Cut& cut) {
  if (const auto* anchor = std::get_if<Anchor>(&cut.place)) return FormatAnchor(*anchor);
  if (const auto* rest = std::get_if<AfterOperation>(&cut.place)) {
    return absl::StrCat("operation ", rest->operation);
  }
  if (std::holds_alternative<AtEnd>(cut.place)) return "end";
  const auto& drawn = std::get<DrawnPlace>(cut.place);
  return absl::StrCat("skip ", drawn.skip_calls, " of ", SpanText(drawn.span), " armed ",
                      cut.armed_at_operation, " latest ", cut.latest_operation, " patience ",
                      drawn.patience_calls);
}

void AppendCutLine(std::string& to, const Cut& cut) {
  absl::StrAppend(&to, cut.in_recovery ? "recovery-cut " : "cut ", ToAbsl(Name(cut.kind)), " ",
                  ToAbsl(Name(cut.phase)), " ", FormatPlace(cut));
  if (cut.inside_steps.has_value()) absl::StrAppend(&to, " steps ", *cut.inside_steps);
  if (cut.evict_ghosts.has_value()) {
    absl::StrAppend(&to, *cut.evict_ghosts ? " cold-cache" : " warm-cache");
  }
  if (cut.fates.has_value()) absl::StrAppend(&to, " listed");
  absl::StrAppend(&to, "\n");
}

void AppendFates(std::string& to, const Cut& cut) {
  if (!cut.fates.has_value()) return;
  for (const ListedFate& fate : *cut.fates) AppendFate(to, fate);
}

void AppendText(std::string& to, const Cut& cut) {
  AppendCutLine(to, cut);
  AppendFates(to, cut);
}

void AppendText(std::string& to, const SyncError& error) {
  if (!error.anchor.has_value()) {
    absl::StrAppend(&to, "sync-error skip ", error.skip_syncs, " armed ", error.armed_at_operation,
                    "\n");
    return;
  }
  absl::StrAppend(&to, "sync-error at ", FormatAnchor(*error.anchor));
  if (error.ghost_pages.has_value()) {
    absl::StrAppend(&to, " ghosts ",
                    error.ghost_pages->empty() ? "none" : absl::StrJoin(*error.ghost_pages, ","));
  }
  absl::StrAppend(&to, "\n");
}

void AppendText(std::string& to, const FaultPlan& plan) {
  for (const Plant plant : plan.plants)
    absl::StrAppend(&to, "plant seam ", ToAbsl(Name(plant)), "\n");
  for (const SyncError& error : plan.sync_errors) AppendText(to, error);
  for (const Cut& cut : plan.cuts) AppendText(to, cut);
}

bool IsFaultLine(std::string_view line) {
  const absl::string_view first = Words(line).Take();
  return first == "cut" || first == "recovery-cut" || first == "sync-error" || first == "kept" ||
         first == "lost" || first == "torn";
}

absl::Status ParseFaultLine(std::string_view line, FaultPlan& plan) {
  Words words(line);
  const absl::string_view verb = words.Take();
  if (verb == "cut" || verb == "recovery-cut") {
    return ParseCut(std::move(words), verb == "recovery-cut", plan);
  }
  if (verb == "sync-error") return ParseSyncError(std::move(words), plan);
  const size_t after_verb = line.find(base::ToStd(verb)) + verb.size();
  return ParseFate(base::ToStd(verb), ToAbsl(line.substr(after_verb)), plan);
}

}  // namespace kiban::sim
