#include "suites/support/timeline.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;
using sim::Told;

constexpr size_t kLineBytesMax = 118;
constexpr char kHead[] = " event     tick   owed  task      step, and what it did";

// Calls that change nothing and matter only if they fail.
bool IsQuiet(const Told& call) {
  for (const char* const name : {"read", "size", "close", "clock", "random", "map", "lock"}) {
    if (call.call == name) return call.result == "ok";
  }
  return false;
}

bool IsSync(const Told& call) { return call.call == "sync" || call.call == "syncdir"; }

// "NOT_FOUND": the path is said already.
std::string Failure(const Told& call) {
  if (call.result == "ok") return "";
  return absl::StrCat(" -> ", call.result.substr(0, call.result.find(':')));
}

}  // namespace

Timeline::Timeline(Print print) : print_(std::move(print)) { print_(kHead); }

void Timeline::Add(const Told& told) {
  switch (told.kind) {
    case Told::Kind::kSpanEnter:
    case Told::Kind::kSpanLeave:
      return;
    case Told::Kind::kBoot:
      Flush();
      return print_(absl::StrCat("boot ", told.boot));
    case Told::Kind::kCall:
      return AddCall(told);
    case Told::Kind::kMark:
      if (row_.items.empty() || row_.first.task != told.task) Continue(told);
      row_.items.push_back(absl::StrCat("* ", told.text));
      return;
    case Told::Kind::kNote:
    case Told::Kind::kJudge:
      return AddNote(told);
    case Told::Kind::kSyncError: {
      Continue(told);
      const size_t ghosts = told.text.rfind(" ghosts ");
      row_.items.push_back(ghosts == told.text.npos
                               ? "the device fails this sync"
                               : absl::StrCat("the device fails this sync, and keeps old bytes in "
                                              "pages ",
                                              told.text.substr(ghosts + 8)));
      return;
    }
    case Told::Kind::kDeath:
      Flush();
      return print_(absl::StrFormat("%6d %8d %6d  === %s", told.event, told.time, told.owed_bytes,
                                    absl::StripSuffix(told.text, " listed")));
    case Told::Kind::kCut:
      return AddCut(told);
  }
}

void Timeline::Continue(const Told& told) {
  const bool same = !row_.items.empty() && row_.first.task == told.task &&
                    row_.first.span == told.span && row_.first.depth == told.depth &&
                    row_.first.kind != Told::Kind::kNote && told.kind != Told::Kind::kNote;
  if (!same) {
    Flush();
    row_.first = told;
  }
  row_.owed_bytes = told.owed_bytes;
}

void Timeline::Flush() {
  if (row_.items.empty()) return;
  const Told& first = row_.first;
  const std::string step = std::string(2 * first.depth, ' ') + first.span;
  PrintWrapped(absl::StrFormat("%6d %8d %6d  %-9s %-18s", first.event, first.time, row_.owed_bytes,
                               first.task, step),
               row_.items);
  row_ = Row{};
}

void Timeline::PrintWrapped(const std::string& head, const std::vector<std::string>& items) const {
  std::string line = head;
  bool is_first = true;
  for (const std::string& item : items) {
    if (!is_first && line.size() + item.size() + 2 > kLineBytesMax) {
      print_(absl::StrCat(line, ";"));
      line = std::string(head.size() + 2, ' ');
      is_first = true;
    }
    absl::StrAppend(&line, is_first ? " " : "; ", item);
    is_first = false;
  }
  print_(line);
}

std::string Timeline::PathOnce(const Told& call) {
  if (std::exchange(row_.path, call.path) == call.path) return "";
  return absl::StrCat(" ", call.path);
}

void Timeline::AddSafe(const Told& call, std::string_view lead) {
  if (call.safe.empty()) return;
  absl::StrAppend(&row_.items.back(), ToAbsl(lead), owed_.Words(call.safe));
}

void Timeline::AddSync(const Told& call) {
  row_.path = call.path;
  const char* const verb = call.call == "sync" ? "sync " : "sync directory ";
  row_.items.push_back(absl::StrCat(verb, call.path.empty() ? "/" : call.path, Failure(call),
                                    call.safe.empty() ? ": nothing became safe" : ": safe now: "));
  AddSafe(call, "");
}

void Timeline::AddCall(const Told& call) {
  for (const std::string& operation : call.owes) owed_.Learn(operation);
  const bool is_known = row_.path == call.path && row_.first.span == call.span;
  if (IsQuiet(call)) return;
  if (call.call == "open" && call.result == "ok" && is_known && call.owes.empty()) return;
  Continue(call);
  if (IsSync(call)) return AddSync(call);
  if (call.call == "list") {
    const std::string list = absl::StrCat("list ", call.path, Failure(call), ": ", call.text);
    if (std::exchange(row_.list, list) == list) return;
    row_.items.push_back(list);
  } else if (call.call == "open") {
    const char* const verb = call.owes.empty() ? "open" : "create";
    row_.items.push_back(absl::StrCat(verb, PathOnce(call), Failure(call)));
  } else {
    const char* const gap = call.text.empty() ? "" : " ";
    row_.items.push_back(absl::StrCat(call.call, PathOnce(call), gap, call.text, Failure(call)));
  }
  AddSafe(call, ": safe now: ");
}

// What an operation returned stands behind it, if nothing came in between.
void Timeline::AddNote(const Told& note) {
  const absl::string_view text = absl::StripLeadingAsciiWhitespace(note.text);
  const bool is_result = absl::StartsWith(text, "= ");
  const bool follows = !row_.items.empty() && row_.first.task == note.task &&
                       row_.first.kind == Told::Kind::kNote &&
                       absl::StartsWith(row_.items.front(), "op ");
  if (is_result && follows) {
    absl::StrAppend(&row_.items.back(), " ", text);
    return;
  }
  Flush();
  row_.first = note;
  row_.owed_bytes = note.owed_bytes;
  row_.items.emplace_back(text);
}

void Timeline::AddCut(const Told& cut) {
  constexpr size_t kIndent = 25;
  const std::string indent(kIndent, ' ');
  if (!cut.text.empty()) print_(absl::StrCat(indent, cut.text));
  if (cut.text.empty() && cut.fates.empty()) print_(indent + "nothing was owed");
  // Those of one fate and rule together, in the order in which each first comes.
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const sim::ToldFate& fate : cut.fates) {
    const std::string head =
        fate.rule.empty() ? fate.fate : absl::StrCat(fate.fate, " (", fate.rule, ")");
    auto at = std::find_if(groups.begin(), groups.end(),
                           [&](const auto& group) { return group.first == head; });
    if (at == groups.end()) at = groups.insert(at, {head, {}});
    at->second.push_back(fate.text);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const auto& group) { return group.first != "kept"; });
  for (const auto& [head, operations] : groups) {
    PrintWrapped(absl::StrCat(indent, "owed, ", head, ":"), {owed_.Words(operations)});
  }
  for (const sim::ToldFate& fate : cut.fates) {
    if (fate.fate == "lost") owed_.Unlearn(fate.text);
  }
}

}  // namespace kiban::suites
