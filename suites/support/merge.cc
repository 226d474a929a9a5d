#include "suites/support/merge.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

// What must be the same in all files, each with its name and as text.
using Traits = std::vector<std::pair<std::string, std::string>>;

Traits TraitsOf(const Provenance& provenance) {
  return {{"revision", provenance.revision}, {"build", provenance.build}};
}

Traits TraitsOf(const SweepRequest& request) {
  return {{"suite", std::string(request.suite->name)},
          {"engine", std::string(request.engine->name)},
          {"profile", std::string(request.profile->name)},
          {"first seed", absl::StrCat(request.first_seed)},
          {"number of seeds", absl::StrCat(request.seeds)},
          {"plant", request.plant},
          {"number of shards", absl::StrCat(request.shard.count)}};
}

std::string OrNone(const std::string& text) { return text.empty() ? "none" : text; }

absl::Status CheckSame(const std::string& path, const Traits& traits, const std::string& first_path,
                       const Traits& first_traits) {
  for (size_t i = 0; i < traits.size(); ++i) {
    if (traits[i].second == first_traits[i].second) continue;
    return absl::InvalidArgumentError(absl::StrCat(path, " does not fit to ", first_path, ": ",
                                                   traits[i].first, " ", OrNone(traits[i].second),
                                                   " instead of ", OrNone(first_traits[i].second)));
  }
  return absl::OkStatus();
}

absl::Status CheckShards(std::span<const SweepFile> files, size_t suite) {
  const uint64_t count = files.front().results[suite].request.shard.count;
  std::map<uint64_t, std::string> found;  // By index: the path.
  for (const SweepFile& file : files) {
    const uint64_t index = file.results[suite].request.shard.index;
    const auto [it, is_new] = found.emplace(index, file.path);
    if (is_new) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(it->second, " and ", file.path, " are both shard ", index, "/", count));
  }
  for (uint64_t index = 1; found.size() < count; ++index) {
    if (found.contains(index)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("shard ", index, "/", count, " is missing among ", files.size(), " files"));
  }
  return absl::OkStatus();
}

absl::Status CheckFit(std::span<const SweepFile> files) {
  const SweepFile& first = files.front();
  for (const SweepFile& file : files) {
    RETURN_IF_ERROR(
        CheckSame(file.path, TraitsOf(file.provenance), first.path, TraitsOf(first.provenance)));
    RETURN_IF_ERROR(CheckSame(file.path, {{"number of suites", absl::StrCat(file.results.size())}},
                              first.path,
                              {{"number of suites", absl::StrCat(first.results.size())}}));
    for (size_t i = 0; i < file.results.size(); ++i) {
      RETURN_IF_ERROR(CheckSame(file.path, TraitsOf(file.results[i].request), first.path,
                                TraitsOf(first.results[i].request)));
    }
  }
  for (size_t i = 0; i < first.results.size(); ++i) RETURN_IF_ERROR(CheckShards(files, i));
  return absl::OkStatus();
}

void AddFailures(std::vector<FailureGroup>& groups, const std::vector<FailureGroup>& more) {
  for (const FailureGroup& group : more) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const FailureGroup& other) {
      return other.signature == group.signature;
    });
    if (known == groups.end()) {
      groups.push_back(group);
      continue;
    }
    known->count += group.count;
    known->written.insert(known->written.end(), group.written.begin(), group.written.end());
  }
}

bool HasSmallerSeed(const WrittenCase& a, const WrittenCase& b) {
  return a.failure.seed < b.failure.seed;
}

// As a sweep of all shards would have them.
void PutInOrder(std::vector<FailureGroup>& groups) {
  for (FailureGroup& group : groups) {
    std::sort(group.written.begin(), group.written.end(), HasSmallerSeed);
    group.written.resize(std::min(group.written.size(), kCasesPerSignatureMax));
  }
  std::sort(groups.begin(), groups.end(), [](const FailureGroup& a, const FailureGroup& b) {
    return HasSmallerSeed(a.written.front(), b.written.front());
  });
}

// A shard that could not go on keeps the whole from being believed.
void AddError(std::string& errors, const SweepFile& file, const std::string& error) {
  if (error.empty()) return;
  absl::StrAppend(&errors, errors.empty() ? "" : "; ", file.path, ": ", error);
}

SweepResult MergeSuite(std::span<const SweepFile> files, size_t suite) {
  SweepResult merged;
  merged.request = files.front().results[suite].request;
  merged.request.shard = {};
  merged.request.shard.source = absl::StrCat("merged from ", files.size());
  for (const SweepFile& file : files) {
    const SweepResult& shard = file.results[suite];
    merged.complete = merged.complete && shard.complete;
    AddError(merged.harness_error, file, shard.harness_error);
    merged.tally += shard.tally;
    AddFailures(merged.failures, shard.failures);
    merged.seconds = std::max(merged.seconds, shard.seconds);
    merged.cpu_seconds += shard.cpu_seconds;
    merged.memory.Add(shard.memory);
  }
  PutInOrder(merged.failures);
  JudgeFloors(merged);
  return merged;
}

}  // namespace

absl::StatusOr<std::vector<SweepResult>> MergeShards(std::span<const SweepFile> files) {
  CHECK(!files.empty());
  RETURN_IF_ERROR(CheckFit(files));
  std::vector<SweepResult> merged;
  for (size_t i = 0; i < files.front().results.size(); ++i) merged.push_back(MergeSuite(files, i));
  return merged;
}

std::string EarlyEndsText(std::span<const SweepFile> files) {
  std::string text;
  for (const SweepFile& file : files) {
    for (const SweepResult& result : file.results) {
      const Shard& shard = result.request.shard;
      if (result.complete) continue;
      absl::StrAppend(&text, file.path, ": shard ", shard.index, "/", shard.count, " of ",
                      base::ToAbsl(result.request.suite->name),
                      " ended early: ", result.tally.seeds, " of ",
                      shard.SeedsOf(result.request.seeds), " seeds were lived\n");
    }
  }
  return text;
}

}  // namespace kiban::suites
