#include "engine/posix/posix_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "engine/posix/descriptor.h"
#include "engine/posix/posix_file.h"
#include "engine/posix/posix_lock.h"

namespace kiban::posix {

namespace {

constexpr mode_t kDirMode = 0755;

absl::StatusOr<Descriptor> OpenDir(const std::string& path) {
  Descriptor descriptor(
      RetryOnEintr([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!descriptor.open()) return ErrnoStatus(errno, path);
  return descriptor;
}

absl::Status Result(int result, std::string_view what) {
  return result == 0 ? absl::OkStatus() : ErrnoStatus(errno, what);
}

class PosixFileSystem final : public engine::FileSystem {
 public:
  explicit PosixFileSystem(std::string root) : root_(std::move(root)) {}

  absl::StatusOr<std::unique_ptr<engine::File>> Open(std::string_view path,
                                                     engine::OpenMode mode) override {
    ASSIGN_OR_RETURN(std::string name, NameOf(path));
    return OpenFile(std::move(name), mode);
  }

  absl::Status Rename(std::string_view from, std::string_view to) override {
    ASSIGN_OR_RETURN(const std::string source, NameOf(from));
    ASSIGN_OR_RETURN(const std::string target, NameOf(to));
    const int result = ::rename(source.c_str(), target.c_str());
    // Of rename(2), "exists" says that a directory is not empty; some file systems say it so.
    if (result != 0 && errno == EEXIST) errno = ENOTEMPTY;
    return Result(result, absl::StrCat(source, " -> ", target));
  }

  absl::Status Link(std::string_view from, std::string_view to) override {
    ASSIGN_OR_RETURN(const std::string source, NameOf(from));
    ASSIGN_OR_RETURN(const std::string target, NameOf(to));
    return Result(::link(source.c_str(), target.c_str()), absl::StrCat(source, " -> ", target));
  }

  absl::Status Remove(std::string_view path) override {
    ASSIGN_OR_RETURN(const std::string name, NameOf(path));
    return Result(::unlink(name.c_str()), name);
  }

  absl::Status MakeDir(std::string_view path) override {
    ASSIGN_OR_RETURN(const std::string name, NameOf(path));
    return Result(::mkdir(name.c_str(), kDirMode), name);
  }

  absl::StatusOr<std::vector<std::string>> List(std::string_view dir) override;

  absl::Status SyncDir(std::string_view dir) override {
    ASSIGN_OR_RETURN(const std::string name, NameOf(dir));
    ASSIGN_OR_RETURN(Descriptor descriptor, OpenDir(name));
    RETURN_IF_ERROR(Result(::fsync(descriptor.get()), name));
    const int error = descriptor.Close();
    return error == 0 ? absl::OkStatus() : ErrnoStatus(error, name);
  }

  absl::StatusOr<std::unique_ptr<engine::FileLock>> Lock(std::string_view path) override {
    ASSIGN_OR_RETURN(const std::string name, NameOf(path));
    return LockFile(name);
  }

 private:
  // What the kernel knows `path` as. "" is the root itself.
  absl::StatusOr<std::string> NameOf(std::string_view path) const {
    if (path.find('\0') != path.npos) {
      return absl::InvalidArgumentError(
          absl::StrCat(base::ToAbsl(path), ": name holds a zero byte"));
    }
    if (root_.empty()) return path.empty() ? std::string(".") : std::string(path);
    return absl::StrCat(root_, "/", base::ToAbsl(path));
  }

  const std::string root_;
};

absl::StatusOr<std::vector<std::string>> PosixFileSystem::List(std::string_view dir) {
  ASSIGN_OR_RETURN(const std::string name, NameOf(dir));
  DIR* const stream = ::opendir(name.c_str());
  if (stream == nullptr) return ErrnoStatus(errno, name);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* const entry = ::readdir(stream)) {
    const std::string_view found = entry->d_name;
    if (found != "." && found != "..") names.emplace_back(found);
    errno = 0;
  }
  const int read_error = errno;
  const int close_error = ::closedir(stream) == 0 ? 0 : errno;
  if (read_error != 0) return ErrnoStatus(read_error, name);
  if (close_error != 0) return ErrnoStatus(close_error, name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::unique_ptr<engine::FileSystem> MakeFileSystem(std::string root) {
  return std::make_unique<PosixFileSystem>(std::move(root));
}

}  // namespace kiban::posix
