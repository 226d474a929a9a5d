#include "suites/support/stage.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "sim/event_kinds.h"

namespace kiban::suites {
namespace {

const Engine& EngineOf(const Plan& plan) {
  const Engine* const engine = FindEngine(plan.engine);
  CHECK(engine != nullptr);  // The reader of the plan has checked the name.
  return *engine;
}

const sim::Profile& ProfileOf(const Plan& plan) {
  const sim::Profile* const profile = sim::FindProfile(plan.profile);
  CHECK(profile != nullptr);
  return *profile;
}

models::KvModel::Options ModelOptions(const Promises& promises) {
  return {.witness = promises.witness ? models::Witness::kSequences : models::Witness::kCallOrder,
          .batches_whole = promises.batches_whole,
          .kill_takes_nothing = promises.kill_takes_nothing};
}

}  // namespace

Stage::Stage(const Plan& plan_to_live, const LifeOptions& options)
    : plan(plan_to_live),
      engine(EngineOf(plan)),
      model(ModelOptions(engine.promises)),
      world(plan.seed, ProfileOf(plan), plan.faults,
            {.schedule = plan.schedule,
             .lucks = plan.lucks,
             .fate_match = options.fate_match,
             .step_budget = options.step_budget,
             .recording = options.recording,
             .kept_events = options.kept_events,
             .on_decision = options.on_decision,
             .on_strike = options.on_strike,
             .on_event = options.on_event,
             .before_event = options.before_event,
             .extra_syncs = options.extra_syncs,
             .on_cut = options.on_cut}),
      begun(plan.operations.size()) {}

const Operation& Stage::BeginOperation(size_t index) {
  const Operation& operation = plan.operations[index];
  begun[index] = true;
  world.OperationBegins(operation.id);
  world.Note(operation.id, static_cast<uint64_t>(operation.kind), [&] {
    std::string text = "op ";
    AppendText(text, operation);
    return text;
  });
  ++report.counts.operations;
  return operation;
}

void Stage::EndOperation(size_t index) {
  if (!over()) world.OperationEnds(plan.operations[index].id);
}

bool Stage::Accept(const models::Judgement& judgement) {
  if (!judgement.has_value()) return true;
  const bool undecided = judgement->kind == models::kUndecided;
  return Complain(undecided ? Verdict::kGaveUp : Verdict::kViolated, judgement->kind,
                  judgement->detail);
}

bool Stage::Complain(Verdict verdict, std::string_view kind, std::string detail) {
  if (report.verdict != Verdict::kHeld) return false;
  report.verdict = verdict;
  report.complaint = kind;
  report.detail = std::move(detail);
  report.crash_span = world.last_crash_span();
  world.Disarm();
  world.machine().trace.Add({.kind = sim::kVerdictEvent,
                             .time = world.machine().now,
                             .subject = static_cast<uint64_t>(verdict),
                             .first = base::Hash64(kind),
                             .second = 0,
                             .result = 0});
  return false;
}

bool Stage::ComplainOf(const absl::Status& status, std::string_view kind) {
  const bool refused = status.code() == absl::StatusCode::kDataLoss;
  return Complain(refused ? Verdict::kUnavailable : Verdict::kViolated,
                  refused ? "data loss reported where nothing was damaged" : kind,
                  status.ToString());
}

void Stage::AfterError(const absl::Status& status, std::string_view kind) {
  NoticeErrors();
  const bool refused_by_closing = closing && status.code() == absl::StatusCode::kFailedPrecondition;
  if (refused_by_closing || handle_excused) {
    must_reopen = true;
  } else {
    ComplainOf(status, kind);
  }
}

// From then on what is acknowledged and not durable is in doubt, and the handle that met the error
// may refuse everything.
bool Stage::NoticeErrors() {
  if (world.sync_errors_fired() == errors_seen_) return false;
  errors_seen_ = world.sync_errors_fired();
  model.SyncFailed();
  handle_excused = true;
  return true;
}

bool Stage::JudgeWhenKnown(const Operation& operation, WhatWasRead read, Sequence at) {
  reads_.Add(operation, std::move(read), at, model);
  return JudgeKnownReads();
}

}  // namespace kiban::suites
