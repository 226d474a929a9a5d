// The LSM engine as suites find it.
#pragma once

#include "suites/support/engine_under_test.h"

namespace kiban::suites {

const Engine& LsmEngine();

}  // namespace kiban::suites
