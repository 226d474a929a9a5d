#include "tools/mutant_run.h"

#include <filesystem>
#include <optional>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "suites/support/case_file.h"
#include "suites/support/host.h"
#include "suites/support/runner.h"
#include "suites/support/whole_file.h"
#include "tools/subprocess.h"
#include "tools/sweep_options.h"

namespace kiban::tools {
namespace {

namespace fs = std::filesystem;
using suites::Mutant;
using suites::MutantKind;
using suites::MutantResult;
using suites::SweepRequest;
using suites::SweepResult;

absl::StatusOr<SweepRequest> RequestOf(const Mutant& mutant, const MutantContext& context) {
  SweepRequest request;
  request.suite = suites::FindSuite(mutant.suite);
  request.engine = suites::FindEngine(mutant.engine);
  request.profile = sim::FindProfile("strict");
  if (request.suite == nullptr || request.engine == nullptr) {
    return absl::NotFoundError(absl::StrCat(mutant.name, ": there is no suite ", mutant.suite,
                                            " or no engine ", mutant.engine));
  }
  request.seeds = mutant.seeds_budget;
  request.jobs = context.jobs;
  request.recheck_ppm = InMillionths(mutant.recheck);
  request.stop_at = suites::StopAt::kFirstFailure;
  request.shrink_seconds_max = context.shrink_seconds_max;
  request.artifacts = absl::StrCat(context.artifacts, "/", mutant.name);
  request.provenance = context.provenance;
  request.live = suites::RunLife;
  return request;
}

absl::Status NotToBeTrusted(const std::string& name, const std::string& why) {
  return absl::InternalError(absl::StrCat(name, ": the harness is broken: ", why));
}

struct FoundCase {
  uint64_t seed = 0;
  std::string path;
  suites::Case content;
};

// The case with the smallest seed in `directory`.
absl::StatusOr<std::optional<FoundCase>> FirstCase(const std::string& directory) {
  std::optional<FoundCase> first;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".case") continue;
    ASSIGN_OR_RETURN(const std::string text, suites::ReadWhole(entry->path().string()));
    ASSIGN_OR_RETURN(suites::Case c, suites::ParseCaseFile(text));
    const uint64_t seed = c.plan.seed;
    if (!first || seed < first->seed) first = FoundCase{seed, entry->path().string(), std::move(c)};
  }
  return first;
}

// In the program that has the patch.
absl::Status ShrinkPatched(const FoundCase& found, const MutantContext& context,
                           const LogicBuild& build, MutantResult& result) {
  suites::ShrunkCase& shrunk = result.shrunk;
  const std::string path = suites::MinimalPath(found.path);
  const double began = suites::MonotonicSeconds();
  const int status = RunProgram({build.program(), "shrink", found.path, "-o", path, "--time-budget",
                                 absl::StrCat(context.shrink_seconds_max, "s")},
                                ".", build.log());
  shrunk.seconds = suites::MonotonicSeconds() - began;
  if (status != kExitHeld) {
    return NotToBeTrusted(result.name, absl::StrCat("shrinking ", found.path, " ended with ",
                                                    status, "; see ", build.log()));
  }
  ASSIGN_OR_RETURN(const std::string text, suites::ReadWhole(path));
  ASSIGN_OR_RETURN(const suites::Case c, suites::ParseCaseFile(text));
  shrunk.path = path;
  shrunk.operations_before = found.content.plan.operations.size();
  shrunk.operations = c.plan.operations.size();
  shrunk.certified = !c.certificate.empty();
  shrunk.barrier = c.barrier;
  shrunk.weakest = c.weakest;
  result.replay = suites::ReplayCommand(build.program(), path, c.found);
  return absl::OkStatus();
}

}  // namespace

MutantResult BlankResult(const Mutant& mutant) {
  MutantResult result;
  result.name = mutant.name;
  result.kind = Name(mutant.kind);
  result.engine = mutant.engine;
  result.suite = mutant.suite;
  result.edge = mutant.edge;
  return result;
}

absl::Status CheckUnplanted(const Mutant& mutant, const MutantContext& context) {
  ASSIGN_OR_RETURN(SweepRequest request, RequestOf(mutant, context));
  request.artifacts = context.artifacts;
  const SweepResult result = RunSweep(request, context.progress);
  if (!result.harness_error.empty()) return NotToBeTrusted(mutant.suite, result.harness_error);
  if (result.failures.empty()) return absl::OkStatus();
  const suites::WrittenCase& first = result.failures.front().written.front();
  if (first.failure.verdict == suites::Verdict::kBroken) {
    return NotToBeTrusted(mutant.suite, first.failure.detail);
  }
  return absl::FailedPreconditionError(
      absl::StrCat(mutant.suite, " fails without any planted bug, at seed ", first.failure.seed,
                   ": ", result.failures.front().signature, "; replay: ", first.command));
}

absl::StatusOr<MutantResult> RunPlanted(const Mutant& mutant, const MutantContext& context) {
  ASSIGN_OR_RETURN(SweepRequest request, RequestOf(mutant, context));
  RETURN_IF_ERROR(PlantByName(mutant.name, request));
  const SweepResult sweep = RunSweep(request, context.progress);
  if (!sweep.harness_error.empty()) return NotToBeTrusted(mutant.name, sweep.harness_error);
  MutantResult result = BlankResult(mutant);
  result.seconds = sweep.seconds;
  result.seeds_to_detection = sweep.tally.seeds;
  if (sweep.failures.empty()) return result;
  result.signature = sweep.failures.front().signature;
  const suites::Verdict verdict = sweep.failures.front().written.front().failure.verdict;
  result.caught = IsCaught(mutant, verdict);
  if (verdict == suites::Verdict::kBroken && !result.caught) {
    return NotToBeTrusted(mutant.name, result.signature);
  }
  result.replay = sweep.failures.front().written.front().command;
  result.shrunk = sweep.failures.front().written.front().shrunk;
  return result;
}

absl::StatusOr<MutantResult> RunPatched(const Mutant& mutant, const MutantContext& context,
                                        LogicBuild& build) {
  CHECK(mutant.kind == MutantKind::kLogic);
  std::error_code error;
  const std::string patch = fs::absolute(mutant.patch, error).string();
  RETURN_IF_ERROR(build.BuildWith(patch, mutant.name));
  const std::string artifacts =
      fs::absolute(absl::StrCat(context.artifacts, "/", mutant.name), error).string();
  fs::remove_all(artifacts, error);  // Cases of an earlier run.
  RETURN_IF_ERROR(suites::MakeDirectories(artifacts));
  const double began = suites::MonotonicSeconds();
  const int status = RunProgram(
      {build.program(), "sweep", "--suite", mutant.suite, "--engine", mutant.engine, "--seeds",
       absl::StrCat(mutant.seeds_budget), "--jobs", absl::StrCat(context.jobs), "--shard", "1/1",
       "--recheck", absl::StrCat(mutant.recheck), "--fail-fast", "--no-shrink", "--artifacts",
       artifacts},
      ".", build.log());
  MutantResult result = BlankResult(mutant);
  result.seconds = suites::MonotonicSeconds() - began;
  result.seeds_to_detection = mutant.seeds_budget;
  ASSIGN_OR_RETURN(const std::optional<FoundCase> found, FirstCase(artifacts));
  if (!found.has_value()) {
    if (status == kExitHeld || status == kExitFailed) return result;
    return NotToBeTrusted(mutant.name, absl::StrCat("exit status ", status, "; see ", build.log()));
  }
  result.caught = IsCaught(mutant, found->content.found);
  const bool broken = status == kExitBadUsage || found->content.found == suites::Verdict::kBroken;
  if (broken && !result.caught) {
    return NotToBeTrusted(mutant.name, absl::StrCat(found->path, "; see ", build.log()));
  }
  result.seeds_to_detection = found->seed + 1;
  result.signature = found->content.signature;
  result.replay = suites::ReplayCommand(build.program(), found->path, found->content.found);
  if (context.shrink_seconds_max > 0)
    RETURN_IF_ERROR(ShrinkPatched(*found, context, build, result));
  return result;
}

}  // namespace kiban::tools
