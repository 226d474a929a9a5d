#include <algorithm>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/replay.h"
#include "engine/table/inspect.h"
#include "suites/support/table_text.h"
#include "tools/inspect.h"

namespace kiban::tools {
namespace {

using lsm::FileKind;
using suites::Row;

// What each name in the directory is to the database.
class Census {
 public:
  Census(const std::vector<std::string>& names, const lsm::Manifest& manifest) {
    for (const auto& level : manifest.levels) {
      for (const lsm::TableInfo& table : level) missing_.insert(table.number);
    }
    for (const std::string& name : names) Count(name, manifest);
  }

  const std::vector<uint64_t>& live_logs() const { return live_logs_; }
  // Named by the manifest and not there.
  const std::set<uint64_t>& missing() const { return missing_; }
  std::string Text() const { return suites::TableText(rows_); }

 private:
  void Count(const std::string& name, const lsm::Manifest& manifest) {
    const lsm::FileName file = lsm::ParseFileName(name);
    switch (file.kind) {
      case FileKind::kLog:
        if (file.number >= manifest.min_log) live_logs_.push_back(file.number);
        rows_.push_back({name, file.number >= manifest.min_log ? "live log" : "garbage"});
        return;
      case FileKind::kTable:
        rows_.push_back({name, missing_.erase(file.number) > 0 ? "table" : "garbage"});
        return;
      case FileKind::kManifest:
        rows_.push_back({name, "manifest"});
        return;
      case FileKind::kManifestTemp:
        rows_.push_back({name, "garbage"});
        return;
      case FileKind::kLock:
        rows_.push_back({name, "lock"});
        return;
      case FileKind::kForeign:
        rows_.push_back({name, "foreign"});
        return;
    }
  }

  std::vector<Row> rows_ = {{"name", "what"}};
  std::set<uint64_t> missing_;
  std::vector<uint64_t> live_logs_;
};

absl::Status VerifyTable(engine::FileSystem& files, const std::string& dir,
                         const lsm::TableInfo& info) {
  const std::string path = lsm::TablePath(dir, info.number);
  ASSIGN_OR_RETURN(const table::TableDescription table, table::Describe(files, path, info.number));
  RETURN_IF_ERROR(table.status);
  if (table.file_bytes == info.size_bytes && table.entry_count == info.entry_count) {
    return absl::OkStatus();
  }
  return base::Corruption(path, 0, "size or number of entries are not what the manifest says");
}

// The first damage; all of it is told.
absl::Status Verify(engine::FileSystem& files, const std::string& dir,
                    const lsm::Manifest& manifest, std::vector<uint64_t> logs, std::string& text) {
  absl::Status first;
  const auto tell = [&](const absl::Status& status) {
    if (!status.ok()) absl::StrAppend(&text, "DAMAGED ", status.message(), "\n");
    first.Update(status);
  };
  for (const auto& level : manifest.levels) {
    for (const lsm::TableInfo& info : level) tell(VerifyTable(files, dir, info));
  }
  std::sort(logs.begin(), logs.end());
  const auto replayed = lsm::ReplayLogs(files, dir, logs, manifest.last_sequence);
  tell(replayed.status());
  if (replayed.ok()) {
    absl::StrAppend(&text, "logs: ", replayed->records, " records through sequence ",
                    replayed->last_sequence, ", ", replayed->dropped_bytes,
                    " bytes behind them promised to nobody\n");
  }
  return first;
}

}  // namespace

absl::Status InspectDatabase(engine::FileSystem& files, const std::string& dir, bool verify,
                             std::string& text) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(dir));
  const std::string path = lsm::PathIn(dir, lsm::kManifestName);
  RETURN_IF_ERROR(InspectManifest(files, path, text));
  ASSIGN_OR_RETURN(const lsm::Manifest manifest, ReadManifest(files, path));
  const Census census(names, manifest);
  absl::StrAppend(&text, "\n", census.Text());
  if (!census.missing().empty()) {
    return base::Corruption(path, 0,
                            absl::StrCat("table ", *census.missing().begin(),
                                         " is named by the manifest, but not there"));
  }
  return verify ? Verify(files, dir, manifest, census.live_logs(), text) : absl::OkStatus();
}

}  // namespace kiban::tools
