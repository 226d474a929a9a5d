// What golden files hold, as text that stands beside their bytes. A line is a word and what belongs
// to it; lines that begin with '#' are for people. corpora/golden/README.md shows each kind.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/lsm/manifest_format.h"
#include "engine/table/entry.h"

namespace kiban::tools {

struct GoldenEntry {
  std::string key;
  base::Sequence sequence = 0;
  table::Kind kind = table::Kind::kPut;
  std::string value;

  table::Entry view() const { return {key, sequence, kind, value}; }
  friend bool operator==(const GoldenEntry&, const GoldenEntry&) = default;
};

struct GoldenTable {
  uint64_t number = 0;
  uint32_t block_bytes = 0;
  uint32_t restart_interval = 0;
  uint32_t filter_bits_per_key = 0;
  std::vector<GoldenEntry> entries;  // In the order of a table.
};

struct GoldenRecord {
  uint64_t offset = 0;
  base::Sequence durable_through = 0;
  std::vector<GoldenEntry> operations;  // With the sequences they take.
  friend bool operator==(const GoldenRecord&, const GoldenRecord&) = default;
};

struct GoldenLog {
  uint64_t number = 0;
  base::Sequence first_sequence = 0;  // 0: nothing in it was ever synced, its header included.
  std::vector<GoldenRecord> records;
  uint64_t dropped_bytes = 0;
  bool is_damaged = false;  // kDataLoss: synced records are gone.
};

struct GoldenDatabase {
  base::Sequence last_sequence = 0;
  std::map<uint64_t, std::string> tables;  // The format of each by its number.
  std::vector<uint64_t> logs;              // The live ones.
  std::vector<std::string> leftovers;      // Names of files that an open takes away.
  std::map<std::string, std::string> contents;
};

// The first word of a text: table, log, manifest, database; empty if there is none.
std::string KindOf(std::string_view text);

std::string Format(const GoldenTable& table);
std::string Format(const GoldenLog& log);
std::string Format(const lsm::Manifest& manifest);
std::string Format(const GoldenDatabase& database);

// kInvalidArgument, with the number of the line.
absl::StatusOr<GoldenTable> ParseTable(std::string_view text);
absl::StatusOr<GoldenLog> ParseLog(std::string_view text);
absl::StatusOr<lsm::Manifest> ParseManifest(std::string_view text);
absl::StatusOr<GoldenDatabase> ParseDatabase(std::string_view text);

// One entry as it stands in a text.
std::string Shown(const GoldenEntry& entry);

}  // namespace kiban::tools
