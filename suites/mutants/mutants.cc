#include "suites/mutants/mutants.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "sim/faults/faults.h"
#include "suites/support/barrier.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kSeamSeedsBudget = 200;
constexpr char kComesBefore[] = "  comes before  ";

}  // namespace

std::string_view Name(MutantKind kind) {
  switch (kind) {
    case MutantKind::kSeam:
      return "seam";
    case MutantKind::kLogic:
      return "logic";
    case MutantKind::kToy:
      return "toy";
  }
  CHECK(false);
}

bool IsCaught(const Mutant& mutant, Verdict verdict) {
  if (mutant.ends.has_value()) return verdict == *mutant.ends;
  return verdict != Verdict::kHeld && verdict != Verdict::kBroken;
}

bool IsNamedRightly(const Mutant& mutant, std::string_view barrier) {
  if (mutant.edge.empty()) return true;
  for (const absl::string_view edge : absl::StrSplit(mutant.edge, absl::ByString(" | "))) {
    const std::string words = absl::StrReplaceAll(edge, {{" before ", kComesBefore}});
    if (IsBarrier(absl::StrCat("holds if  ", words), barrier)) return true;
  }
  return false;
}

std::vector<Mutant> SeamMutants() {
  std::vector<Mutant> mutants;
  for (const sim::Plant plant : sim::kPlants) {
    mutants.push_back({.name = std::string(sim::Name(plant)),
                       .kind = MutantKind::kSeam,
                       .engine = "lsm",
                       .suite = "crash",
                       .seeds_budget = kSeamSeedsBudget,
                       .what = std::string(sim::Description(plant)),
                       .edge = std::string(sim::RemovedEdge(plant)),
                       .patch = {}});
  }
  return mutants;
}

std::vector<Mutant> EngineMutants(const Engine& engine) {
  std::vector<Mutant> mutants;
  for (const PlantedBug& bug : engine.bugs) {
    mutants.push_back({.name = std::string(bug.name),
                       .kind = MutantKind::kToy,
                       .engine = std::string(engine.name),
                       .suite = "crash",
                       .seeds_budget = bug.seeds_budget,
                       .ends = bug.ends,
                       .what = std::string(bug.what),
                       .edge = std::string(bug.edge),
                       .patch = {}});
  }
  return mutants;
}

absl::StatusOr<Mutant> ParseLogicMutant(const std::string& path, std::string_view text) {
  Mutant mutant;
  const size_t name_at = path.rfind('/') + 1;  // npos + 1 is 0.
  mutant.name = path.substr(name_at, path.rfind('.') - name_at);
  mutant.kind = MutantKind::kLogic;
  mutant.engine = "lsm";
  mutant.patch = path;
  for (absl::string_view line : absl::StrSplit(base::ToAbsl(text), '\n')) {
    if (!absl::ConsumePrefix(&line, "# ")) break;
    if (absl::ConsumePrefix(&line, "suite: ")) {
      mutant.suite = std::string(line);
    } else if (absl::ConsumePrefix(&line, "why: ")) {
      mutant.what = std::string(line);
    } else if (absl::ConsumePrefix(&line, "seeds: ")) {
      if (!absl::SimpleAtoi(line, &mutant.seeds_budget)) mutant.seeds_budget = 0;
    } else if (absl::ConsumePrefix(&line, "recheck: ")) {
      if (!absl::SimpleAtod(line, &mutant.recheck)) mutant.seeds_budget = 0;
    } else if (absl::ConsumePrefix(&line, "expect: ")) {
      mutant.ends = FindVerdict(base::ToStd(line));
      if (!mutant.ends.has_value()) mutant.seeds_budget = 0;
    }
  }
  if (mutant.suite.empty() || mutant.what.empty() || mutant.seeds_budget == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        path,
        ": expected first lines `# suite: NAME`, `# seeds: N` and `# why: ...`, and no "
        "others than `# recheck: RATE` and `# expect: VERDICT`"));
  }
  return mutant;
}

}  // namespace kiban::suites
