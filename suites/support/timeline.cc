#include "suites/support/timeline.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

using sim::Told;

constexpr size_t kLineBytesMax = 118;
constexpr size_t kHeadBytes = 54;  // Of a step's line; what continues one stands behind it.
constexpr size_t kCutIndent = 25;
constexpr size_t kNewestKept = 20;  // Lines of whatever kind that are never left out.
constexpr char kNotSafe[] = ": NOT SAFE: ";
constexpr char kOld[] = "; OLD ON DISK, though nobody owes it any more: ";
constexpr char kGone[] = "; gone with its file, never safe: ";
constexpr char kHead[] = " event     tick   owed  task      step, and what it did";

// Calls that change nothing and matter only if they fail.
bool IsQuiet(const Told& call) {
  for (const char* const name : {"read", "size", "close", "clock", "random", "map", "lock"}) {
    if (call.call == name) return call.result == "ok";
  }
  return false;
}

// "NOT_FOUND": the path is said already.
std::string Failure(const Told& call) {
  if (call.result == "ok") return "";
  return absl::StrCat(" -> ", call.result.substr(0, call.result.find(':')));
}

bool IsResult(absl::string_view text) { return absl::StartsWith(text, "= "); }

// Where to end a line of at most so many bytes: behind the last item that fits.
size_t EndOfLine(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text.size();
  for (const std::string_view gap : {"; ", ", ", " "}) {
    const size_t at = text.rfind(gap, bytes_max - gap.size());
    if (at != text.npos && at > bytes_max / 2) return at + gap.size();
  }
  return bytes_max;
}

}  // namespace

void Timeline::Add(const Told& told) {
  switch (told.kind) {
    case Told::Kind::kSpanEnter:
    case Told::Kind::kSpanLeave:
    case Told::Kind::kSyncError:  // The call that fails of it says so.
      return;
    case Told::Kind::kBoot:
      Flush();
      return Append(absl::StrCat("boot ", told.boot), told.event, kCutIndent, false);
    case Told::Kind::kCall:
      return AddCall(told);
    case Told::Kind::kMark:
      return AddMark(told);
    case Told::Kind::kNote:
    case Told::Kind::kJudge:
      return AddNote(told);
    case Told::Kind::kDeath:
      return AddDeath(told);
    case Told::Kind::kCut:
      return AddCut(told);
  }
}

std::vector<std::string> Timeline::Finish() {
  Flush();
  Shorten();
  std::vector<std::string> texts{kHead};
  for (const Line& line : lines_) texts.push_back(line.text);
  return texts;
}

void Timeline::Append(const std::string& text, uint64_t event, size_t indent, bool is_step) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const bool is_first = rest.size() == text.size();
    const size_t end = EndOfLine(rest, is_first ? kLineBytesMax : kLineBytesMax - indent);
    const std::string line = is_first ? "" : std::string(indent, ' ');
    const absl::string_view part =
        absl::StripTrailingAsciiWhitespace(base::ToAbsl(rest.substr(0, end)));
    lines_.push_back({absl::StrCat(line, part), event, is_step});
    rest.remove_prefix(end);
  }
}

// Steps go first, then whatever is old.
void Timeline::Shorten() {
  if (lines_.size() < kLinesMax) return;
  size_t too_many = lines_.size() + 2 - kLinesMax;  // The head, and the line that says so.
  const size_t count = too_many;
  uint64_t last_event = 0;
  size_t first_place = lines_.size();
  for (const bool steps_only : {true, false}) {
    std::vector<Line> kept;
    for (size_t i = 0; i < lines_.size(); ++i) {
      Line& line = lines_[i];
      if (too_many == 0 || i + kNewestKept >= lines_.size() || (steps_only && !line.is_step)) {
        kept.push_back(std::move(line));
        continue;
      }
      --too_many;
      last_event = std::max(last_event, line.event);
      first_place = std::min(first_place, kept.size());
    }
    lines_ = std::move(kept);
  }
  const std::string text = absl::StrCat("... ", count, " lines, up to event ", last_event,
                                        ", are left out; --full shows every event");
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(first_place), {text, 0, false});
}

void Timeline::Continue(const Told& told) {
  const bool same = !row_.items.empty() && row_.first.task == told.task &&
                    row_.first.span == told.span && row_.first.depth == told.depth &&
                    row_.first.kind != Told::Kind::kNote;
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
  const std::string what = absl::StrJoin(row_.items, "; ");
  const bool is_step = !absl::StartsWith(what, "op ") && !absl::StrContains(what, kNotSafe) &&
                       !absl::StrContains(what, kOld);
  Append(absl::StrFormat("%6d %8d %6d  %-9s %-16s %s", first.event, first.time, row_.owed_bytes,
                         first.task, step, what),
         first.event, kHeadBytes, is_step);
  row_ = Row{};
}

std::string Timeline::PathOnce(const Told& call) {
  if (std::exchange(row_.path, call.path) == call.path) return "";
  return absl::StrCat(" ", call.path);
}

std::string Timeline::SyncText(const Told& call) const {
  const bool is_file = call.call == "sync";
  std::string text = absl::StrCat(is_file ? "sync " : "sync directory ",
                                  call.path.empty() ? "/" : call.path, Failure(call));
  const std::vector<std::string> owed =
      is_file ? owed_.OwedByFile(call.label) : owed_.OwedByDirectory(call.path);
  if (!call.safe.empty()) absl::StrAppend(&text, ": safe now: ", owed_.Words(call.safe));
  if (!call.damaged.empty()) {
    absl::StrAppend(&text, kOld, owed_.Words(call.damaged));
  }
  if (!call.gone.empty()) absl::StrAppend(&text, kGone, owed_.Words(call.gone));
  if (!owed.empty()) absl::StrAppend(&text, kNotSafe, owed_.Words(owed));
  const bool is_told = !owed.empty() || !call.gone.empty() || !call.damaged.empty();
  if (!is_told && call.safe.empty()) text += ": nothing was owed";
  return text;
}

void Timeline::AddCall(const Told& call) {
  owed_.Add(call);
  const bool is_known = row_.path == call.path && row_.first.span == call.span;
  if (IsQuiet(call)) return;
  if (call.call == "open" && call.result == "ok" && is_known && call.owes.empty()) return;
  Continue(call);
  if (call.call == "sync" || call.call == "syncdir") {
    row_.path = call.path;
    row_.items.push_back(SyncText(call));
    return;
  }
  if (call.call == "list") {
    std::string list = call.result == "ok" ? absl::StrCat("list ", call.path, ": ", call.text)
                                           : absl::StrCat("list ", call.path, Failure(call));
    row_.items.push_back(std::move(list));
    return;
  }
  const bool creates = call.call == "open" && !call.owes.empty();
  row_.items.push_back(absl::StrCat(creates ? "create" : call.call, PathOnce(call),
                                    call.text.empty() ? "" : " ", call.text, Failure(call)));
}

void Timeline::AddMark(const Told& mark) {
  if (row_.items.empty() || row_.first.task != mark.task) Continue(mark);
  row_.items.push_back(absl::StrCat("* ", mark.text));
}

// What a call returned stands behind what it did, if no other task came in between; and the judge's
// words behind each other.
void Timeline::AddNote(const Told& note) {
  const std::string text(absl::StripLeadingAsciiWhitespace(note.text));
  const bool is_op = absl::StartsWith(text, "op ");
  const bool is_same_task = !row_.items.empty() && row_.first.task == note.task;
  const bool is_after_note = row_.first.kind == Told::Kind::kNote &&
                             !absl::StartsWith(is_same_task ? row_.items.front() : "", "op ");
  if (is_same_task && (IsResult(text) || (is_after_note && !is_op))) {
    row_.items.push_back(text);
    return;
  }
  Flush();
  row_.first = note;
  row_.first.kind = Told::Kind::kNote;
  row_.owed_bytes = note.owed_bytes;
  row_.items.push_back(text);
}

void Timeline::AddDeath(const Told& death) {
  Flush();
  Append(absl::StrFormat("%6d %8d %6d  === %s", death.event, death.time, death.owed_bytes,
                         absl::StripSuffix(death.text, " listed")),
         death.event, kCutIndent, false);
}

void Timeline::AddCut(const Told& cut) {
  const std::string indent(kCutIndent, ' ');
  if (!cut.text.empty()) Append(indent + cut.text, cut.event, kCutIndent + 2, false);
  if (cut.text.empty() && cut.fates.empty())
    Append(indent + "nothing was owed", cut.event, kCutIndent + 2, false);
  // Those of one fate and rule together: what is lost first.
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const sim::ToldFate& fate : cut.fates) {
    const std::string head = fate.rule.empty()
                                 ? "owed and kept: "
                                 : absl::StrCat("owed and ", fate.fate, " (", fate.rule, "): ");
    auto at = std::find_if(groups.begin(), groups.end(),
                           [&](const auto& group) { return group.first == head; });
    if (at == groups.end()) at = groups.insert(at, {head, {}});
    at->second.push_back(fate.text);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const auto& group) { return group.first != "owed and kept: "; });
  for (const auto& [head, operations] : groups) {
    Append(absl::StrCat(indent, head, owed_.Words(operations)), cut.event, kCutIndent + 2, false);
  }
  owed_.Add(cut);
}

}  // namespace kiban::suites
