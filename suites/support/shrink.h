// Makes a failing case as small as it gets while it fails in the same way: the same verdict, the
// same complaint, in the same span of the last crash.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "suites/support/case_file.h"
#include "suites/support/life.h"
#include "suites/support/sweep_request.h"

namespace kiban::suites {

struct ShrinkOptions {
  double seconds_max = 30;           // Of real time.
  std::function<bool()> ends_early;  // Asked before each life; may be null.
  Provenance provenance;             // Of this program, for the new case.
  LifeReport (*live)(const Plan&, const LifeOptions&) = nullptr;  // RunLife.
};

struct Shrunk {
  // With its certificate, unless time ran out before that. What was minimal already is as it was,
  // but for that.
  Case shrunk;
  bool changed = false;
  bool certified = false;
  uint64_t trials = 0;  // Candidates that were lived.
  double seconds = 0;
};

// kFailedPrecondition: there is nothing to be shrunk, since it holds, or nothing that can be, since
// its life takes too long or the harness itself failed.
absl::StatusOr<Shrunk> Shrink(const Case& c, const ShrinkOptions& options);

}  // namespace kiban::suites
