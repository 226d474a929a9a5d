#include "suites/support/results.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"
#include "suites/support/formats.h"
#include "suites/support/shell_word.h"

namespace kiban::suites {
namespace {

template <typename Name>
void AddAbsent(std::string_view kind, const std::vector<Name>& wanted,
               const std::map<std::string, uint64_t>& reached, std::vector<std::string>& to) {
  for (const Name& name : wanted) {
    if (reached.count(std::string(name)) > 0) continue;
    to.push_back(absl::StrCat(base::ToAbsl(kind), " ", base::ToAbsl(name)));
  }
}

}  // namespace

void WorkerMemory::Add(const WorkerMemory& other) {
  const uint64_t max_of_both = std::max(max_bytes, other.max_bytes);
  if (other.last_bytes > last_bytes) *this = other;
  max_bytes = max_of_both;
}

double SweepResult::seeds_per_second() const {
  return seconds > 0 ? static_cast<double>(tally.seeds) / seconds : 0;
}

std::string ReplayCommand(const std::string& program, const std::string& path, Verdict verdict) {
  const char* const flag = verdict == Verdict::kBroken ? " --twice" : " --timeline";
  return absl::StrCat(ShellWord(program), " replay ", ShellWord(path), flag);
}

std::string MinimalPath(const std::string& path) {
  return absl::StrCat(absl::StripSuffix(path, ".case"), ".min.case");
}

SweepResult NotSwept(const SweepRequest& request) {
  SweepResult result;
  result.request = request;
  result.complete = request.shard.SeedsOf(request.seeds) == 0;
  result.distinct_schedules = 0;
  JudgeFloors(result);
  return result;
}

void JudgeFloors(SweepResult& result) {
  const SweepRequest& request = result.request;
  if (!request.suite->crashes) return;
  const LifeCounts& counts = result.tally.counts;
  AddAbsent("span", request.engine->crash_spans, counts.crash_points, result.not_reached);
  AddAbsent("mark", request.engine->marks, counts.marks, result.not_reached);
  if (request.suite->shares) {
    AddAbsent("span", request.engine->shared_crash_spans, counts.crash_points, result.not_reached);
    AddAbsent("mark", request.engine->shared_marks, counts.marks, result.not_reached);
  }
  AddAbsent("format", request.engine->formats, ByFormat(counts.tables), result.not_reached);
  AddAbsent("pair", FormatPairs(*request.engine), counts.format_pairs, result.not_reached);
  const bool enough = result.tally.seeds >= request.suite->floor_seeds;
  if (enough && request.shard.count == 1) result.floors_missed = result.not_reached;
}

int ExitStatus(const SweepResult& result) {
  const bool broken = result.tally.verdicts[static_cast<size_t>(Verdict::kBroken)] > 0;
  if (broken || !result.harness_error.empty()) return 2;
  return result.tally.failed() > 0 || !result.floors_missed.empty() ? 1 : 0;
}

int ExitStatus(std::span<const SweepResult> results) {
  int worst = 0;
  for (const SweepResult& result : results) worst = std::max(worst, ExitStatus(result));
  return worst;
}

}  // namespace kiban::suites
