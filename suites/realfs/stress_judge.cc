#include "suites/realfs/stress_judge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "suites/support/mutations.h"

namespace kiban::suites {
namespace {

using models::Judgement;

bool IsRead(const Operation& operation) { return operation.client > kStressWriters; }

bool IsPromise(const Operation& operation) {
  return operation.kind == OpKind::kSync || operation.kind == OpKind::kFlush ||
         operation.kind == OpKind::kCompact;
}

}  // namespace

StressJudge::StressJudge(const StressPlan& plan, const Engine& engine, Plant plant)
    : plan_(plan),
      plant_(plant),
      model_({.witness = models::Witness::kSequences,
              .batches_whole = engine.promises.batches_whole,
              .kill_takes_nothing = engine.promises.kill_takes_nothing}) {
  CHECK(engine.promises.witness);
}

Judgement StressJudge::Judge(uint32_t round, const RoundLog& log) {
  if (log.has_complaint.load()) return models::Complaint{"complaint", log.complaint.data()};
  if (!log.recovery.is_complete.load()) {
    ++counts_.kills_before;
    return std::nullopt;
  }
  if (Judgement wrong = JudgeRecovery(log.recovery)) return wrong;

  std::vector<Moment> moments;
  for (uint32_t task = 0; task < kStressTasks; ++task) {
    for (uint32_t index = 0; index < kStressCallsMax; ++index) {
      const LoggedCall& call = log.calls[task][index];
      const uint64_t called = call.called.load();
      if (called == 0) break;
      moments.push_back({called, task, index, false});
      if (const uint64_t returned = call.returned.load()) {
        moments.push_back({returned, task, index, true});
      }
    }
  }
  std::sort(moments.begin(), moments.end(),
            [](const Moment& a, const Moment& b) { return a.ticket < b.ticket; });

  std::array<std::optional<Begun>, kStressTasks> begun;
  for (const Moment& moment : moments) {
    std::optional<Begun>& mine = begun[moment.task];
    if (!moment.is_return) {
      mine.emplace();
      Begin(plan_.OperationOf({round, moment.task, moment.index}), *mine);
      continue;
    }
    if (Judgement wrong = Return(log.calls[moment.task][moment.index], *mine)) return wrong;
    mine.reset();
  }
  for (const std::optional<Begun>& unanswered : begun) {
    if (!unanswered.has_value() || IsRead(unanswered->operation) ||
        IsPromise(unanswered->operation)) {
      continue;
    }
    model_.Fail(unanswered->call);
    ++counts_.in_flight;
  }
  model_.Killed();
  counts_.reads = reads_.judged();
  reads_.Drop();  // What raced with a call that will never be answered promises nothing any more.
  operations_.clear();
  return std::nullopt;
}

Judgement StressJudge::JudgeRecovery(const LoggedRecovery& recovery) {
  models::Contents found;
  for (uint32_t key = 0; key < kStressKeys; ++key) {
    const ValueOrigin& origin = recovery.values[key];
    if (origin.operation != 0) found[StressPlan::KeyText(key)] = plan_.ValueFrom(origin);
  }
  if (plant_ == Plant::kDropWrite && !found.empty()) found.erase(found.begin());
  ++counts_.recoveries;
  return model_.Recovered(recovery.last_sequence, found);
}

void StressJudge::Begin(const Operation& operation, Begun& begun) {
  begun.operation = operation;
  if (IsRead(operation)) {
    begun.least = model_.NewestSeen();
  } else if (IsPromise(operation)) {
    begun.least = model_.BeginBarrier();
  } else {
    begun.call = model_.Begin(absl::StrCat("op ", operation.id), MutationsOf(operation));
  }
}

Judgement StressJudge::Return(const LoggedCall& logged, Begun& begun) {
  if (IsPromise(begun.operation)) {
    model_.BarrierHeld(begun.least);
    ++counts_.promises;
    return std::nullopt;
  }
  if (IsRead(begun.operation)) {
    if (Judgement wrong = model_.Saw(logged.sequence, begun.least)) return wrong;
    WhatWasRead read = ReadOf(begun.operation, logged);
    if (begun.operation.kind == OpKind::kSnapshot) begun.operation.kind = OpKind::kGet;
    reads_.Add(operations_.emplace_back(std::move(begun.operation)), std::move(read),
               logged.sequence, model_);
    return reads_.JudgeKnown(model_);
  }
  const bool synced = begun.operation.durability == Durability::kSynced;
  if (Judgement wrong = model_.Acknowledge(begun.call, logged.sequence, synced)) return wrong;
  ++counts_.acknowledged;
  return reads_.JudgeKnown(model_);
}

WhatWasRead StressJudge::ReadOf(const Operation& operation, const LoggedCall& logged) const {
  WhatWasRead read;
  read.at = logged.sequence;
  for (uint32_t i = 0; i < logged.pair_count; ++i) {
    const FoundPair& pair = logged.pairs[i];
    read.pairs.push_back({StressPlan::KeyText(pair.key), plan_.ValueFrom(pair.value)});
  }
  const bool is_one = operation.kind == OpKind::kGet || operation.kind == OpKind::kSnapshot;
  if (is_one && !read.pairs.empty()) read.value = std::move(read.pairs.front().value);
  return read;
}

}  // namespace kiban::suites
