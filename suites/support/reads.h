// One read of a workload: done first, and judged once the model knows what it had to show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/kv_model.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/operation.h"

namespace kiban::suites {

// What an engine answered.
struct WhatWasRead {
  Sequence at = 0;                   // Of the state that it says it showed.
  std::optional<std::string> value;  // kGet.
  std::vector<KeyValue> pairs;       // kScan, kLatest.
  // kCursor: where it stood after each move; nullopt: at no key. A step from there is passed over.
  std::vector<std::optional<KeyValue>> stands;
};

// For kGet, kScan, kLatest and kCursor; `snapshot` null for now. An error of the engine is returned
// as it is.
absl::StatusOr<WhatWasRead> ReadFrom(EngineUnderTest& engine, const Operation& operation,
                                     const SnapshotUnderTest* snapshot);

// Of everything in it but the sequence.
uint64_t HashOf(const WhatWasRead& read);
// "nothing", "12 bytes", "3 pairs": for people.
std::string Describe(const WhatWasRead& read);

// Whether it is the state at `at`, which the model must know.
models::Judgement JudgeRead(const Operation& operation, const WhatWasRead& read, Sequence at,
                            const models::KvModel& model);

}  // namespace kiban::suites
