// Opening: from whatever a crash left to a handle that may be written to. Creation is the same with
// nothing to begin from. The order of the steps is in README.md.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/env.h"
#include "engine/lsm/core.h"
#include "engine/lsm/options.h"

namespace kiban::lsm {

// After OK the state found is durable.
absl::StatusOr<std::unique_ptr<Core>> OpenCore(const engine::Env& env, const std::string& dir,
                                               const KibanOptions& options);

}  // namespace kiban::lsm
