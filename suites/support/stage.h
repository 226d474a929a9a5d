// What the clients of one life share: the machine, the engine's open handle, the model that is told
// of every call, and the verdict. One task runs at a time, and none gives way in here: what a
// client tells between two calls of the engine, it tells in one moment.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/kv_model.h"
#include "sim/world.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/life.h"
#include "suites/support/open_reads.h"
#include "suites/support/plan.h"

namespace kiban::suites {

class Stage {
 public:
  Stage(const Plan& plan, const LifeOptions& options);

  const Plan& plan;
  const Engine& engine;
  models::KvModel model;
  sim::World world;
  // The process; null while none is up.
  std::unique_ptr<EngineUnderTest> handle;
  // Every key that a mutation has named so far: what gets are tried with after each recovery. Not
  // those of the whole plan, which a case cuts short behind its failure.
  std::set<std::string> keys;
  std::vector<bool> begun;  // By index in plan.operations.
  LifeReport report;
  // The open handle has met an injected error, which excuses errors from then on.
  bool handle_excused = false;
  // The handle is being closed while clients use it: it may refuse them.
  bool closing = false;
  // The open handle has answered an error that is excused: clients stop, and it is reopened.
  bool must_reopen = false;

  // Nothing further is to be done: the process is dead, or a complaint was made.
  bool over() const { return world.dead() || report.verdict != Verdict::kHeld; }

  // Begins or ends the operation at this index of the plan; what it does is the caller's matter.
  const Operation& BeginOperation(size_t index);
  void EndOperation(size_t index);

  // Each returns false if the life cannot go on. The first complaint counts.
  bool Accept(const models::Judgement& judgement);
  bool Complain(Verdict verdict, std::string_view kind, std::string detail);
  bool ComplainOf(const absl::Status& status, std::string_view kind);

  // A call of the engine has failed. Only an injected error or the closing of the handle excuses
  // it.
  void AfterError(const absl::Status& status, std::string_view kind);

  // Whether an injected error has fired since this was asked last.
  bool NoticeErrors();

  // A read has ended that shows the state at `at`; it is judged as soon as that state is known.
  // kSnapshot: there is nothing to judge but the sequence.
  bool JudgeWhenKnown(const Operation& operation, WhatWasRead read, Sequence at);
  // To be called when a call has been answered.
  bool JudgeKnownReads() { return Accept(reads_.JudgeKnown(model)); }
  // The process died: what it had read promises nothing.
  void DropReads() { reads_.Drop(); }

 private:
  OpenReads reads_;
  uint64_t errors_seen_ = 0;  // Of the injected ones.
};

}  // namespace kiban::suites
