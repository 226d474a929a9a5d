// Results for programs to read. json.cc is the only file that knows the JSON library, which costs
// too much compile time to be included twice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/merge.h"
#include "suites/support/results.h"

namespace kiban::suites {

inline constexpr int kResultSchema = 1;

// One planted bug and whether the tester saw it.
struct MutantResult {
  std::string name;
  std::string kind;  // seam, logic, toy.
  std::string engine;
  std::string suite;
  bool caught = false;
  uint64_t seeds_to_detection = 0;  // 1: by the first seed. If not caught: how many were lived.
  double seconds = 0;
  std::string signature;
  std::string edge;             // Mutant::edge, which the shrunk case's barrier should be ...
  bool is_named_right = false;  // ... and whether it is; true if there is none.
  ShrunkCase shrunk;
  std::string replay;  // The command that lives the case again; for people, not in the JSON.
};

// One measured number.
struct BenchRow {
  std::string name;
  double value = 0;
  std::string unit;
  std::string field =
      {};  // Where in the JSON it stands too: names separated by '/'; empty: nowhere.
};

std::string SweepJson(const Provenance& provenance, std::span<const SweepResult> results);
// What SweepJson() wrote. Of each failure only what stands there is known, and no decision on
// floors: JudgeFloors() takes it. An error says what is wrong with the file at `path`.
absl::StatusOr<SweepFile> ParseSweepJson(const std::string& path, std::string_view text);
std::string MutantsJson(const Provenance& provenance, std::span<const MutantResult> mutants);
std::string BenchJson(const Provenance& provenance, const std::string& bench,
                      std::span<const BenchRow> rows);

}  // namespace kiban::suites
