// What a sweep found: everything that the tables, the JSON, the JUnit file and the exit status are
// made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "suites/support/sweep_request.h"
#include "suites/support/tally.h"

namespace kiban::suites {

inline constexpr size_t kCasesPerSignatureMax = 3;

struct WrittenCase {
  Failure failure;
  std::string path;         // Empty if it could not be written ...
  std::string not_written;  // ... and then why.
  std::string command;      // That lives it again.
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
};

struct SweepResult {
  SweepRequest request;
  bool complete = true;       // Every seed that was asked for was lived.
  std::string harness_error;  // Why the sweep could not go on; empty if it could.
  Tally tally;
  std::vector<FailureGroup> failures;      // In the order of their smallest seeds.
  std::vector<std::string> not_reached;    // "span flush.F2", "mark wal.switched".
  std::vector<std::string> floors_missed;  // The same, once enough seeds ran to judge.
  double seconds = 0;
  double cpu_seconds = 0;
  WorkerMemory memory;

  double seeds_per_second() const;
};

// What a sweep of this suite must reach and this one has not.
std::vector<std::string> NotReached(const SweepRequest& request, const Tally& tally);

// 0 all as expected, 1 at least one run was not, 2 the harness itself failed.
int ExitStatus(const SweepResult& result);

}  // namespace kiban::suites
