#include "engine/lsm/publish.h"

#include <memory>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/mark.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"

namespace kiban::lsm {
namespace {

absl::Status WriteAside(engine::FileSystem& files, const std::string& path,
                        const Manifest& manifest) {
  std::unique_ptr<engine::File> file;
  {
    SPAN("publish.M1");
    ASSIGN_OR_RETURN(file, files.Open(path, engine::OpenMode::kTruncate));
    RETURN_IF_ERROR(file->WriteAt(0, base::AsBytes(EncodeManifest(manifest))));
  }
  SPAN("publish.M2");
  // kAll: what is left of an interrupted publication may have been longer, and kData promises
  // growth only.
  RETURN_IF_ERROR(file->Sync(engine::SyncKind::kAll));
  return file->Close();
}

absl::Status PutInForce(engine::FileSystem& files, const std::string& dir,
                        const std::string& path) {
  {
    SPAN("publish.M3");
    RETURN_IF_ERROR(files.Rename(path, PathIn(dir, kManifestName)));
  }
  SPAN("publish.M4");
  return files.SyncDir(dir);
}

absl::Status WithOutcome(const absl::Status& status, std::string_view outcome) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat("publishing the manifest failed (",
                                                  base::ToAbsl(outcome), "): ", status.message()));
}

}  // namespace

absl::Status PublishManifest(engine::FileSystem& files, const std::string& dir,
                             const Manifest& manifest) {
  const std::string path = PathIn(dir, kManifestTempName);
  RETURN_IF_ERROR(WithOutcome(WriteAside(files, path, manifest), "old state intact"));
  // A rename that reports an error may have happened all the same.
  return WithOutcome(PutInForce(files, dir, path), "renamed, not known durable");
}

absl::StatusOr<Manifest> ReadManifest(engine::FileSystem& files, const std::string& dir) {
  const std::string path = PathIn(dir, kManifestName);
  ASSIGN_OR_RETURN(const std::string bytes, base::ReadWholeFile(files, path));
  return DecodeManifest(path, bytes);
}

}  // namespace kiban::lsm
