#include "engine/lsm/version.h"

#include <algorithm>

#include "engine/base/check.h"

namespace kiban::lsm {
namespace {

bool InOrder(uint32_t level, const TableRef& before, const TableRef& after) {
  if (level == 0) return before->info.number < after->info.number;
  return before->info.largest_key < after->info.smallest_key;
}

void Remove(std::vector<TableRef>& tables, const TableRef& table) {
  const auto found = std::find(tables.begin(), tables.end(), table);
  CHECK(found != tables.end());
  tables.erase(found);
}

void Insert(std::vector<TableRef>& tables, uint32_t level, const TableRef& table) {
  const auto behind = std::find_if(tables.begin(), tables.end(), [&](const TableRef& other) {
    return InOrder(level, table, other);
  });
  CHECK(behind == tables.begin() || InOrder(level, *(behind - 1), table));
  tables.insert(behind, table);
}

}  // namespace

std::shared_ptr<const Version> Apply(const Version& version, const VersionEdit& edit) {
  auto next = std::make_shared<Version>(version);
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    for (const TableRef& table : edit.removed[level]) Remove(next->levels[level], table);
  }
  for (uint32_t level = 0; level < kLevelCount; ++level) {
    for (const TableRef& table : edit.added[level]) Insert(next->levels[level], level, table);
  }
  return next;
}

std::vector<TableInfo> InfosOf(const std::vector<TableRef>& tables) {
  std::vector<TableInfo> infos;
  infos.reserve(tables.size());
  for (const TableRef& table : tables) infos.push_back(table->info);
  return infos;
}

uint64_t BytesOf(const std::vector<TableRef>& tables) {
  uint64_t bytes = 0;
  for (const TableRef& table : tables) bytes += table->info.size_bytes;
  return bytes;
}

size_t FirstEndingAtOrBehind(const std::vector<TableRef>& tables, std::string_view key) {
  const auto found = std::lower_bound(
      tables.begin(), tables.end(), key,
      [](const TableRef& table, std::string_view at) { return table->info.largest_key < at; });
  return static_cast<size_t>(found - tables.begin());
}

}  // namespace kiban::lsm
