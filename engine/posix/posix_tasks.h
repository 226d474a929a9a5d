// Tasks that are threads, and waits that are futexes.
#pragma once

#include <memory>

#include "engine/env.h"

namespace kiban::posix {

// Every task must have been joined when it is destroyed (CHECK).
std::unique_ptr<engine::Tasks> MakeTasks();

}  // namespace kiban::posix
