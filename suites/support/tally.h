// What a worker tells of a run of seeds: sums, in which the order of arrival cannot show, and
// failures.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/digest.h"
#include "suites/support/life.h"
#include "suites/support/verdict.h"

namespace kiban::suites {

struct SlowSeed {
  uint64_t seed = 0;
  double seconds = 0;
};
inline constexpr size_t kSlowestCount = 5;

struct Tally {
  uint64_t seeds = 0;
  std::array<uint64_t, kVerdictCount> verdicts{};
  LifeCounts counts;
  uint64_t lives_without_flush = 0;
  uint64_t lives_without_compaction = 0;
  uint64_t lives_without_manifest = 0;
  uint64_t rechecked = 0;
  sim::Digest digest;             // Sum of InSweep(seed, digest of the life).
  std::vector<SlowSeed> slowest;  // Slowest first; the only part that is not the same every time.

  void AddLife(uint64_t seed, const LifeReport& report, double seconds);
  void AddDead(uint64_t seed, Verdict verdict);  // Of whose life nothing can be counted.
  Tally& operator+=(const Tally& other);

  uint64_t failed() const { return seeds - verdicts[static_cast<size_t>(Verdict::kHeld)]; }
  uint64_t crashes() const { return counts.power_cuts + counts.kills; }
};

struct Failure {
  uint64_t seed = 0;
  Verdict verdict = Verdict::kHeld;
  std::string signature;
  std::string complaint;
  std::string detail;
  std::string digest;
  std::string case_text;
};

// The seeds of one chunk up to and including `through`, as one message.
struct Piece {
  uint64_t chunk = 0;
  uint64_t through = 0;
  bool ends_sweep = false;  // It failed and the sweep stops at the first failure.
  Tally tally;
  std::vector<Failure> failures;
  std::vector<uint64_t> schedules;  // Of the lives that had one.
  uint64_t lived = 0;               // By this worker since it was forked.
  uint64_t resident_bytes = 0;
};

}  // namespace kiban::suites
