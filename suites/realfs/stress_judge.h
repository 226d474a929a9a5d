// Tells the model what a killed process did and found, in the order of its tickets.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/kv_model.h"
#include "suites/realfs/call_log.h"
#include "suites/realfs/stress_plan.h"
#include "suites/support/open_reads.h"

namespace kiban::suites {

class StressJudge {
 public:
  struct Counts {
    uint64_t recoveries = 0;    // That were seen to the end.
    uint64_t kills_before = 0;  // Of processes that had not come so far.
    uint64_t acknowledged = 0;
    uint64_t in_flight = 0;  // Mutations, at a kill.
    uint64_t reads = 0;      // Judged.
    uint64_t promises = 0;   // Syncs, flushes, compactions.
  };
  // What the judge does wrong on purpose, to be seen to complain.
  enum class Plant { kNone, kDropWrite };

  StressJudge(const StressPlan& plan, const Engine& engine, Plant plant);

  // The next process of the directory's history, which is dead by now. After a complaint the judge
  // is of no further use.
  models::Judgement Judge(uint32_t round, const RoundLog& log);
  const Counts& counts() const { return counts_; }

 private:
  struct Moment {
    uint64_t ticket;
    uint32_t task;
    uint32_t index;
    bool is_return;
  };
  // Of a task, what its call in flight was given when it began.
  struct Begun {
    Operation operation;
    models::KvModel::CallId call = 0;
    Sequence least = 0;  // A read: what it must at least show. A promise: its barrier.
  };

  models::Judgement JudgeRecovery(const LoggedRecovery& recovery);
  void Begin(const Operation& operation, Begun& begun);
  models::Judgement Return(const LoggedCall& logged, Begun& begun);
  WhatWasRead ReadOf(const Operation& operation, const LoggedCall& logged) const;

  const StressPlan& plan_;
  const Plant plant_;
  models::KvModel model_;
  std::deque<Operation> operations_;  // Of the reads.
  OpenReads reads_;
  Counts counts_;
};

}  // namespace kiban::suites
