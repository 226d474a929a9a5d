// One read of a workload, done and compared with what the model says it must show.
#pragma once

#include "absl/status/statusor.h"
#include "models/kv_model.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/operation.h"

namespace kiban::suites {

// For kGet, kScan, kLatest and kCursor; `at` is the sequence that the read sees, `snapshot` null
// for now. An error of the engine is returned as it is.
absl::StatusOr<models::Judgement> ReadAndJudge(EngineUnderTest& engine, const Operation& operation,
                                               const SnapshotUnderTest* snapshot, Sequence at,
                                               const models::KvModel& model);

}  // namespace kiban::suites
