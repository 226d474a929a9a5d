// Reads that have ended and cannot be judged yet: a call that they raced with, not yet answered,
// may turn out to have the sequence that they tell, or one before it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/kv_model.h"
#include "suites/support/operation.h"
#include "suites/support/reads.h"

namespace kiban::suites {

class OpenReads {
 public:
  // A read of `operation`, which outlives this, has just ended and shows the state at `at`.
  // kSnapshot: there is nothing to judge but the sequence.
  void Add(const Operation& operation, WhatWasRead read, Sequence at, const models::KvModel& model);
  // Judges, and forgets, those whose state is known by now. Call it when a call was answered.
  models::Judgement JudgeKnown(const models::KvModel& model);
  // The process died: what it had read promises nothing.
  void Drop() { reads_.clear(); }
  uint64_t judged() const { return judged_; }

 private:
  struct Read {
    models::KvModel::CallId calls_before;  // It raced with those.
    const Operation* operation;
    WhatWasRead read;
    Sequence at;
  };
  static models::Judgement Judge(const Read& read, const models::KvModel& model);

  std::vector<Read> reads_;
  uint64_t judged_ = 0;
};

}  // namespace kiban::suites
