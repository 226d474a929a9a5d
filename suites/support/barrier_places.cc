#include "suites/support/barrier_places.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"
#include "sim/disk/file_label.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;

// "page LABEL 0 v2", "add LABEL PATH", "rename LABEL FROM -> TO".
struct MicroOpText {
  std::string verb, label, rest;
  std::vector<std::string> paths;  // Of a change of names.
};

MicroOpText Split(std::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(ToAbsl(text), absl::MaxSplits(' ', 2));
  if (parts.size() < 3) return {};
  MicroOpText split{.verb = parts[0], .label = parts[1], .rest = parts[2], .paths = {}};
  if (split.verb != "add" && split.verb != "del" && split.verb != "rename") return split;
  const size_t version = split.rest.rfind(" v");  // Of the n-th that would read the same.
  const std::string names = split.rest.substr(0, version);
  split.paths = absl::StrSplit(names, absl::ByString(" -> "));
  return split;
}

std::string ParentOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? "" : std::string(path.substr(0, slash));
}

// "*.wal" for "db/000007.wal".
std::string KindWords(std::string_view path) {
  const std::string_view kind = sim::KindOfName(path);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return absl::StrCat(name == kind ? "" : "*.", ToAbsl(kind));
}

std::string DirectoryWords(std::string_view path) { return absl::StrCat(ToAbsl(path), "/"); }

std::string CallWords(const sim::Told& call) {
  const std::string kind = KindWords(call.path);
  absl::string_view other = call.text;
  if (absl::ConsumePrefix(&other, "-> ")) {
    return absl::StrCat(call.call, " ", kind, " -> ", KindWords(base::ToStd(other)));
  }
  if (call.call == "syncdir") return absl::StrCat("dir-sync ", DirectoryWords(call.path));
  return absl::StrCat(call.call == "open" ? "create" : call.call, " ", kind);
}

bool IsAnyOf(const std::string& text, const std::vector<std::string>& texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool AreAny(const std::vector<std::string>& some, const std::vector<std::string>& texts) {
  return std::any_of(some.begin(), some.end(),
                     [&](const std::string& text) { return IsAnyOf(text, texts); });
}

void Lose(std::vector<SyncTarget>& targets, bool of_directory, const std::string& name,
          const std::string& lost) {
  auto at = std::find_if(targets.begin(), targets.end(), [&](const SyncTarget& target) {
    return target.of_directory == of_directory && target.name == name;
  });
  if (at == targets.end()) at = targets.insert(at, {of_directory, name, {}});
  if (!IsAnyOf(lost, at->lost)) at->lost.push_back(lost);
}

}  // namespace

void LifeSteps::Add(const sim::Told& told) {
  using Kind = sim::Told::Kind;
  switch (told.kind) {
    case Kind::kBoot:
      spans_.clear();
      boot_begin_ = steps_.size();
      return;
    case Kind::kSpanEnter:
      spans_[told.task].push_back(told.text);
      return;
    case Kind::kSpanLeave:
      if (!spans_[told.task].empty()) spans_[told.task].pop_back();
      return;
    case Kind::kCall:
      AddCall(told);
      break;
    case Kind::kNote:
      AddNote(told);
      break;
    case Kind::kDeath:
      death_free_event_ = free_event_;
      break;
    case Kind::kCut:
      return AddCut(told);
    case Kind::kMark:
      break;
    case Kind::kJudge:
    case Kind::kSyncError:
      return;
  }
  free_event_ = told.event + 1;
}

// Each without those that its successor names again: "flush.F4" says "flush".
std::string LifeSteps::SpansOf(const std::string& task) const {
  const auto open = spans_.find(task);
  if (open == spans_.end()) return "";
  std::vector<std::string> said;
  for (const std::string& span : open->second) {
    if (!said.empty() && absl::StartsWith(span, said.back() + ".")) said.pop_back();
    said.push_back(span);
  }
  return absl::StrJoin(said, ", ");
}

void LifeSteps::AddCall(const sim::Told& told) {
  for (const std::string& operation : told.owes) {
    MicroOpText split = Split(operation);
    if (!split.paths.empty())
      file_paths_[split.label].emplace_back(steps_.size(), split.paths.back());
  }
  steps_.push_back({.told = told,
                    .words = CallWords(told),
                    .spans = SpansOf(told.task),
                    .free_event = free_event_,
                    .place = sim::Anchor{.boot = told.boot,
                                         .span = told.span,
                                         .occurrence = static_cast<uint32_t>(told.occurrence),
                                         .call = static_cast<uint32_t>(told.nth_call)},
                    .is_effect = !told.owes.empty()});
}

void LifeSteps::AddNote(const sim::Told& told) {
  absl::string_view text = told.text;
  uint32_t& operation = operations_[told.task];
  if (absl::ConsumePrefix(&text, "op ")) {
    if (!absl::SimpleAtoi(text.substr(0, text.find(' ')), &operation)) operation = 0;
    return;
  }
  const bool is_promise = absl::StartsWith(text, "  = sequence ") || text == "  = OK";
  if (!is_promise) return;
  steps_.push_back({.told = told,
                    .words = absl::StrCat("acknowledgement of op ", operation),
                    .spans = {},
                    .free_event = free_event_,
                    .place = sim::AfterOperation{operation},
                    .is_effect = true});
}

void LifeSteps::AddCut(const sim::Told& told) {
  PowerCut cut{.number = cuts_++,
               .begin = boot_begin_,
               .end = steps_.size(),
               .free_event = death_free_event_,
               .targets = {}};
  for (const sim::ToldFate& fate : told.fates) {
    if (fate.fate == "kept") continue;
    const MicroOpText split = Split(fate.text);
    if (split.paths.empty()) Lose(cut.targets, false, split.label, fate.text);
    for (const std::string& path : split.paths) Lose(cut.targets, true, ParentOf(path), fate.text);
  }
  if (!cut.targets.empty()) power_cuts_.push_back(std::move(cut));
}

std::string LifeSteps::Words(const SyncTarget& target, size_t before) const {
  if (target.of_directory) return absl::StrCat("dir-sync ", DirectoryWords(target.name));
  std::string kind = target.name;
  const auto paths = file_paths_.find(target.name);
  if (paths == file_paths_.end()) return absl::StrCat("sync ", kind);
  for (const auto& [step, path] : paths->second) {
    if (step < before) kind = KindWords(path);
  }
  return absl::StrCat("sync ", kind);
}

std::optional<size_t> LifeSteps::FirstOwed(const SyncTarget& target, size_t end) const {
  std::map<std::string, size_t> owed;
  for (size_t i = 0; i < end; ++i) {
    const sim::Told& told = steps_[i].told;
    for (const std::string& operation : told.safe) owed.erase(operation);
    for (const std::string& operation : told.owes) {
      if (IsAnyOf(operation, target.lost)) owed.emplace(operation, i);
    }
  }
  std::optional<size_t> first;
  for (const auto& [operation, step] : owed) first = std::min(first.value_or(step), step);
  return first;
}

bool LifeSteps::IsOf(const sim::Told& call, const SyncTarget& target) const {
  if (call.call != (target.of_directory ? "syncdir" : "sync")) return false;
  if (target.of_directory) return call.path == target.name;
  const auto paths = file_paths_.find(target.name);
  return paths != file_paths_.end() &&
         std::any_of(paths->second.begin(), paths->second.end(),
                     [&](const auto& named) { return named.second == call.path; });
}

std::vector<size_t> LifeSteps::EmptySyncs(const SyncTarget& target, size_t after,
                                          size_t before) const {
  std::vector<size_t> empty;
  for (size_t i = after + 1; i < before; ++i) {
    const sim::Told& told = steps_[i].told;
    if (told.result == "ok" && IsOf(told, target) && !AreAny(told.safe, target.lost)) {
      empty.push_back(i);
    }
  }
  return empty;
}

}  // namespace kiban::suites
