// A directory of its own for a test or a measurement, gone with everything in it when the object
// is.
#pragma once

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace kiban::posix {

class TemporaryDir {
 public:
  // Below `parent`; if that is empty, below TMPDIR, or /tmp if that is not set.
  static absl::StatusOr<TemporaryDir> Make(std::string parent = "");
  ~TemporaryDir();
  TemporaryDir(TemporaryDir&& other) noexcept;
  TemporaryDir& operator=(TemporaryDir&&) = delete;

  const std::string& path() const { return path_; }
  // Leaves it to whoever wants to look into it: it stays. Returns its path.
  std::string Keep() { return std::exchange(path_, std::string()); }

 private:
  explicit TemporaryDir(std::string path);

  std::string path_;  // Empty once moved from.
};

}  // namespace kiban::posix
