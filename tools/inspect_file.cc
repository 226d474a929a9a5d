#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/file_names.h"
#include "engine/table/inspect.h"
#include "engine/wal/reader.h"
#include "suites/support/table_text.h"
#include "tools/inspect.h"

namespace kiban::tools {
namespace {

using base::Sequence;
using suites::Row;

constexpr size_t kKeyCharsMax = 32;

// One row a record; answers with the sequence behind it.
absl::StatusOr<Sequence> AddRecord(const std::string& path, const wal::Record& record,
                                   std::vector<Row>& rows) {
  uint64_t puts = 0;
  uint64_t deletes = 0;
  const absl::Status decoded =
      lsm::DecodeBatch(record.payload, [&](table::Kind kind, std::string_view, std::string_view) {
        ++(kind == table::Kind::kPut ? puts : deletes);
        return absl::OkStatus();
      });
  if (!decoded.ok()) {
    return base::Corruption(path, record.offset, base::ToStd(decoded.message()));
  }
  rows.push_back({absl::StrCat(record.offset), absl::StrCat(record.first_sequence),
                  absl::StrCat(puts), absl::StrCat(deletes), absl::StrCat(record.payload.size()),
                  absl::StrCat(record.durable_through)});
  return record.first_sequence + puts + deletes;
}

std::string SequencesText(Sequence first, Sequence last) {
  return first == last ? absl::StrCat(first) : absl::StrCat(first, "..", last);
}

}  // namespace

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string KeyText(const std::string& key) {
  if (key.size() <= kKeyCharsMax) return absl::StrCat("\"", absl::CHexEscape(key), "\"");
  return absl::StrCat("\"", absl::CHexEscape(key.substr(0, kKeyCharsMax)), "\"... (", key.size(),
                      " bytes)");
}

absl::StatusOr<uint64_t> FileNumberOf(const std::string& path) {
  const lsm::FileName name = lsm::ParseFileName(BaseName(path));
  if (name.number != 0) return name.number;
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": expected a name like 000012.wal or 000013.sst; checksums cover the number"));
}

absl::Status InspectLog(engine::FileSystem& files, const std::string& path, std::string& text) {
  ASSIGN_OR_RETURN(const uint64_t number, FileNumberOf(path));
  std::vector<Row> rows = {{"offset", "sequence", "puts", "deletes", "bytes", "durable through"}};
  const absl::StatusOr<wal::ReplayResult> log =
      wal::Replay(files, path, number, wal::TailRule::kMayBeTorn,
                  [&](const wal::Record& record) { return AddRecord(path, record, rows); });
  absl::StrAppend(&text, "log ", path, ": ", rows.size() - 1, " records\n");
  if (rows.size() > 1) text += suites::TableText(rows);
  if (!log.ok()) return log.status();
  if (!log->has_header) absl::StrAppend(&text, "no valid header: an empty log\n");
  absl::StrAppend(&text, "ends at ", log->end_offset, "; ", log->dropped_bytes,
                  " bytes behind it were promised to nobody\n");
  return absl::OkStatus();
}

absl::Status InspectTable(engine::FileSystem& files, const std::string& path, std::string& text) {
  ASSIGN_OR_RETURN(const uint64_t number, FileNumberOf(path));
  ASSIGN_OR_RETURN(const table::TableDescription table, table::Describe(files, path, number));
  absl::StrAppend(&text, "table ", path, ": format ", table.version, ", ", table.entry_count,
                  " entries in ", table.file_bytes, " bytes\nkeys ", KeyText(table.smallest_key),
                  " to ", KeyText(table.largest_key), ", sequences ",
                  SequencesText(table.sequence_min, table.sequence_max),
                  "\nfilter: ", table.filter_bit_count, " bits for ", table.filter_key_count,
                  " keys, ", table.filter_probe_count, " probes\n");
  std::vector<Row> rows = {{"block at", "bytes", "entries", "first key"}};
  for (const table::BlockDescription& block : table.blocks) {
    rows.push_back(
        {absl::StrCat(block.offset), absl::StrCat(block.bytes), absl::StrCat(block.entry_count),
         block.status.ok() ? KeyText(block.first_key) : std::string(block.status.message())});
  }
  text += suites::TableText(rows);
  return table.status;
}

absl::StatusOr<lsm::Manifest> ReadManifest(engine::FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(const std::string bytes, base::ReadWholeFile(files, path));
  return lsm::DecodeManifest(path, bytes);
}

absl::Status InspectManifest(engine::FileSystem& files, const std::string& path,
                             std::string& text) {
  ASSIGN_OR_RETURN(const lsm::Manifest manifest, ReadManifest(files, path));
  absl::StrAppend(&text, "manifest ", path, ": logs from ", manifest.min_log, ", next file ",
                  manifest.next_file, ", tables through sequence ", manifest.last_sequence, "\n");
  std::vector<Row> rows = {
      {"level", "table", "bytes", "entries", "sequences", "smallest key", "largest key"}};
  for (size_t level = 0; level < manifest.levels.size(); ++level) {
    for (const lsm::TableInfo& table : manifest.levels[level]) {
      rows.push_back({absl::StrCat(level), absl::StrFormat("%06d", table.number),
                      absl::StrCat(table.size_bytes), absl::StrCat(table.entry_count),
                      SequencesText(table.smallest_sequence, table.largest_sequence),
                      KeyText(table.smallest_key), KeyText(table.largest_key)});
    }
  }
  if (rows.size() > 1) text += suites::TableText(rows);
  return absl::OkStatus();
}

}  // namespace kiban::tools
