// Tables in memory for tests, and the entries to fill them with.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/read_file.h"
#include "engine/memory/memory_env.h"
#include "engine/memory/watched_files.h"
#include "engine/table/builder.h"
#include "engine/table/reader.h"

namespace kiban::table {

struct OwnedEntry {
  std::string key;
  base::Sequence sequence = 0;
  Kind kind = Kind::kPut;
  std::string value;

  Entry view() const { return {key, sequence, kind, value}; }
  friend bool operator==(const OwnedEntry&, const OwnedEntry&) = default;
};

inline OwnedEntry Own(const Entry& entry) {
  return {std::string(entry.key), entry.sequence, entry.kind, std::string(entry.value)};
}

inline bool StandsBefore(const OwnedEntry& entry, std::string_view key, base::Sequence sequence) {
  return Compare(entry.key, entry.sequence, key, sequence) < 0;
}

inline void SortEntries(std::vector<OwnedEntry>& entries) {
  const auto less = [](const OwnedEntry& a, const OwnedEntry& b) {
    return StandsBefore(a, b.key, b.sequence);
  };
  const auto same = [](const OwnedEntry& a, const OwnedEntry& b) {
    return a.key == b.key && a.sequence == b.sequence;
  };
  std::sort(entries.begin(), entries.end(), less);
  entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
}

// Chance that is the same everywhere.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t Below(uint64_t limit) { return base::Mix64(state_ += 0x9e3779b97f4a7c15) % limit; }

 private:
  uint64_t state_;
};

// A file system with one directory's worth of tables in it.
class TableDir {
 public:
  static constexpr uint64_t kFile = 12;

  memory::WatchedFiles& files() { return files_; }

  void Build(const std::vector<OwnedEntry>& entries, const BuilderOptions& options = {},
             uint64_t file_number = kFile) {
    const auto builder = Builder::Create(files_, Name(file_number), file_number, options).value();
    for (const OwnedEntry& entry : entries) CHECK(builder->Add(entry.view()).ok());
    CHECK(builder->Finish().ok());
    CHECK(builder->Sync().ok());
    CHECK(builder->Close().ok());
    CHECK(builder->size_bytes() == Bytes(file_number).size());
  }
  absl::StatusOr<std::shared_ptr<const TableReader>> Open(cache::BlockCache* cache = nullptr,
                                                          uint64_t file_number = kFile) {
    return Open({.cache = cache}, file_number);
  }
  absl::StatusOr<std::shared_ptr<const TableReader>> Open(const ReaderOptions& options,
                                                          uint64_t file_number = kFile) {
    return TableReader::Open(files_, Name(file_number), file_number, options);
  }
  std::string Bytes(uint64_t file_number = kFile) {
    return base::ReadWholeFile(*env_.env().files, Name(file_number)).value();
  }
  void SetBytes(std::string_view bytes, uint64_t file_number = kFile) {
    const auto file = files_.Open(Name(file_number), engine::OpenMode::kTruncate).value();
    CHECK(file->Append(base::AsBytes(bytes)).ok());
  }
  static std::string Name(uint64_t file_number) { return std::to_string(file_number) + ".sst"; }

 private:
  memory::MemoryEnv env_;
  memory::WatchedFiles files_{*env_.env().files};
};

// What is left from where the iterator stands.
inline std::vector<OwnedEntry> Rest(Iterator& iterator) {
  std::vector<OwnedEntry> entries;
  for (; iterator.Valid(); iterator.Next()) entries.push_back(Own(iterator.entry()));
  return entries;
}

inline std::vector<OwnedEntry> AllEntries(const TableReader& table) {
  const std::unique_ptr<Iterator> iterator = table.NewIterator();
  iterator->SeekToFirst();
  std::vector<OwnedEntry> entries = Rest(*iterator);
  CHECK(iterator->status().ok());
  return entries;
}

}  // namespace kiban::table
