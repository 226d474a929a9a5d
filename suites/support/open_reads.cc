#include "suites/support/open_reads.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace kiban::suites {

void OpenReads::Add(const Operation& operation, WhatWasRead read, Sequence at,
                    const models::KvModel& model) {
  reads_.push_back({model.next_call(), &operation, std::move(read), at});
}

models::Judgement OpenReads::JudgeKnown(const models::KvModel& model) {
  std::vector<Read> open;
  for (Read& read : reads_) {
    if (!model.IsKnown(read.at, read.calls_before)) {
      open.push_back(std::move(read));
      continue;
    }
    ++judged_;
    if (models::Judgement wrong = Judge(read, model)) return wrong;
  }
  reads_ = std::move(open);
  return std::nullopt;
}

models::Judgement OpenReads::Judge(const Read& read, const models::KvModel& model) {
  models::Judgement wrong = model.CheckSequence(read.at);
  if (!wrong.has_value() && read.operation->kind != OpKind::kSnapshot) {
    wrong = JudgeRead(*read.operation, read.read, read.at, model);
  }
  if (wrong.has_value()) {
    wrong->detail = absl::StrCat("op ", read.operation->id, ": ", wrong->detail);
  }
  return wrong;
}

}  // namespace kiban::suites
