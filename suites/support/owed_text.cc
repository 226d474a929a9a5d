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

void OwedText::Learn(std::string_view operation) {
  const Parts parts = Split(operation);
  std::string& name = names_[std::string(parts.label)];
  const size_t arrow = parts.rest.find(" -> ");
  if (parts.verb == "add") name = std::string(parts.rest);
  if (parts.verb == "rename" && arrow != parts.rest.npos) {
    name = std::string(parts.rest.substr(arrow + 4));
  }
}

void OwedText::Unlearn(std::string_view operation) {
  const Parts parts = Split(operation);
  const size_t arrow = parts.rest.find(" -> ");
  if (parts.verb != "rename" || arrow == parts.rest.npos) return;
  names_[std::string(parts.label)] = std::string(parts.rest.substr(0, arrow));
}

std::string OwedText::Words(const std::vector<std::string>& operations) const {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_file;
  for (const std::string& operation : operations) {
    const Parts parts = Split(operation);
    if (IsName(parts)) {
      const std::string verb = parts.verb.empty() ? "" : absl::StrCat(parts.verb, " ");
      by_file.push_back({"", {absl::StrCat(verb, parts.rest)}});
      continue;
    }
    const auto known = names_.find(parts.label);
    const std::string file =
        known == names_.end() || known->second.empty() ? std::string(parts.label) : known->second;
    auto at = std::find_if(by_file.begin(), by_file.end(),
                           [&](const auto& group) { return group.first == file; });
    if (at == by_file.end()) at = by_file.insert(at, {file, {}});
    at->second.push_back(Short(parts));
  }
  return absl::StrJoin(by_file, "; ", [](std::string* to, const auto& group) {
    const char* const of = group.first.empty() ? "" : " of ";
    absl::StrAppend(to, absl::StrJoin(group.second, ", "), of, group.first);
  });
}

}  // namespace kiban::suites
