// Lock files: held by at most one owner on the machine.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/env.h"

namespace kiban::posix {

// kFailedPrecondition if any process holds it, this one included.
absl::StatusOr<std::unique_ptr<engine::FileLock>> LockFile(const std::string& path);

}  // namespace kiban::posix
