#include "suites/support/results.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::suites {
namespace {

void AddAbsent(std::string_view kind, const std::vector<std::string_view>& wanted,
               const std::map<std::string, uint64_t>& reached, std::vector<std::string>& to) {
  for (const std::string_view name : wanted) {
    if (reached.count(std::string(name)) > 0) continue;
    to.push_back(absl::StrCat(base::ToAbsl(kind), " ", base::ToAbsl(name)));
  }
}

}  // namespace

double SweepResult::seeds_per_second() const {
  return seconds > 0 ? static_cast<double>(tally.seeds) / seconds : 0;
}

std::vector<std::string> NotReached(const SweepRequest& request, const Tally& tally) {
  std::vector<std::string> absent;
  if (!request.suite->crashes) return absent;
  AddAbsent("span", request.engine->crash_spans, tally.counts.crash_points, absent);
  AddAbsent("mark", request.engine->marks, tally.counts.marks, absent);
  if (!request.suite->shares) return absent;
  AddAbsent("span", request.engine->shared_crash_spans, tally.counts.crash_points, absent);
  AddAbsent("mark", request.engine->shared_marks, tally.counts.marks, absent);
  return absent;
}

int ExitStatus(const SweepResult& result) {
  const bool broken = result.tally.verdicts[static_cast<size_t>(Verdict::kBroken)] > 0;
  if (broken || !result.harness_error.empty()) return 2;
  return result.tally.failed() > 0 || !result.floors_missed.empty() ? 1 : 0;
}

}  // namespace kiban::suites
