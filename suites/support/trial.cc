#include "suites/support/trial.h"

#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "sim/faults/fault_text.h"
#include "suites/support/child_process.h"
#include "suites/support/divergence.h"
#include "suites/support/last_words.h"
#include "suites/support/message.h"
#include "suites/support/seed_life.h"

namespace kiban::suites {
namespace {

// What a child says, each in a counted message: at the beginning of a life its seed; at every
// strike the faults as they were found, then drawn again, and which steps were made; in the end
// that once more, the numbers of the operations, and the report.
struct Told {
  std::string seed;
  std::string found;
  std::string drawn_again;
  std::string steps;
  std::string operations;
  std::string report;
};

template <typename Message>
auto PartsOf(Message& told) {
  return std::vector{&told.seed,  &told.found,      &told.drawn_again,
                     &told.steps, &told.operations, &told.report};
}

void Tell(int report_fd, const Told& told) {
  std::string body;
  for (const std::string* const part : PartsOf(told)) base::AppendCounted(body, *part);
  std::string message;
  base::AppendCounted(message, body);
  Report(report_fd, message);
}

// The last whole message; the child may have died in the middle of another.
Told LastTold(std::string_view received) {
  std::string_view last;
  for (std::string_view body; base::TakeCounted(received, body);) last = body;
  Told told;
  for (std::string* const part : PartsOf(told)) {
    std::string_view text;
    if (base::TakeCounted(last, text)) *part = text;
  }
  return told;
}

Told ToldOf(sim::Seed seed, const sim::FaultPlan& faults,
            const std::vector<sim::DrawnSteps>& steps) {
  Told told;
  base::AppendVarint(told.seed, seed);
  const sim::FaultPlan found = sim::WithoutImplied(faults);
  sim::AppendText(told.found, found);
  sim::AppendText(told.drawn_again, sim::DrawnAgain(found));
  sim::AppendText(told.steps, steps);
  return told;
}

void LiveAgain(const Plan& plan, const TrialOptions& options, LifeReport& report) {
  for (unsigned i = 1; i < options.lives && report.verdict != Verdict::kBroken; ++i) {
    const LifeReport again = options.live(plan, {.fate_match = options.fate_match});
    if (again.digest == report.digest) continue;
    report.verdict = Verdict::kBroken;
    report.complaint = kDiverged;
  }
}

LifeReport LiveAndTell(const Plan& plan, const TrialOptions& options, int report_fd) {
  Tell(report_fd, ToldOf(plan.seed, {}, {}));
  LifeOptions life;
  life.fate_match = options.fate_match;
  life.on_strike = [&](const sim::Machine& machine) {
    Tell(report_fd, ToldOf(plan.seed, machine.striker.Resolved(), machine.tasks.all_steps()));
  };
  LifeReport report = options.live(plan, life);
  LiveAgain(plan, options, report);
  return report;
}

void LiveInChild(Plan plan, const TrialOptions& options, int report_fd) {
  const sim::Seed end = plan.seed + options.seeds;
  LifeReport report = LiveAndTell(plan, options, report_fd);
  while (LeavesSoundProcess(report.verdict) && report.Signature() != options.signature &&
         plan.seed + 1 < end) {
    ++plan.seed;
    report = LiveAndTell(plan, options, report_fd);
  }
  Told told = ToldOf(plan.seed, report.resolved.faults, report.steps);
  for (const Operation& operation : report.resolved.operations) {
    base::AppendVarint(told.operations, operation.id);
  }
  AppendMessage(told.report, report);
  Tell(report_fd, told);
}

// `text` was written by ToldOf(); nothing, if the life had not come to any strike.
sim::FaultPlan FaultsOf(const std::string& text, const std::vector<sim::Plant>& plants) {
  sim::FaultPlan faults;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (!sim::IsFaultLine(base::ToStd(line))) continue;  // The plants.
    CHECK(sim::ParseFaultLine(base::ToStd(line), faults).ok());
  }
  faults.plants = plants;
  return faults;
}

std::vector<sim::DrawnSteps> StepsOf(const std::string& text) {
  sim::ScheduleChoices steps;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    CHECK(absl::ConsumePrefix(&line, "schedule "));
    CHECK(sim::ParseScheduleLine(base::ToStd(line), steps).ok());
  }
  return steps.value_or(std::vector<sim::DrawnSteps>{});
}

std::string SpanOfLastCut(const sim::FaultPlan& faults) {
  if (faults.cuts.empty()) return "";
  const auto* const anchor = std::get_if<sim::Anchor>(&faults.cuts.back().place);
  return anchor == nullptr ? "" : anchor->span;
}

void KeepOperations(std::string_view ids, Plan& plan) {
  std::set<uint64_t> kept;
  for (uint64_t id = 0; base::TakeVarint(ids, id);) kept.insert(id);
  std::erase_if(plan.operations, [&](const Operation& each) { return !kept.contains(each.id); });
}

}  // namespace

Trial LiveTrial(const Plan& plan, const TrialOptions& options) {
  CHECK(options.live != nullptr);
  ChildProcess child([&](int report_fd) {
    LiveInChild(plan, options, report_fd);
    return 0;
  });
  std::string received;
  const bool ran_away = child.ReceiveAll(options.seconds_max, received);
  const int wait_status = child.Wait();
  Told told = LastTold(received);

  Trial trial;
  LifeReport& report = trial.report;
  const bool died = !TakeMessage(told.report, report);
  report.resolved = plan;
  report.resolved.crashes_expected = 0;
  std::string_view seed = told.seed;
  base::TakeVarint(seed, report.resolved.seed);
  report.resolved.faults = FaultsOf(told.found, plan.faults.plants);
  report.steps = StepsOf(told.steps);
  if (died) {
    const Death death = ExplainDeath(wait_status, child.LastWords());
    report.verdict = Verdict::kCrashed;
    report.complaint = ran_away ? "ran away" : death.complaint;
    report.detail = death.detail;
    report.crash_span = SpanOfLastCut(report.resolved.faults);
  } else {
    KeepOperations(told.operations, report.resolved);
  }
  trial.drawn_again = report.resolved;
  trial.drawn_again.faults = FaultsOf(told.drawn_again, plan.faults.plants);
  return trial;
}

}  // namespace kiban::suites
