#include "suites/support/seed_life.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/hooks.h"
#include "engine/base/status_util.h"
#include "suites/support/divergence.h"
#include "suites/support/formats.h"
#include "suites/support/host.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kMillion = 1'000'000;

void Break(LifeReport& report, std::string complaint, std::string detail) {
  report.verdict = Verdict::kBroken;
  report.complaint = std::move(complaint);
  report.detail = std::move(detail);
}

void NoteBegin(SharedSlot& slot) {
  slot.began_msec.store(static_cast<uint64_t>(MonotonicSeconds() * 1000));
}

void Recheck(const SweepRequest& request, const Plan& plan, SharedSlot& slot, LifeReport& first) {
  NoteBegin(slot);
  const LifeReport second = request.live(plan, LifeOptions{});
  if (second.digest == first.digest) return;
  NoteBegin(slot);
  Break(first, std::string(kDiverged), DescribeDivergence(plan, request.live, first, second));
}

void JudgeGenerator(const Plan& plan, LifeReport& report) {
  const uint64_t crashes = report.counts.power_cuts + report.counts.kills;
  if (report.verdict != Verdict::kHeld || crashes >= plan.crashes_expected) return;
  Break(report, "a generated life with fewer crashes",
        absl::StrCat(crashes, " instead of ", plan.crashes_expected));
}

template <typename Counts>
std::vector<std::string> NamesOf(const Counts& counts) {
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) {
    if (!name.empty()) names.push_back(name);  // A cut in no span has no name.
  }
  return names;
}

}  // namespace

bool IsRechecked(uint64_t seed, uint32_t recheck_ppm) {
  return base::Mix64(seed ^ base::Label::Hash("recheck")) % kMillion < recheck_ppm;
}

bool LeavesSoundProcess(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHeld:
    case Verdict::kViolated:
    case Verdict::kUnavailable:
      return true;
    case Verdict::kCrashed:
    case Verdict::kStuck:
    case Verdict::kGaveUp:
    case Verdict::kBroken:
      return false;
  }
  CHECK(false);
}

LifeReport LiveSeed(const SweepRequest& request, uint64_t seed, SharedSlot& slot) {
  slot.plan.Clear();
  slot.decisions.Clear();
  slot.seed.store(seed);
  NoteBegin(slot);
  slot.living.store(true);

  Plan plan = request.suite->generate(seed, *request.engine, *request.profile);
  if (request.plant_seed.value_or(seed) == seed) {
    plan.faults.plants = request.plants;
    plan.planted_bug = request.planted_bug;
  }
  std::string text;
  AppendPlan(text, plan);
  slot.plan.Append(text);

  LifeOptions options;
  options.on_decision = [&slot](std::string_view decision) { slot.decisions.Append(decision); };
  LifeReport report = request.live(plan, options);
  JudgeGenerator(plan, report);
  if (LeavesSoundProcess(report.verdict) && IsRechecked(seed, request.recheck_ppm)) {
    Recheck(request, plan, slot, report);
  }
  slot.living.store(false);
  return report;
}

void RecordReach(const LifeCounts& counts, Case& c) {
  c.marks = NamesOf(counts.marks);
  c.crash_spans = NamesOf(counts.crash_points);
  c.formats = NamesOf(ByFormat(counts.tables));
  c.format_pairs = NamesOf(counts.format_pairs);
}

Case CaseOf(const Provenance& provenance, const LifeReport& report) {
  Case c;
  c.plan = report.resolved;
  const bool planted = !c.plan.faults.plants.empty() || !c.plan.planted_bug.empty() ||
                       !provenance.logic_plant.empty();
  c.expect = planted ? report.verdict : Verdict::kHeld;
  c.found = report.verdict;
  c.signature = report.Signature();
  if (!(report.digest == sim::Digest{})) c.digest = report.digest.Text();  // The dead have none.
  c.build = provenance.build;
  c.revision = provenance.revision;
  c.logic_plant = provenance.logic_plant;
  RecordReach(report.counts, c);
  return c;
}

LifeReport ReportOfDead(const SharedSlot& slot) {
  LifeReport report;
  report.verdict = slot.plan.text().empty() ? Verdict::kBroken : Verdict::kCrashed;
  const absl::StatusOr<Case> planned = ParseCase(slot.plan.text());
  if (!planned.ok()) return report;
  report.resolved = planned->plan;
  absl::StatusOr<Plan> decided = WithDecisions(planned->plan, slot.decisions.text());
  if (!decided.ok()) return report;
  report.resolved = *std::move(decided);
  for (const sim::Cut& cut : report.resolved.faults.cuts) {
    const auto* const anchor = std::get_if<sim::Anchor>(&cut.place);
    report.crash_span = anchor == nullptr ? "" : anchor->span;
    ++report.counts.crash_points[report.crash_span];
  }
  return report;
}

std::string CaseText(const Case& c, std::string_view remarks) {
  std::string text = FormatCase(c);
  while (!remarks.empty()) {
    const size_t end = std::min(remarks.find('\n'), remarks.size());
    absl::StrAppend(&text, "# ", base::ToAbsl(remarks.substr(0, end)), "\n");
    remarks.remove_prefix(std::min(end + 1, remarks.size()));
  }
  return text;
}

}  // namespace kiban::suites
