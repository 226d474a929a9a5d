// kiban inspect: what is in a log, a table, a manifest or a database directory.
#include <cstdio>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"
#include "engine/posix/posix_env.h"
#include "tools/commands.h"
#include "tools/inspect.h"

namespace kiban::tools {
namespace {

absl::Status InspectPath(engine::FileSystem& files, const std::string& path, bool verify,
                         std::string& text) {
  if (std::filesystem::is_directory(path)) return InspectDatabase(files, path, verify, text);
  switch (lsm::ParseFileName(BaseName(path)).kind) {
    case lsm::FileKind::kLog:
      return InspectLog(files, path, text);
    case lsm::FileKind::kTable:
      return InspectTable(files, path, text);
    case lsm::FileKind::kManifest:
    case lsm::FileKind::kManifestTemp:
      return InspectManifest(files, path, text);
    case lsm::FileKind::kLock:
    case lsm::FileKind::kForeign:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": expected a database directory, NNNNNN.wal, NNNNNN.sst, MANIFEST or MANIFEST.tmp"));
}

int Inspect(const Arguments& arguments) {
  posix::PosixEnv posix("");
  std::string text;
  const absl::Status status = InspectPath(*posix.env().files, arguments.operands().front(),
                                          arguments.Has("--verify"), text);
  std::fputs(text.c_str(), stdout);
  if (status.ok()) return kExitHeld;
  BadUsage(base::ToStd(status.message()));
  return absl::IsDataLoss(status) ? kExitFailed : kExitBadUsage;
}

}  // namespace

Command InspectCommand() {
  return {.name = "inspect",
          .summary = "Shows what is in a log, a table, a manifest or a database directory.",
          .details = "Changes nothing. Exit status: 0 if it is sound, 1 if it is damaged.",
          .examples = {"inspect db --verify", "inspect db/000012.sst"},
          .operands = {.name = "PATH", .required = true},
          .flags = {{"--verify", "", "of a directory: read all that belongs to the database"}},
          .run = Inspect,
          .parts = {}};
}

}  // namespace kiban::tools
