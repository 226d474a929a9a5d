// Open files and mappings of Linux behind the seam.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/env.h"

namespace kiban::posix {

// `path` is what the kernel is given and what messages say.
absl::StatusOr<std::unique_ptr<engine::File>> OpenFile(std::string path, engine::OpenMode mode);

}  // namespace kiban::posix
