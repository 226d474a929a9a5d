#include "suites/support/owed_text.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;
using base::ToStd;

// "page LABEL 0 v2", "add LABEL PATH", "rename LABEL FROM -> TO".
struct Parts {
  absl::string_view verb, label, rest;
};

Parts Split(std::string_view operation) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(ToAbsl(operation), absl::MaxSplits(' ', 2));
  if (parts.size() < 3) return {.rest = ToAbsl(operation)};
  return {.verb = parts[0], .label = parts[1], .rest = parts[2]};
}

bool IsName(const Parts& parts) {
  return parts.verb.empty() || parts.verb == "add" || parts.verb == "del" || parts.verb == "rename";
}

// The paths that a change of names is about: one, or from and to.
std::vector<absl::string_view> Paths(const Parts& parts) {
  return absl::StrSplit(parts.rest, absl::ByString(" -> "));
}

absl::string_view ParentOf(absl::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? absl::string_view() : path.substr(0, slash);
}

// "page 0 v2"; a first version goes without saying, and sizes tell themselves apart.
std::string Short(const Parts& parts) {
  absl::string_view rest = parts.rest;
  const size_t version = rest.rfind(" v");
  if (version != rest.npos && (parts.verb != "page" || rest.substr(version) == " v1")) {
    rest = rest.substr(0, version);
  }
  return absl::StrCat(parts.verb, " ", rest);
}

}  // namespace

void OwedText::Add(const sim::Told& told) {
  for (const std::string& operation : told.owes) Learn(operation);
  owed_.insert(owed_.end(), told.owes.begin(), told.owes.end());
  for (const auto* const done : {&told.safe, &told.damaged, &told.gone}) {
    for (const std::string& operation : *done) std::erase(owed_, operation);
  }
  for (const sim::ToldFate& fate : told.fates) {
    if (fate.fate == "lost") Unlearn(fate.text);
    std::erase(owed_, fate.text);
  }
}

void OwedText::Learn(std::string_view operation) {
  const Parts parts = Split(operation);
  if (parts.verb != "add" && parts.verb != "rename") return;
  names_[std::string(parts.label)] = std::string(Paths(parts).back());
}

void OwedText::Unlearn(std::string_view operation) {
  const Parts parts = Split(operation);
  if (parts.verb == "rename") names_[std::string(parts.label)] = std::string(Paths(parts).front());
}

std::string OwedText::NameOf(std::string_view label) const {
  const auto known = names_.find(label);
  return known == names_.end() ? std::string(label) : known->second;
}

std::vector<std::string> OwedText::OwedByFile(std::string_view label) const {
  std::vector<std::string> owed;
  for (const std::string& operation : owed_) {
    const Parts parts = Split(operation);
    if (!IsName(parts) && parts.label == ToAbsl(label)) owed.push_back(operation);
  }
  return owed;
}

std::vector<std::string> OwedText::OwedByDirectory(std::string_view path) const {
  std::vector<std::string> owed;
  for (const std::string& operation : owed_) {
    const Parts parts = Split(operation);
    if (IsName(parts) && ParentOf(Paths(parts).back()) == ToAbsl(path)) owed.push_back(operation);
  }
  return owed;
}

std::string OwedText::Words(const std::vector<std::string>& operations) const {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_file;
  for (const std::string& operation : operations) {
    const Parts parts = Split(operation);
    const bool is_name = IsName(parts);
    const std::string file = is_name ? "" : NameOf(ToStd(parts.label));
    auto at = std::find_if(by_file.begin(), by_file.end(),
                           [&](const auto& group) { return !is_name && group.first == file; });
    if (at == by_file.end()) at = by_file.insert(at, {file, {}});
    at->second.push_back(is_name ? absl::StrCat(parts.verb, " ", parts.rest) : Short(parts));
  }
  return absl::StrJoin(by_file, "; ", [](std::string* to, const auto& group) {
    absl::StrAppend(to, absl::StrJoin(group.second, ", "), group.first.empty() ? "" : " of ",
                    group.first);
  });
}

}  // namespace kiban::suites
