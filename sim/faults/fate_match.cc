#include "sim/faults/fate_match.h"

#include <cctype>
#include <map>
#include <string_view>

namespace kiban::sim {
namespace {

// Without what edits change: "page wal@1:switch.T2#3 0 v2" becomes "page wal 0", and
// "add sst@2:flush.F1#3 db/000012.sst" becomes "add sst db/.sst".
std::string KindOf(std::string_view text, bool with_page) {
  std::string kind;
  size_t word = 0;
  bool in_making = false;
  for (const char c : text) {
    if (c == ' ') {
      ++word;
      in_making = false;
    }
    in_making |= word == 1 && c == '@';
    const bool is_number = std::isdigit(static_cast<unsigned char>(c)) != 0;
    const bool is_page = with_page && word == 2 && text.starts_with("page");
    if (!in_making && (!is_number || is_page)) kind += c;
  }
  return kind;
}

// Takes a fate that has no namesake for each that has none either, from the end.
void FindAlike(std::span<const ListedFate> listed, std::span<const std::string> owed,
               bool with_page, std::map<std::string_view, const ListedFate*>& left,
               FatesFound& found) {
  std::map<std::string, std::vector<const ListedFate*>> by_kind;  // The last behind.
  for (const ListedFate& fate : listed) {
    const auto is_left = left.find(fate.text);
    if (is_left != left.end() && is_left->second == &fate) {
      by_kind[KindOf(fate.text, with_page)].push_back(&fate);
    }
  }
  for (size_t i = owed.size(); i-- > 0;) {
    if (found.fates[i] != nullptr) continue;
    const auto alike = by_kind.find(KindOf(owed[i], with_page));
    if (alike == by_kind.end() || alike->second.empty()) continue;
    found.fates[i] = alike->second.back();
    left.erase(alike->second.back()->text);
    alike->second.pop_back();
  }
}

}  // namespace

FatesFound FindFates(std::span<const ListedFate> listed, std::span<const std::string> owed,
                     FateMatch match) {
  FatesFound found;
  found.fates.resize(owed.size());
  std::map<std::string_view, const ListedFate*> left;
  for (const ListedFate& fate : listed) left.emplace(fate.text, &fate);
  for (size_t i = 0; i < owed.size(); ++i) {
    const auto namesake = left.find(owed[i]);
    if (namesake == left.end()) continue;
    found.fates[i] = namesake->second;
    left.erase(namesake);
  }
  if (match != FateMatch::kExact) {
    for (const bool with_page : {true, false}) FindAlike(listed, owed, with_page, left, found);
  }
  found.not_owed = left.size();
  if (!left.empty()) found.first_not_owed = left.begin()->second->text;
  return found;
}

}  // namespace kiban::sim
