// Everything that an engine shows, read in every way that it offers.
#pragma once

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "models/kv_model.h"
#include "suites/support/engine_under_test.h"

namespace kiban::suites {

struct EverythingRead {
  models::Contents contents;  // As the forward scan shows them.
  models::Judgement
      disagreement;  // Between scans, gets of `keys` and latest-K; nullopt if they agree.
};

// An error of any read is returned as it is.
absl::StatusOr<EverythingRead> ReadEverything(EngineUnderTest& engine,
                                              const std::set<std::string>& keys);

// "2 keys: "a" 8 bytes, "b" 12 bytes": for people; of many, the first few.
std::string Describe(const models::Contents& contents);

}  // namespace kiban::suites
