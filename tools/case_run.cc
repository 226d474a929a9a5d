#include "tools/case_run.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "sim/disk/profile.h"
#include "suites/support/divergence.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/lone_life.h"
#include "suites/support/whole_file.h"
#include "tools/build_info.h"
#include "tools/command_line.h"
#include "tools/debugger.h"
#include "tools/disk_image.h"

namespace kiban::tools {
namespace {

using suites::Case;
using suites::LifeReport;
using suites::Plan;
using suites::Verdict;

absl::Status Lacks(std::string_view what, const std::string& name) {
  return absl::UnimplementedError(
      absl::StrCat("this revision has no ", base::ToAbsl(what), " ", absl::CHexEscape(name)));
}

absl::Status CheckOptions(const suites::Engine& engine, const suites::EngineOptions& options) {
  for (const auto& [name, value] : options) {
    const auto is_it = [&wanted = name](const suites::OptionChoices& option) {
      return option.name == wanted;
    };
    if (std::none_of(engine.options.begin(), engine.options.end(), is_it)) {
      return Lacks("option", name);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNames(const suites::Plan& plan) {
  const suites::Engine* const engine = suites::FindEngine(plan.engine);
  if (engine == nullptr) return Lacks("engine", plan.engine);
  if (sim::FindProfile(plan.profile) == nullptr) return Lacks("profile", plan.profile);
  const auto is_planted = [&](const suites::PlantedBug& bug) {
    return bug.name == plan.planted_bug;
  };
  if (!plan.planted_bug.empty() &&
      std::none_of(engine->bugs.begin(), engine->bugs.end(), is_planted)) {
    return Lacks("bug", plan.planted_bug);
  }
  if (plan.clients > 0 && (engine->open_shared == nullptr || !engine->promises.witness)) {
    return absl::UnimplementedError(absl::StrCat(
        "several clients need a shared handle and sequences, which ", plan.engine, " has not"));
  }
  RETURN_IF_ERROR(CheckOptions(*engine, plan.options));
  for (const auto& [boot, options] : plan.boots) RETURN_IF_ERROR(CheckOptions(*engine, options));
  for (const suites::Operation& operation : plan.operations) {
    RETURN_IF_ERROR(CheckOptions(*engine, operation.options));
  }
  return absl::OkStatus();
}

// A life that never came to a place of its plan is another one than was written down: its verdict
// says nothing about the case.
int Judge(Verdict expect, const LifeReport& report) {
  if (report.verdict == Verdict::kBroken && expect != Verdict::kBroken) return kExitBadUsage;
  if (report.misfits > 0) return kExitDoesNotFit;
  return report.verdict == expect ? kExitHeld : kExitFailed;
}

LifeReport FindDivergence(const Plan& plan, const suites::LifeOptions&) {
  LifeReport report;
  report.detail = suites::FirstDifference(plan, suites::RunLife);
  return report;
}

void Break(const Plan& plan, const LifeReport& second, LifeReport& first) {
  const std::string found = suites::LiveAlone(plan, {.live = FindDivergence}).detail;
  first.verdict = Verdict::kBroken;
  first.complaint = suites::kDiverged;
  first.detail = absl::StrCat("digests ", first.digest.Text(), " and ", second.digest.Text(), "; ",
                              found.empty() ? "more runs were all the same" : found);
}

LifeReport LiveAlone(const Case& c, const CaseRunOptions& options) {
  suites::LoneLifeOptions life{.on_event = options.on_event, .live = suites::RunLife};
  if (options.waits) life.seconds_max = std::numeric_limits<double>::infinity();
  if (!options.image.empty()) {
    life.on_cut = [&](uint32_t n, sim::CutMoment moment, const sim::Disk& disk) {
      const char* const folder = moment == sim::CutMoment::kBefore ? "/before" : "/after";
      return WriteImage(disk, absl::StrCat(options.image, "/cut-", n, folder));
    };
  }
  return suites::LiveAlone(c.plan, life);
}

// Where a debugger sees it, which does not follow into another process unless it is told to.
LifeReport LiveHere(const Case& c, const CaseRunOptions& options, bool& event_came) {
  suites::LifeOptions life;
  life.on_event = options.on_event;
  if (options.break_at.has_value()) life.before_event = TrapBefore(*options.break_at, event_came);
  return suites::RunLife(c.plan, life);
}

}  // namespace

absl::StatusOr<Case> LoadCase(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, suites::ReadWhole(path));
  absl::StatusOr<Case> c = suites::ParseCaseFile(text);
  if (!c.ok()) return base::InFile(path, c.status());
  const absl::Status names = CheckNames(c->plan);
  if (!names.ok()) return base::InFile(path, names);
  return c;
}

CaseRun RunCase(const Case& c, const CaseRunOptions& options) {
  CaseRun run;
  run.expect = c.logic_plant == LogicPlant() ? c.expect : Verdict::kHeld;
  run.report = DebuggerIsAttached() ? LiveHere(c, options, run.event_came) : LiveAlone(c, options);
  if (options.twice) {
    const LifeReport second = suites::LiveAlone(c.plan, {.live = suites::RunLife});
    if (!(second.digest == run.report.digest)) Break(c.plan, second, run.report);
  }
  run.exit_status = run.event_came ? Judge(run.expect, run.report) : kExitBadUsage;
  return run;
}

int ExitStatusOf(const absl::Status& status) {
  return status.code() == absl::StatusCode::kUnimplemented ? kExitDoesNotFit : kExitBadUsage;
}

int WorseExitStatus(int a, int b) {
  for (const int worst : {kExitBadUsage, kExitFailed, kExitDoesNotFit}) {
    if (a == worst || b == worst) return worst;
  }
  return kExitHeld;
}

}  // namespace kiban::tools
