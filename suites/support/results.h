// What a sweep found: everything that the tables, the JSON, the JUnit file and the exit status are
// made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suites/support/rate.h"
#include "suites/support/sweep_request.h"
#include "suites/support/tally.h"

namespace kiban::suites {

inline constexpr size_t kCasesPerSignatureMax = 3;

// What became of a case that was to be made smaller.
struct ShrunkCase {
  std::string path;  // Empty if it was not ...
  uint64_t operations_before = 0;
  uint64_t operations = 0;
  bool certified = false;  // Minimal: without any one thing of it it does not fail so.
  double seconds = 0;
  std::string why_not;  // ... and then why, if it was tried.
  std::string barrier;  // The edge of durability that it lacks, in words; empty: not known.
  std::string weakest;  // Profile in which it fails.
  std::string text;     // What stands at `path`.
};

struct WrittenCase {
  Failure failure;
  std::string path;         // Empty if it could not be written ...
  std::string not_written;  // ... and then why.
  std::string command;      // That lives it again, the shrunk one if there is one.
  ShrunkCase shrunk;        // Of the first of a signature.
};

struct FailureGroup {
  std::string signature;
  uint64_t count = 0;
  std::vector<WrittenCase> written;  // Of the smallest seeds.
};

// Of the worker that was largest in the end: after its 1,000th seed (or its last), at its end, at
// most.
struct WorkerMemory {
  uint64_t first_bytes = 0;
  uint64_t last_bytes = 0;
  uint64_t max_bytes = 0;

  void Add(const WorkerMemory& other);
};

struct SweepResult {
  SweepRequest request;
  bool complete = true;       // Every seed that was asked for, of this shard, was lived.
  std::string harness_error;  // Why the sweep could not go on; empty if it could.
  Tally tally;
  std::vector<FailureGroup> failures;    // In the order of their smallest seeds.
  std::vector<std::string> not_reached;  // "span flush.F2", "mark wal.switched", "pair sst3->ph2".
  std::vector<std::string> floors_missed;  // The same, once enough seeds ran to judge.
  // Of lives that had several tasks. Shards' cannot be added up: unknown after a merge.
  std::optional<uint64_t> distinct_schedules;
  double seconds = 0;
  Rate rate;  // Of the lives that were reported, counted or not; unknown after a merge.
  double cpu_seconds = 0;
  WorkerMemory memory;

  double seeds_per_second() const;
};

// What a person types to have a failure again. Of a broken life one run shows nothing.
std::string ReplayCommand(const std::string& program, const std::string& path, Verdict verdict);

// NAME.min.case beside NAME.case: where a shrunk case is written.
std::string MinimalPath(const std::string& path);

// Of a sweep that ended before its first seed.
SweepResult NotSwept(const SweepRequest& request);

// Fills in what a sweep of this suite must reach and this one has not; and, if so many seeds ran
// unsharded that it should have, that it missed them.
void JudgeFloors(SweepResult& result);

// 0 all as expected, 1 at least one run was not, 2 the harness itself failed.
int ExitStatus(const SweepResult& result);
int ExitStatus(std::span<const SweepResult> results);  // The worst.

}  // namespace kiban::suites
