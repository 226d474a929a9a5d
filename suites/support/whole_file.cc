#include "suites/support/whole_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

absl::Status Failed(const char* what, const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot ", what, " ", path));
}

}  // namespace

absl::StatusOr<std::string> ReadWhole(const std::string& path) {
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
  const std::string temporary = absl::StrCat(path, ".", getpid(), ".tmp");
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return Failed("create", temporary);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (written && closed && std::rename(temporary.c_str(), path.c_str()) == 0) {
    return absl::OkStatus();
  }
  absl::Status status = Failed("write", path);
  std::remove(temporary.c_str());
  return status;
}

absl::Status MakeDirectories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return absl::OkStatus();
  return absl::ErrnoToStatus(error.value(), absl::StrCat("cannot create directory ", path));
}

}  // namespace kiban::suites
