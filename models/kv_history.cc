#include "models/kv_history.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/check.h"

namespace kiban::models {
namespace {

const Version* NewestUpTo(const std::vector<Version>& versions, Sequence at) {
  const auto after =
      std::upper_bound(versions.begin(), versions.end(), at,
                       [](Sequence sequence, const Version& v) { return sequence < v.sequence; });
  return after == versions.begin() ? nullptr : &*std::prev(after);
}

}  // namespace

void KvHistory::Add(const std::string& key, Version version) {
  std::vector<Version>& versions = versions_[key];
  const auto after =
      std::upper_bound(versions.begin(), versions.end(), version.sequence,
                       [](Sequence sequence, const Version& v) { return sequence < v.sequence; });
  const bool is_newest = after == versions.end();
  versions.insert(after, std::move(version));
  if (is_newest) RefreshPresent(key, versions);
}

std::optional<std::string> KvHistory::Remove(std::string_view key, Sequence sequence) {
  const auto found = versions_.find(key);
  CHECK(found != versions_.end());
  std::vector<Version>& versions = found->second;
  const auto version = std::find_if(versions.begin(), versions.end(),
                                    [&](const Version& v) { return v.sequence == sequence; });
  CHECK(version != versions.end());
  std::optional<std::string> value = std::move(version->value);
  versions.erase(version);
  RefreshPresent(found->first, versions);
  return value;
}

KvHistory::Versions KvHistory::Forget(Sequence last) {
  Versions forgotten;
  for (auto& [key, versions] : versions_) {
    if (versions.empty() || versions.back().sequence <= last) continue;
    const auto first = std::find_if(versions.begin(), versions.end(),
                                    [&](const Version& v) { return v.sequence > last; });
    forgotten[key].assign(std::make_move_iterator(first), std::make_move_iterator(versions.end()));
    versions.erase(first, versions.end());
    RefreshPresent(key, versions);
  }
  return forgotten;
}

const Version* KvHistory::At(std::string_view key, Sequence at) const {
  const auto found = versions_.find(key);
  return found == versions_.end() ? nullptr : NewestUpTo(found->second, at);
}

Contents KvHistory::StateAt(Sequence at) const {
  Contents state;
  for (const auto& [key, versions] : versions_) {
    const Version* const version = NewestUpTo(versions, at);
    if (version != nullptr && version->value.has_value()) {
      state.emplace_hint(state.end(), key, *version->value);
    }
  }
  return state;
}

std::optional<Difference> KvHistory::FirstDifference(Sequence at, const Contents& found) const {
  auto next = found.begin();
  for (const auto& [key, versions] : versions_) {
    if (next != found.end() && next->first < key) break;  // Nobody ever wrote it.
    const bool is_found = next != found.end() && next->first == key;
    const std::string* const got = is_found ? &next->second : nullptr;
    const Version* const expected = NewestUpTo(versions, at);
    const bool is_expected = expected != nullptr && expected->value.has_value();
    if (is_expected != is_found || (is_found && *expected->value != *got)) {
      return Difference{key, expected, got};
    }
    if (is_found) ++next;
  }
  if (next == found.end()) return std::nullopt;
  return Difference{next->first, nullptr, &next->second};
}

void KvHistory::RefreshPresent(const std::string& key, const std::vector<Version>& versions) {
  if (versions.empty() || !versions.back().value.has_value()) {
    present_.erase(key);
  } else {
    present_[key] = *versions.back().value;
  }
}

}  // namespace kiban::models
