#include "tools/corpus_pin.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "suites/support/seed_life.h"
#include "tools/corpus_reach.h"

namespace kiban::tools {
namespace {

using base::ToAbsl;
using suites::LifeReport;

struct Candidate {
  uint64_t seed;
  bool is_short;
  size_t text_bytes;
  Reach reach;
  bool is_chosen = false;
};

// What is not listed is kept, so that only what was lost or torn need be.
void ListLossesOnly(sim::FaultPlan& faults) {
  for (sim::Cut& cut : faults.cuts) {
    if (!cut.fates.has_value()) continue;
    std::erase_if(*cut.fates,
                  [](const sim::ListedFate& fate) { return fate.kept && fate.torn_sectors == 0; });
  }
}

std::string Describe(const sim::Cut& cut) {
  const auto* const anchor = std::get_if<sim::Anchor>(&cut.place);
  const bool is_at_rest = anchor == nullptr || anchor->span.empty();
  return absl::StrCat(cut.kind == sim::FaultKind::kKill ? "a kill" : "a power cut",
                      cut.in_recovery ? " of the recovery" : "",
                      is_at_rest ? " between two steps" : " in " + anchor->span);
}

// "It suffers a power cut in flush.F2, a kill of the recovery in open.O5; chosen for mark a, ..."
std::string WhyOf(const sim::FaultPlan& faults, const Reach& gained) {
  std::vector<std::string> cuts;
  for (const sim::Cut& cut : faults.cuts) cuts.push_back(Describe(cut));
  return absl::StrCat("It suffers ", absl::StrJoin(cuts, ", "), "; chosen for ",
                      absl::StrJoin(gained, ", "), ".");
}

class Pinning {
 public:
  explicit Pinning(const PinRequest& request)
      : request_(request), declared_(DeclaredReach(*request.suite, *request.engine)) {}

  absl::StatusOr<std::vector<PinnedCase>> Choose();

 private:
  absl::StatusOr<LifeReport> Live(uint64_t seed, bool is_short) const;
  absl::Status AddCandidates(bool is_short);
  Candidate* MostGaining(const Reach& missing);
  absl::Status Pin(Candidate& candidate, const Reach& gained);
  absl::Status Cover(Reach& missing);

  const PinRequest request_;
  const Reach declared_;
  std::vector<Candidate> candidates_;
  std::vector<PinnedCase> pinned_;
};

absl::StatusOr<LifeReport> Pinning::Live(uint64_t seed, bool is_short) const {
  const suites::Suite& suite = *request_.suite;
  const auto generate = is_short ? suite.generate_short : suite.generate;
  LifeReport report = suites::RunLife(generate(seed, *request_.engine, *request_.profile), {});
  if (report.verdict != suites::Verdict::kHeld) {
    return absl::FailedPreconditionError(absl::StrCat(
        ToAbsl(suite.name), is_short ? " (short)" : "", " seed ", seed, ": ", report.Signature()));
  }
  ListLossesOnly(report.resolved.faults);
  return report;
}

absl::Status Pinning::AddCandidates(bool is_short) {
  for (uint64_t seed = 0; seed < request_.seeds; ++seed) {
    ASSIGN_OR_RETURN(const LifeReport report, Live(seed, is_short));
    std::string text;
    suites::AppendPlan(text, report.resolved);
    candidates_.push_back({.seed = seed,
                           .is_short = is_short,
                           .text_bytes = text.size(),
                           .reach = ReachOf(report.resolved.faults, report.counts)});
  }
  return absl::OkStatus();
}

// Null if none reaches anything of it. Of equals the shortest.
Candidate* Pinning::MostGaining(const Reach& missing) {
  Candidate* best = nullptr;
  size_t best_gain = 0;
  for (Candidate& candidate : candidates_) {
    if (candidate.is_chosen) continue;
    const size_t gain = missing.size() - Missing(missing, candidate.reach).size();
    if (gain == 0 || gain < best_gain) continue;
    if (gain == best_gain && candidate.text_bytes >= best->text_bytes) continue;
    best = &candidate;
    best_gain = gain;
  }
  return best;
}

absl::Status Pinning::Pin(Candidate& candidate, const Reach& gained) {
  ASSIGN_OR_RETURN(const LifeReport report, Live(candidate.seed, candidate.is_short));
  candidate.is_chosen = true;
  PinnedCase& pinned = pinned_.emplace_back();
  pinned.name =
      absl::StrFormat("pinned-%04d%s.case", candidate.seed, candidate.is_short ? "" : "-long");
  pinned.c = suites::CaseOf({}, report);
  pinned.c.signature.clear();
  pinned.c.digest.clear();  // It would be another with the next change of the engine.
  pinned.c.why = WhyOf(report.resolved.faults, gained);
  return absl::OkStatus();
}

// Until nothing is missing, no candidate has any of it, or enough are chosen.
absl::Status Pinning::Cover(Reach& missing) {
  while (pinned_.size() < request_.count) {
    Candidate* const best = MostGaining(missing);
    if (best == nullptr) break;
    Reach left = Missing(missing, best->reach);
    RETURN_IF_ERROR(Pin(*best, Missing(missing, left)));
    missing = std::move(left);
  }
  return absl::OkStatus();
}

// What is reached once is then reached again by others, as long as there is room.
absl::StatusOr<std::vector<PinnedCase>> Pinning::Choose() {
  Reach missing = declared_;
  RETURN_IF_ERROR(AddCandidates(/*is_short=*/true));
  RETURN_IF_ERROR(Cover(missing));
  if (!missing.empty()) {
    RETURN_IF_ERROR(AddCandidates(/*is_short=*/false));
    RETURN_IF_ERROR(Cover(missing));
  }
  if (!missing.empty()) {
    return absl::NotFoundError(absl::StrCat(pinned_.size(), " lives of ", request_.seeds,
                                            " seeds do not reach ", absl::StrJoin(missing, ", "),
                                            "; more with a larger --seeds or --count"));
  }
  for (size_t before = 0; before < pinned_.size();) {
    before = pinned_.size();
    missing = declared_;
    RETURN_IF_ERROR(Cover(missing));
  }
  return std::move(pinned_);
}

}  // namespace

absl::StatusOr<std::vector<PinnedCase>> PinCases(const PinRequest& request) {
  CHECK(request.suite->generate_short != nullptr);
  return Pinning(request).Choose();
}

}  // namespace kiban::tools
