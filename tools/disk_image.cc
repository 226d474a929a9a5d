#include "tools/disk_image.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "suites/support/whole_file.h"

namespace kiban::tools {
namespace {

namespace fs = std::filesystem;

std::string BytesOf(const sim::Disk& disk, sim::InodeId file) {
  std::string bytes(static_cast<size_t>(disk.Size(file)), '\0');
  bytes.resize(disk.ReadAt(file, 0, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

// `from` on the disk, "" for its root, becomes `to`. An engine's directories are few and flat.
absl::Status WriteDirectory(const sim::Disk& disk, const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(suites::MakeDirectories(to));
  ASSIGN_OR_RETURN(const std::vector<std::string> names, disk.List(from));
  for (const std::string& name : names) {
    const std::string path = from.empty() ? name : absl::StrCat(from, "/", name);
    const std::string target = absl::StrCat(to, "/", name);
    ASSIGN_OR_RETURN(const sim::InodeId inode, disk.Lookup(path));
    RETURN_IF_ERROR(disk.IsDirectory(inode) ? WriteDirectory(disk, path, target)
                                            : suites::WriteWhole(target, BytesOf(disk, inode)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status MakeEmptyDirectory(const std::string& path) {
  RETURN_IF_ERROR(suites::MakeDirectories(path));
  std::error_code error;
  const bool is_empty = fs::is_empty(path, error);
  if (error) return absl::ErrnoToStatus(error.value(), absl::StrCat("cannot read ", path));
  if (is_empty) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(path, ": there is something in it; name a new one"));
}

absl::Status WriteImage(const sim::Disk& disk, const std::string& path) {
  return WriteDirectory(disk, "", path);
}

}  // namespace kiban::tools
