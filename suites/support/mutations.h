// From an operation that writes to what the engine and the model are told of it.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "models/kv_model.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/operation.h"

namespace kiban::suites {

// In their order, with the values of ValueOf(); empty if it writes nothing.
std::vector<models::Mutation> MutationsOf(const Operation& operation);

// Makes the call; `mutations` are the operation's.
absl::StatusOr<Sequence> CallMutation(EngineUnderTest& engine, const Operation& operation,
                                      const std::vector<models::Mutation>& mutations);

}  // namespace kiban::suites
