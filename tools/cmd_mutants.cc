// kiban mutants: is every planted bug caught?
#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "suites/mutants/mutants.h"
#include "suites/support/json.h"
#include "suites/support/progress.h"
#include "suites/support/whole_file.h"
#include "tools/build_info.h"
#include "tools/commands.h"
#include "tools/logic_build.h"
#include "tools/mutant_run.h"
#include "tools/mutant_table.h"
#include "tools/seed_range.h"
#include "tools/sweep_options.h"

namespace kiban::tools {
namespace {

using suites::Mutant;
using suites::MutantKind;
using suites::MutantResult;

// Of every kind that was asked for, and of its one name, if it has one.
absl::StatusOr<std::vector<Mutant>> MutantsAskedFor(const Arguments& arguments) {
  const bool all = !arguments.Has("--seam") && !arguments.Has("--logic") && !arguments.Has("--toy");
  const std::optional<std::string> only = arguments.Value("--only");
  std::vector<Mutant> mutants;
  const auto add = [&](const std::vector<Mutant>& more) {
    for (const Mutant& mutant : more) {
      if (!only || mutant.name == *only) mutants.push_back(mutant);
    }
  };
  if (all || arguments.Has("--seam")) add(suites::SeamMutants());
  const suites::Engine* const toy = suites::FindEngine("toy");
  if ((all || arguments.Has("--toy")) && toy != nullptr) add(suites::EngineMutants(*toy));
  const bool is_found = only.has_value() && !mutants.empty();  // Then no source is needed.
  if ((all || arguments.Has("--logic")) && !is_found) {
    ASSIGN_OR_RETURN(const std::string source, SourceTree());
    ASSIGN_OR_RETURN(const std::vector<Mutant> logic, LogicMutants(source));
    add(logic);
  }
  return mutants;
}

// Always the same ones, in their order; which, depends on their names alone.
void TakeSample(std::vector<Mutant>& mutants, uint64_t count) {
  std::vector<uint64_t> hashes;
  for (const Mutant& mutant : mutants) hashes.push_back(base::Hash64(mutant.name));
  if (count >= hashes.size()) return;
  std::sort(hashes.begin(), hashes.end());
  std::erase_if(mutants,
                [&](const Mutant& mutant) { return base::Hash64(mutant.name) >= hashes[count]; });
}

absl::StatusOr<std::vector<Mutant>> ChooseMutants(const Arguments& arguments) {
  ASSIGN_OR_RETURN(std::vector<Mutant> mutants, MutantsAskedFor(arguments));
  if (const auto sample = arguments.Value("--sample")) {
    ASSIGN_OR_RETURN(const uint64_t count, ParseNumber("--sample", *sample));
    TakeSample(mutants, count);
  }
  if (const auto seeds = arguments.Value("--seeds")) {
    ASSIGN_OR_RETURN(const uint64_t budget, ParseNumber("--seeds", *seeds));
    if (budget == 0) return absl::InvalidArgumentError("--seeds 0: expected at least 1");
    for (Mutant& mutant : mutants) mutant.seeds_budget = budget;
  }
  if (mutants.empty())
    return absl::NotFoundError("no mutant is left to be tried; see `kiban mutants --help`");
  return mutants;
}

// Once for each suite and engine, with the largest budget and recheck of all that are to be tried
// there.
absl::Status CheckAllUnplanted(const std::vector<Mutant>& mutants, const MutantContext& context) {
  std::map<std::pair<std::string, std::string>, Mutant> largest;
  for (const Mutant& mutant : mutants) {
    Mutant& all = largest.try_emplace({mutant.suite, mutant.engine}, mutant).first->second;
    all.seeds_budget = std::max(all.seeds_budget, mutant.seeds_budget);
    all.recheck = std::max(all.recheck, mutant.recheck);
  }
  for (const auto& [where, all] : largest) RETURN_IF_ERROR(CheckUnplanted(all, context));
  return absl::OkStatus();
}

absl::StatusOr<MutantResult> RunMutant(const Mutant& mutant, const MutantContext& context,
                                       std::optional<LogicBuild>& build) {
  if (mutant.kind != MutantKind::kLogic) return RunPlanted(mutant, context);
  if (!build.has_value()) {
    ASSIGN_OR_RETURN(const std::string source, SourceTree());
    ASSIGN_OR_RETURN(LogicBuild prepared, LogicBuild::Prepare(source));
    build = std::move(prepared);
  }
  return RunPatched(mutant, context, *build);
}

// Of a case that was shrunk; otherwise nothing is said.
bool IsBarrierWrong(const MutantResult& result) {
  return !result.shrunk.path.empty() && !result.is_named_right;
}

// One result for each; `exit_status` is the worst of all.
std::vector<MutantResult> RunMutants(const std::vector<Mutant>& mutants,
                                     const MutantContext& context, int& exit_status) {
  std::optional<LogicBuild> build;
  std::vector<MutantResult> results;
  for (const Mutant& mutant : mutants) {
    absl::StatusOr<MutantResult> result = RunMutant(mutant, context, build);
    if (!result.ok()) {
      const std::string why(base::ToStd(result.status().message()));
      BadUsage(why);
      const bool broken = !absl::IsFailedPrecondition(result.status());
      exit_status = std::max(exit_status, broken ? kExitBadUsage : kExitFailed);
      result = BlankResult(mutant);
      result->signature = why;
    }
    result->is_named_right = suites::IsNamedRightly(mutant, result->shrunk.barrier);
    if (!result->caught || IsBarrierWrong(*result))
      exit_status = std::max(exit_status, kExitFailed);
    results.push_back(*std::move(result));
  }
  return results;
}

// Where the program was built: the table of what it tried.
absl::Status WriteReadme(const std::vector<MutantResult>& results) {
  ASSIGN_OR_RETURN(const std::string source, SourceTree());
  return WriteMutantTable(source + "/suites/README.md", results);
}

int Mutants(const Arguments& arguments) {
  const auto mutants = ChooseMutants(arguments);
  if (!mutants.ok()) return BadUsage(base::ToStd(mutants.status().message()));
  const auto jobs = JobsOf(arguments);
  if (!jobs.ok()) return BadUsage(base::ToStd(jobs.status().message()));
  suites::Progress progress;
  const MutantContext context{
      .jobs = *jobs,
      .artifacts = arguments.ValueOr("--artifacts", "kiban-failures/mutants"),
      .shrink_seconds_max = arguments.Has("--no-shrink") ? 0 : kShrinkSecondsMax,
      .provenance = ProvenanceOf(arguments),
      .progress = &progress};
  const absl::Status writable = TryOutputs(arguments, context.artifacts);
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  const absl::Status unplanted = CheckAllUnplanted(*mutants, context);
  if (!unplanted.ok()) {
    BadUsage(base::ToStd(unplanted.message()));
    return absl::IsFailedPrecondition(unplanted) ? kExitFailed : kExitBadUsage;
  }
  int exit_status = kExitHeld;
  const std::vector<MutantResult> results = RunMutants(*mutants, context, exit_status);
  absl::Status written;
  if (const auto path = arguments.Value("--json")) {
    written = suites::WriteWhole(*path, suites::MutantsJson(context.provenance, results));
  }
  if (arguments.Has("--markdown")) written.Update(WriteReadme(results));
  std::fputs(MutantTableText(results).c_str(), stdout);
  return written.ok() ? exit_status : BadUsage(base::ToStd(written.message()));
}

}  // namespace

Command MutantsCommand() {
  return {
      .name = "mutants",
      .summary = "Plants known bugs, one at a time, and shows which seed catches each.",
      .details =
          "First the same seeds must hold without any bug. Without a kind, all kinds.\n"
          "Of a bug that takes an edge of durability away, its shrunk case must name that edge.\n"
          "Exit status: 0 if all were caught and named, 1 if one was not or does not apply.",
      .examples = {"mutants --seam", "mutants --only no-wal-sync", "mutants --sample 4"},
      .operands = {},
      .flags = {{"--seam", "", "calls of the seam left out, delayed or misdirected"},
                {"--logic", "", "patches of suites/mutants, each built and swept"},
                {"--toy", "", "the toy engine's own bugs"},
                {"--sample", "N", "only N of them, always the same"},
                {"--only", "NAME", "only this one"},
                {"--seeds", "N", "a budget of N seeds for each, instead of its own"},
                kJobsFlag,
                kJsonFlag,
                {"--no-shrink", "", "leave every case as it is"},
                {"--markdown", "", "the table of what was tried, into suites/README.md"},
                kArtifactsFlag},
      .run = Mutants,
      .parts = {}};
}

}  // namespace kiban::tools
