// Names and directories of Linux behind the seam.
#pragma once

#include <memory>
#include <string>

#include "engine/env.h"

namespace kiban::posix {

// Paths are relative to `root`; "" takes them as they are given.
std::unique_ptr<engine::FileSystem> MakeFileSystem(std::string root);

}  // namespace kiban::posix
