#include "tools/sweep_options.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_util.h"
#include "suites/support/host.h"
#include "suites/support/whole_file.h"
#include "tools/build_info.h"
#include "tools/seed_range.h"
#include "tools/shard_choice.h"

namespace kiban::tools {
namespace {

using suites::Engine;
using suites::Suite;
using suites::SweepRequest;

constexpr uint64_t kJobsMax = 1024;
constexpr uint64_t kSeedsUnlessTold = 2000;  // Enough for every suite's floors.

template <typename Things>
std::string NamesOf(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.emplace_back(thing.name);
  return absl::StrJoin(names, ", ");
}

absl::Status NoSuch(std::string_view flag, const std::string& name, const std::string& there_is) {
  return absl::InvalidArgumentError(
      absl::StrCat(base::ToAbsl(flag), " ", name, ": there is no such; choose from ", there_is));
}

absl::StatusOr<std::vector<const Suite*>> SuitesNamed(const std::string& name) {
  std::vector<const Suite*> chosen;
  for (const Suite& suite : suites::Suites()) {
    if (name == "all" || (name == "long" && suite.is_long) || name == suite.name) {
      chosen.push_back(&suite);
    }
  }
  if (chosen.empty()) return NoSuch("--suite", name, NamesOf(suites::Suites()) + ", long, all");
  return chosen;
}

absl::StatusOr<uint32_t> RecheckOf(const Arguments& arguments) {
  const std::string text = arguments.ValueOr("--recheck", "0.05");
  double rate = 0;
  if (!absl::SimpleAtod(text, &rate) || !(rate >= 0 && rate <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--recheck ", text, ": expected a share from 0 to 1, e.g. 0.05"));
  }
  return InMillionths(rate);
}

absl::StatusOr<suites::StopAt> StopOf(const Arguments& arguments) {
  const bool fail_fast = arguments.Has("--fail-fast");
  if (fail_fast && arguments.Has("--keep-going")) {
    return absl::InvalidArgumentError("--fail-fast and --keep-going: choose one of them");
  }
  if (fail_fast) return suites::StopAt::kFirstFailure;
  return arguments.Has("--keep-going") ? suites::StopAt::kEnd : suites::StopAt::kTenthSignature;
}

// In a seed that no shard lives it would be planted in vain, and all would hold.
absl::Status Plant(const std::optional<std::string>& name, SweepRequest& request) {
  if (!name) return absl::OkStatus();
  RETURN_IF_ERROR(PlantByName(*name, request));
  const uint64_t seed = request.plant_seed.value_or(request.first_seed);
  if (seed >= request.first_seed && seed - request.first_seed < request.seeds) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--plant ", *name, ": its seed is none of the sweep's, ", request.first_seed,
                   "..", request.first_seed + request.seeds - 1));
}

// A single seed is nothing to be shared, whatever the CI server says.
absl::StatusOr<suites::Shard> ShardOf(const Arguments& arguments) {
  if (!arguments.Has("--seed")) return ChooseShard(arguments.Value("--shard"), HostEnvironment);
  const auto nothing = [](const std::string&) { return std::nullopt; };
  ASSIGN_OR_RETURN(suites::Shard shard, ChooseShard(arguments.Value("--shard"), nothing));
  if (shard.count == 1) return shard;
  return absl::InvalidArgumentError("--seed names the one seed: leave --shard out");
}

// So that the words that stand in the results do the same again.
void ReplaceRandom(std::vector<std::string>& words, const std::string& seed) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--from=random") words[i] = "--from=" + seed;
    if (i > 0 && words[i - 1] == "--from" && words[i] == "random") words[i] = seed;
  }
}

absl::Status TakeSeeds(const Arguments& arguments, SweepRequest& request) {
  ASSIGN_OR_RETURN(request.shard, ShardOf(arguments));
  std::optional<std::string> from = arguments.Value("--from");
  if (from == "random") {
    if (request.shard.count > 1) {
      return absl::InvalidArgumentError(
          "--from random: each shard would draw another start; draw one and give it to all");
    }
    from = absl::StrCat(DrawFirstSeed());
    ReplaceRandom(request.provenance.args, *from);
  }
  ASSIGN_OR_RETURN(const SeedRange seeds,
                   ChooseSeeds(arguments.Value("--seeds"), arguments.Value("--seed"), from,
                               {0, kSeedsUnlessTold}));
  request.first_seed = seeds.first;
  request.seeds = seeds.count;
  return absl::OkStatus();
}

absl::StatusOr<SweepRequest> CommonRequest(const Arguments& arguments) {
  SweepRequest request;
  const std::string engine = arguments.ValueOr("--engine", "lsm");
  request.engine = suites::FindEngine(engine);
  if (request.engine == nullptr) return NoSuch("--engine", engine, NamesOf(suites::Engines()));
  const std::string profile = arguments.ValueOr("--profile", "strict");
  request.profile = sim::FindProfile(profile);
  if (request.profile == nullptr) return NoSuch("--profile", profile, "strict");
  request.provenance = ProvenanceOf(arguments);
  RETURN_IF_ERROR(TakeSeeds(arguments, request));
  ASSIGN_OR_RETURN(request.jobs, JobsOf(arguments));
  ASSIGN_OR_RETURN(request.recheck_ppm, RecheckOf(arguments));
  ASSIGN_OR_RETURN(request.stop_at, StopOf(arguments));
  RETURN_IF_ERROR(Plant(arguments.Value("--plant"), request));
  request.shrink_seconds_max = arguments.Has("--no-shrink") ? 0 : kShrinkSecondsMax;
  request.artifacts = arguments.ValueOr("--artifacts", request.artifacts);
  request.live = suites::RunLife;
  return request;
}

}  // namespace

uint32_t InMillionths(double share) {
  return static_cast<uint32_t>(std::lround(share * 1'000'000));
}

absl::Status TryOutputs(const Arguments& arguments, const std::string& artifacts) {
  for (const char* const flag : {"--json", "--junit", "--html"}) {
    const std::optional<std::string> path = arguments.Value(flag);
    if (path) RETURN_IF_ERROR(suites::TryWriting(*path));
  }
  return artifacts.empty() ? absl::OkStatus() : suites::TryWritingIn(artifacts);
}

absl::StatusOr<unsigned> JobsOf(const Arguments& arguments) {
  const std::optional<std::string> text = arguments.Value("--jobs");
  if (!text) return suites::CoreCount();
  ASSIGN_OR_RETURN(const uint64_t jobs, ParseNumber("--jobs", *text));
  if (jobs >= 1 && jobs <= kJobsMax) return static_cast<unsigned>(jobs);
  return absl::InvalidArgumentError(
      absl::StrCat("--jobs ", *text, ": expected a number from 1 to ", kJobsMax));
}

absl::StatusOr<double> EndOfBudget(const Arguments& arguments) {
  const std::optional<std::string> text = arguments.Value("--time-budget");
  if (!text) return std::numeric_limits<double>::infinity();
  ASSIGN_OR_RETURN(const double seconds, ParseTimeBudget(*text));
  return suites::MonotonicSeconds() + seconds;
}

absl::Status PlantByName(const std::string& text, SweepRequest& request) {
  const size_t at = text.find('@');
  const std::string name = text.substr(0, at);
  request.plant = text;
  if (at != std::string::npos) {
    const auto seed = ParseNumber("--plant", text.substr(at + 1));
    if (!seed.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--plant ", text, ": expected NAME or NAME@SEED, e.g. no-wal-sync@17"));
    }
    request.plant_seed = *seed;
  }
  if (const std::optional<sim::Plant> plant = sim::FindPlant(name)) {
    request.plants.push_back(*plant);
    return absl::OkStatus();
  }
  const auto& bugs = request.engine->bugs;
  if (std::any_of(bugs.begin(), bugs.end(),
                  [&](const suites::PlantedBug& bug) { return bug.name == name; })) {
    request.planted_bug = name;
    return absl::OkStatus();
  }
  std::vector<std::string> names;
  for (const sim::Plant plant : sim::kPlants) names.emplace_back(Name(plant));
  for (const suites::PlantedBug& bug : bugs) names.emplace_back(bug.name);
  return NoSuch("--plant", text, absl::StrJoin(names, ", "));
}

absl::StatusOr<std::vector<SweepRequest>> SweepsOf(const Arguments& arguments) {
  ASSIGN_OR_RETURN(const std::vector<const Suite*> chosen,
                   SuitesNamed(arguments.ValueOr("--suite", "long")));
  ASSIGN_OR_RETURN(const SweepRequest common, CommonRequest(arguments));
  std::vector<SweepRequest> requests;
  for (const Suite* const suite : chosen) {
    if (!suites::CanBeAsked(*suite, *common.engine)) {
      if (chosen.size() > 1) continue;  // Out of a group, those are asked that can be.
      return absl::InvalidArgumentError(absl::StrCat(
          "--suite ", base::ToAbsl(suite->name), " needs a shared handle and sequences, which ",
          base::ToAbsl(common.engine->name), " has not"));
    }
    requests.push_back(common);
    requests.back().suite = suite;
  }
  return requests;
}

}  // namespace kiban::tools
