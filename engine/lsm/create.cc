#include "engine/lsm/create.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/publish.h"
#include "engine/lsm/replay.h"

namespace kiban::lsm {
namespace {

absl::Status NoDatabase(const std::string& dir) {
  return absl::NotFoundError(absl::StrCat(dir, ": no database"));
}

absl::Status CheckNothingLost(engine::FileSystem& files, const std::string& dir,
                              const std::vector<FileName>& present) {
  for (const FileName& file : present) {
    if (file.kind == FileKind::kTable) {
      return base::Corruption(PathIn(dir, kManifestName), 0,
                              absl::StrCat("missing, but there is table ", file.number));
    }
    if (file.kind != FileKind::kLog) continue;
    ASSIGN_OR_RETURN(const bool holds_records, HoldsRecords(files, dir, file.number));
    if (!holds_records) continue;
    return base::Corruption(PathIn(dir, kManifestName), 0,
                            absl::StrCat("missing, but log ", file.number, " holds records"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<FileName>> ListFiles(engine::FileSystem& files, const std::string& dir) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(dir));
  std::vector<FileName> present;
  for (const std::string& name : names) {
    const FileName file = ParseFileName(name);
    if (file.kind != FileKind::kForeign) present.push_back(file);
  }
  return present;
}

bool Holds(const std::vector<FileName>& present, FileKind kind) {
  return std::any_of(present.begin(), present.end(),
                     [&](const FileName& file) { return file.kind == kind; });
}

absl::Status PrepareDirectory(engine::FileSystem& files, const std::string& dir,
                              const KibanOptions& options) {
  absl::StatusOr<std::vector<FileName>> present;
  {
    SPAN("open.O1");
    present = ListFiles(files, dir);
  }
  const bool is_missing = absl::IsNotFound(present.status());
  if (!is_missing) RETURN_IF_ERROR(present.status());
  if (!options.create_if_missing) return is_missing ? NoDatabase(dir) : absl::OkStatus();
  if (!is_missing && Holds(*present, FileKind::kManifest)) return absl::OkStatus();
  SPAN("create.N1");
  if (is_missing) RETURN_IF_ERROR(files.MakeDir(dir));
  // Also if the directory was there: whoever made it may have died before this.
  return files.SyncDir(ParentOf(dir));
}

absl::StatusOr<Manifest> ReadOrInventManifest(engine::FileSystem& files, const std::string& dir,
                                              const std::vector<FileName>& present,
                                              const KibanOptions& options) {
  if (Holds(present, FileKind::kManifest)) return ReadManifest(files, dir);
  RETURN_IF_ERROR(CheckNothingLost(files, dir, present));
  if (!options.create_if_missing) return NoDatabase(dir);
  if (Holds(present, FileKind::kManifestTemp) || Holds(present, FileKind::kLog)) {
    MARK("open.create_resumed");
  }
  // No log that lies there is live: the first live one will be the next file of all.
  Manifest empty;
  for (const FileName& file : present) empty.next_file = std::max(empty.next_file, file.number);
  empty.min_log = ++empty.next_file;
  return empty;
}

}  // namespace kiban::lsm
