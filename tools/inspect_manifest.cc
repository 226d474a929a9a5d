#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/base/read_file.h"
#include "tools/inspect_file.h"

namespace kiban::tools {
namespace {

std::string TableLine(size_t level, const lsm::TableInfo& table) {
  return absl::StrCat("level ", level, ", ", table.size_bytes, " bytes, ",
                      Counted(table.entry_count, "entry", "entries"), ", keys ",
                      ShownKey(table.smallest_key), " to ", ShownKey(table.largest_key),
                      ", sequences ", table.smallest_sequence, " to ", table.largest_sequence);
}

}  // namespace

FileReport InspectManifest(engine::FileSystem& files, const std::string& path,
                           std::optional<lsm::Manifest>& manifest) {
  FileReport report;
  report.title = "manifest";
  const absl::StatusOr<std::string> bytes = base::ReadWholeFile(files, path);
  if (!bytes.ok()) {
    report.Note(path, "manifest", bytes.status());
    return report;
  }
  absl::StrAppend(&report.title, ", ", bytes->size(), " bytes");
  absl::StatusOr<lsm::Manifest> decoded = lsm::DecodeManifest(path, *bytes);
  if (!decoded.ok()) {
    report.Note(path, "manifest", decoded.status());
    return report;
  }
  report.Add("head", 0, lsm::kManifestHeadBytes, absl::StrCat("format ", lsm::kManifestFormat));
  report.Add("body", lsm::kManifestHeadBytes, lsm::kManifestBodyBytesMin,
             absl::StrCat("logs from ", decoded->min_log, ", next file ", decoded->next_file,
                          ", last sequence ", decoded->last_sequence));
  uint64_t offset = lsm::kManifestHeadBytes + lsm::kManifestBodyBytesMin;
  uint64_t table_count = 0;
  for (size_t level = 0; level < decoded->levels.size(); ++level) {
    for (const lsm::TableInfo& table : decoded->levels[level]) {
      const uint64_t entry_bytes =
          lsm::kManifestTableBytes + table.smallest_key.size() + table.largest_key.size();
      report.Add(absl::StrCat("table ", table.number), offset, entry_bytes,
                 TableLine(level, table));
      offset += entry_bytes;
      ++table_count;
    }
  }
  absl::StrAppend(&report.title, ", ", Counted(table_count, "table", "tables"), ", last sequence ",
                  decoded->last_sequence);
  manifest = *std::move(decoded);
  return report;
}

}  // namespace kiban::tools
