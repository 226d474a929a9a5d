#include "tools/inspect_file.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"

namespace kiban::tools {
namespace {

// A log by itself. A power cut may leave one without a header, and recovery then takes it for
// empty; a person who asks about a file is told that it holds nothing of a log.
FileReport InspectLoneLog(engine::FileSystem& files, const std::string& path, uint64_t number) {
  FileReport report = InspectLog(files, path, number, wal::TailRule::kMayBeTorn);
  if (!report.structures.empty() && report.structures.front().name == "tail") {
    report.Note(path, "header",
                base::Corruption(path, 0, "not that of this segment: no log, or one never synced"));
  }
  return report;
}

// Why nobody knows what it is.
absl::Status NoneOfOurs(engine::FileSystem& files, const std::string& path) {
  RETURN_IF_ERROR(files.Open(path, engine::OpenMode::kRead).status());
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": its name does not say what it is; give a database directory, MANIFEST, "
                   "or a file named by its number, as 000012.wal or 000013.sst"));
}

}  // namespace

void FileReport::Add(std::string name, uint64_t offset, uint64_t bytes, std::string contents) {
  structures.push_back({std::move(name), offset, bytes, std::move(contents), {}});
}

void FileReport::Note(std::string_view path, std::string_view structure,
                      const absl::Status& status) {
  if (status.ok()) return;
  absl::string_view message = status.message();
  if (!absl::IsDataLoss(status)) {
    unreadable.Update(status);
    return;
  }
  if (absl::ConsumePrefix(&message, base::ToAbsl(path))) absl::ConsumePrefix(&message, ": ");
  damage.push_back(absl::StrCat(base::ToAbsl(structure), ", ", message));
}

FileReport InspectFile(engine::FileSystem& files, const std::string& path) {
  const size_t slash = path.rfind('/');
  const lsm::FileName name =
      lsm::ParseFileName(slash == path.npos ? path : std::string_view(path).substr(slash + 1));
  std::optional<lsm::Manifest> unused;
  switch (name.kind) {
    case lsm::FileKind::kLog:
      return InspectLoneLog(files, path, name.number);
    case lsm::FileKind::kTable:
      return InspectTable(files, path, name.number);
    case lsm::FileKind::kManifest:
    case lsm::FileKind::kManifestTemp:
      return InspectManifest(files, path, unused);
    case lsm::FileKind::kLock:
    case lsm::FileKind::kForeign:
      break;
  }
  FileReport report;
  report.title = "none of ours";
  report.unreadable = NoneOfOurs(files, path);
  return report;
}

std::string LineOf(const Structure& structure) {
  return absl::StrFormat("%-12s at %8d, %7d bytes: %s", structure.name, structure.offset,
                         structure.bytes, structure.contents);
}

std::string Counted(uint64_t count, std::string_view singular, std::string_view plural) {
  return absl::StrCat(count, " ", base::ToAbsl(count == 1 ? singular : plural));
}

std::string ShownKey(std::string_view key) {
  constexpr size_t kShownBytes = 32;
  const std::string text = absl::CHexEscape(base::ToAbsl(key.substr(0, kShownBytes)));
  if (key.size() <= kShownBytes) return absl::StrCat("\"", text, "\"");
  return absl::StrCat("\"", text, "\"... (", key.size(), " bytes)");
}

}  // namespace kiban::tools
