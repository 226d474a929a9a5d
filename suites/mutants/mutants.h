// The planted bugs that suites must catch, and within how many seeds: a suite that cannot go red is
// decoration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/verdict.h"

namespace kiban::suites {

enum class MutantKind : uint8_t {
  kSeam,   // A call of the seam left out, delayed or misdirected; sim/faults knows them.
  kLogic,  // A patch to the engine's source.
  kToy,    // A bug that the toy engine can be told to have.
};
std::string_view Name(MutantKind kind);

struct Mutant {
  std::string name;
  MutantKind kind = MutantKind::kSeam;
  std::string engine;
  std::string suite;            // That must catch it ...
  uint64_t seeds_budget = 0;    // ... within so many seeds ...
  std::optional<Verdict> ends;  // ... by this verdict; none: by a complaint of the oracle.
  std::string what;
  // The edge of durability that it takes away, as sim::RemovedEdge() tells it; empty: none.
  std::string edge;
  std::string patch;   // kLogic: the path of its file ...
  double recheck = 0;  // ... and the share of seeds that are lived twice.
};

// Whether what the shrunk case is said to lack (barrier.h) is the edge that the mutant takes away.
// True of one that takes none away.
bool IsNamedRightly(const Mutant& mutant, std::string_view barrier);

// Whether a life that ended so has caught it.
bool IsCaught(const Mutant& mutant, Verdict verdict);

std::vector<Mutant> SeamMutants();
std::vector<Mutant> EngineMutants(const Engine& engine);

// Out of a patch file, whose first lines say what it is:
//   # suite: crash
//   # seeds: 1000
//   # why: recovery believes a log record without looking at its checksum
// and, if need be,
//   # recheck: 1
//   # expect: broken
absl::StatusOr<Mutant> ParseLogicMutant(const std::string& path, std::string_view text);

}  // namespace kiban::suites
