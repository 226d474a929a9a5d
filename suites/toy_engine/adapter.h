// The toy as suites find it: an example of what plugging in an engine takes.
#pragma once

#include "suites/support/engine_under_test.h"

namespace kiban::suites {

const Engine& ToyEngine();

}  // namespace kiban::suites
