// What a sweep is asked: which lives, by how many workers, and when it may stop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/disk/profile.h"
#include "sim/faults/faults.h"
#include "suites/support/life.h"
#include "suites/support/shard.h"
#include "suites/support/suite.h"

namespace kiban::suites {

enum class StopAt : uint8_t {
  kFirstFailure,
  kTenthSignature,
  kEnd,
};
inline constexpr size_t kSignaturesMax = 10;

// Where results come from: needed to have them again.
struct Provenance {
  std::string revision;
  std::string build;  // Compiler, build type, sanitizers: digests are compared only within one.
  std::string logic_plant;  // The patch that this program was built with; empty for none.
  std::string program;      // The path by which it was called.
  std::vector<std::string> args;
};

struct SweepRequest {
  const Suite* suite = nullptr;
  const Engine* engine = nullptr;
  const sim::Profile* profile = nullptr;
  uint64_t first_seed = 0;  // Of all shards together ...
  uint64_t seeds = 0;       // ... and so many in a row.
  Shard shard;
  unsigned jobs = 1;
  uint32_t recheck_ppm = 50'000;  // Of a million seeds, so many are lived twice and compared.
  double seed_seconds_max = 60;   // Of real time; a life that takes longer ran away.
  double shrink_seconds_max =
      0;  // For the first case of each signature; 0: cases stay as they are.
  std::function<bool()> interrupted;  // Asked while cases are shrunk; may be null.
  StopAt stop_at = StopAt::kTenthSignature;
  // Asked all the time. Once true, the lives that have begun come to their end and no more begin.
  std::function<bool()> ends_early;
  std::vector<sim::Plant> plants;      // In every life ...
  std::string planted_bug;             // ... as well as this bug of the engine's own.
  std::optional<uint64_t> plant_seed;  // Only in the life of this seed, if one is named.
  std::string plant;                   // All of it, as `--plant` says it; empty for none.
  std::string artifacts = "kiban-failures";
  Provenance provenance;
  LifeReport (*live)(const Plan&,
                     const LifeOptions&) = nullptr;  // RunLife, but for tests of the runner.
};

}  // namespace kiban::suites
