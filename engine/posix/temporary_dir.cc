#include "engine/posix/temporary_dir.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/posix/descriptor.h"

namespace kiban::posix {

absl::StatusOr<TemporaryDir> TemporaryDir::Make(std::string parent) {
  if (parent.empty()) {
    const char* const chosen = ::getenv("TMPDIR");
    parent = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  }
  std::string path = std::move(parent) + "/kiban-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return ErrnoStatus(errno, path);
  return TemporaryDir(std::move(path));
}

TemporaryDir::TemporaryDir(std::string path) : path_(std::move(path)) {}

TemporaryDir::TemporaryDir(TemporaryDir&& other) noexcept
    : path_(std::exchange(other.path_, std::string())) {}

TemporaryDir::~TemporaryDir() {
  if (path_.empty()) return;
  std::error_code ignored;  // What is left behind is a nuisance, not an error of what used it.
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace kiban::posix
