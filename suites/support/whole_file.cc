#include "suites/support/whole_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

namespace fs = std::filesystem;

absl::Status Failed(const char* what, const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot ", what, " ", path));
}

// Something that cannot be replaced by a file, or must not be: whoever wrote /dev/stdout wants his
// output there.
bool IsWrittenInPlace(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return (fs::exists(status) && !fs::is_regular_file(status)) || path.starts_with("/dev/");
}

// Beside the file that is to be replaced, wherever links lead.
std::string TargetOf(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

std::string TemporaryOf(const std::string& target) {
  return absl::StrCat(target, ".", getpid(), ".tmp");
}

bool IsStandardOutput(const std::string& path) {
  struct stat named {};
  struct stat standard {};
  return stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
         named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

absl::Status WriteInPlace(const std::string& path, std::string_view text) {
  if (IsStandardOutput(path)) {  // Opened again, it would have a position of its own.
    const bool printed = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    return printed && std::fflush(stdout) == 0 ? absl::OkStatus() : Failed("write", path);
  }
  std::FILE* const file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) return Failed("write", path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  return written && closed ? absl::OkStatus() : Failed("write", path);
}

}  // namespace

absl::StatusOr<std::string> ReadWhole(const std::string& path) {
  std::error_code error;
  const fs::file_status found = fs::status(path, error);
  if (fs::exists(found) && !fs::is_regular_file(found)) {
    return absl::InvalidArgumentError(path + ": not a file");
  }
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Failed("open", path);
  std::string text;
  char buffer[8192];
  size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  const absl::Status status = failed ? Failed("read", path) : absl::OkStatus();
  std::fclose(file);
  if (!status.ok()) return status;
  return text;
}

absl::Status WriteWhole(const std::string& path, std::string_view text) {
  if (IsWrittenInPlace(path)) return WriteInPlace(path, text);
  const std::string target = TargetOf(path);
  const std::string temporary = TemporaryOf(target);
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return Failed("write", path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (written && closed && std::rename(temporary.c_str(), target.c_str()) == 0) {
    return absl::OkStatus();
  }
  absl::Status status = Failed("write", path);
  std::remove(temporary.c_str());
  return status;
}

absl::Status TryWriting(const std::string& path) {
  if (IsWrittenInPlace(path)) {
    std::error_code error;
    if (fs::is_directory(path, error))
      errno = EISDIR;
    else if (access(path.c_str(), W_OK) == 0)
      return absl::OkStatus();
    return Failed("write", path);
  }
  const std::string temporary = TemporaryOf(TargetOf(path));
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return Failed("write", path);
  std::fclose(file);
  std::remove(temporary.c_str());
  return absl::OkStatus();
}

absl::Status TryWritingIn(const std::string& directory) {
  std::error_code error;
  const bool is_new = !fs::exists(directory, error);
  absl::Status status = MakeDirectories(directory);
  if (!status.ok()) return status;
  const std::string temporary = TemporaryOf(directory + "/try");
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) {
    status = Failed("write into", directory);
  } else {
    std::fclose(file);
    std::remove(temporary.c_str());
  }
  if (is_new) fs::remove(directory, error);  // A run without failures leaves no empty folder.
  return status;
}

absl::Status MakeDirectories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return absl::OkStatus();
  return absl::ErrnoToStatus(error.value(), absl::StrCat("cannot create directory ", path));
}

}  // namespace kiban::suites
