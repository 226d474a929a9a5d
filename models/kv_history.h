// Every version of every key, by sequence: what could be read at any moment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiban::models {

using Sequence = uint64_t;
using CallId = uint64_t;
using Contents = std::map<std::string, std::string>;

struct Version {
  Sequence sequence;
  CallId call;                       // That wrote it.
  std::optional<std::string> value;  // nullopt: deleted.
};

// A key of which something else was found than a state says; null: nothing.
struct Difference {
  std::string_view key;
  const Version* expected;  // Null: never written up to there.
  const std::string* got;
};

class KvHistory {
 public:
  // Oldest first.
  using Versions = std::map<std::string, std::vector<Version>, std::less<>>;

  // In any order of sequences.
  void Add(const std::string& key, Version version);
  // Takes out the version of `sequence`, which must be there, and gives its value back.
  std::optional<std::string> Remove(std::string_view key, Sequence sequence);
  // Takes out and returns, by key, all versions newer than `last`.
  Versions Forget(Sequence last);

  // The newest version up to `at`; null if there is none.
  const Version* At(std::string_view key, Sequence at) const;
  Contents StateAt(Sequence at) const;
  // The state at the end, kept up to date.
  const Contents& present() const { return present_; }
  const Versions& versions() const { return versions_; }

  // The first key, in order, that `found` has otherwise than the state at `at`.
  std::optional<Difference> FirstDifference(Sequence at, const Contents& found) const;

 private:
  void RefreshPresent(const std::string& key, const std::vector<Version>& versions);

  Versions versions_;
  Contents present_;
};

}  // namespace kiban::models
