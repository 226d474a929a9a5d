// Records for tests, sections made of them, and what a map says of the same records.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "engine/pointindex/builder.h"
#include "engine/pointindex/reader.h"

namespace kiban::pointindex {

inline constexpr SectionPlace kPlace = {.path = "7.sst", .file_number = 7, .offset = 4096};

// Chance that is the same everywhere.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(base::Mix64(seed + 1)) {}
  uint64_t Next() { return base::Mix64(state_ += 0x9e3779b97f4a7c15); }
  uint64_t Below(uint64_t limit) { return Next() % limit; }

 private:
  uint64_t state_;
};

struct Version {
  Kind kind = Kind::kPut;
  ValuePlace place;
};

// A table as a map: keys in order, the versions of each newest first.
class RecordMap {
 public:
  using HashFunction = uint64_t (*)(std::string_view);
  using Versions = std::map<base::Sequence, Version, std::greater<>>;

  explicit RecordMap(HashFunction hash = KeyHash) : hash_(hash) {}

  void Add(const std::string& key, base::Sequence sequence, const Version& version) {
    keys_[key][sequence] = version;
  }
  // Puts values of `value_bytes` where they would stand, had all headers eleven bytes.
  void PlaceValues(uint64_t from, const std::function<uint32_t()>& value_bytes) {
    for (auto& [key, versions] : keys_) {
      for (auto& [sequence, version] : versions) {
        if (version.kind != Kind::kPut) continue;
        from += 11 + key.size() % 7;
        version.place = {.offset = from, .bytes = value_bytes()};
        from += version.place.bytes;
      }
    }
  }

  const std::map<std::string, Versions>& keys() const { return keys_; }
  // Views into the map.
  std::vector<Record> Records() && = delete;
  std::vector<Record> Records() const& {
    std::vector<Record> records;
    for (const auto& [key, versions] : keys_) {
      for (const auto& [sequence, version] : versions) {
        records.push_back({.key = key,
                           .begins_key = sequence == versions.begin()->first,
                           .hash = hash_(key),
                           .sequence = sequence,
                           .kind = version.kind,
                           .place = version.place});
      }
    }
    return records;
  }
  Answer Find(const std::string& key, base::Sequence at) const {
    const auto versions = keys_.find(key);
    if (versions == keys_.end()) return {};
    const auto version = versions->second.lower_bound(at);
    if (version == versions->second.end()) return {};
    const bool is_put = version->second.kind == Kind::kPut;
    return {.found = is_put ? Found::kPut : Found::kDelete,
            .sequence = version->first,
            .place = is_put ? version->second.place : ValuePlace{}};
  }
  uint64_t HashOf(std::string_view key) const { return hash_(key); }

 private:
  HashFunction hash_;
  std::map<std::string, Versions> keys_;
};

inline std::optional<std::string> BuildSection(const std::vector<Record>& records,
                                               const BuilderOptions& options) {
  const std::unique_ptr<Builder> builder = Builder::Make(options);
  for (const Record& record : records) builder->Add(record);
  return builder->Finish(kPlace.file_number, kPlace.offset);
}

// The index holds on to its section.
inline absl::StatusOr<std::shared_ptr<const PointIndex>> OpenSection(
    std::string section, const std::vector<Record>& records, const ReaderOptions& options = {},
    const SectionPlace& place = kPlace) {
  size_t at = 0;
  const auto next = [&](Record& record) -> absl::StatusOr<bool> {
    if (at == records.size()) return false;
    record = records[at];
    record.begins_key = at == 0 || record.key != records[at - 1].key;  // Tests change records.
    ++at;
    return true;
  };
  struct Opened {
    std::string section;
    std::unique_ptr<const PointIndex> index;
  };
  const auto opened = std::make_shared<Opened>(Opened{std::move(section), nullptr});
  ASSIGN_OR_RETURN(opened->index, PointIndex::Open(opened->section, place, options, next));
  return std::shared_ptr<const PointIndex>(opened, opened->index.get());
}

inline constexpr BuilderOptions kAllLayouts[] = {
    {.layout = Layout::kPh2}, {.layout = Layout::kPh3}, {.layout = Layout::kPh3, .is_wide = true}};

}  // namespace kiban::pointindex
