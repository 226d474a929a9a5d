// Which tables make up the database: an immutable value, shared by readers, replaced at each
// commit.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/lsm/limits.h"
#include "engine/lsm/manifest_format.h"
#include "engine/table/reader.h"

namespace kiban::lsm {

// A table of the database, open. Its file is removed only when nothing refers to it any more.
struct Table {
  TableInfo info;
  std::shared_ptr<const table::TableReader> reader;
};
using TableRef = std::shared_ptr<const Table>;

// Tables by level: of a whole version, or those that a compaction takes from it.
using Levels = std::array<std::vector<TableRef>, kLevelCount>;

// Each level in the order that Manifest prescribes.
struct Version {
  Levels levels;
};

// What turns one version into the next.
struct VersionEdit {
  Levels removed;
  Levels added;
};

// The next version; every removed table must be there, and the result in order (CHECK).
std::shared_ptr<const Version> Apply(const Version& version, const VersionEdit& edit);

// The tables as MANIFEST names them.
std::vector<TableInfo> InfosOf(const std::vector<TableRef>& tables);

uint64_t BytesOf(const std::vector<TableRef>& tables);

// Of a level above 0: the first table that ends at or behind `key`, or tables.size().
size_t FirstEndingAtOrBehind(const std::vector<TableRef>& tables, std::string_view key);

inline bool Overlaps(const TableInfo& table, std::string_view smallest, std::string_view largest) {
  return table.smallest_key <= largest && table.largest_key >= smallest;
}

}  // namespace kiban::lsm
