#include "suites/support/client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "suites/support/mutations.h"

namespace kiban::suites {
namespace {

constexpr std::string_view kCallFailed = "call failed without a fault";
constexpr std::string_view kReadFailed = "read failed";

}  // namespace
Client::Client(Stage& stage, uint32_t number) : stage_(stage) {
  const std::vector<Operation>& operations = stage.plan.operations;
  for (size_t index = 0; index < operations.size(); ++index) {
    const Operation& operation = operations[index];
    if (operation.client == number && operation.kind != OpKind::kReopen) {
      operations_.push_back(index);
    }
  }
}

bool Client::HasWorkUntil(size_t end) const {
  return next_ < operations_.size() && operations_[next_] < end;
}

void Client::WorkUntil(size_t end) {
  while (HasWorkUntil(end) && !stage_.over() && !stage_.must_reopen) {
    const size_t index = operations_[next_++];
    Do(stage_.BeginOperation(index));
    stage_.EndOperation(index);
  }
}

void Client::LeaveSnapshots() {
  for (auto& [operation, held] : snapshots_) static_cast<void>(held.snapshot.release());
}

void Client::Do(const Operation& operation) {
  switch (operation.kind) {
    case OpKind::kPut:
    case OpKind::kDelete:
    case OpKind::kBatch:
      return Mutate(operation);
    case OpKind::kGet:
    case OpKind::kScan:
    case OpKind::kLatest:
    case OpKind::kCursor:
      return Read(operation);
    case OpKind::kSnapshot:
      return Take(operation);
    case OpKind::kRelease:
      snapshots_.erase(operation.snapshot);
      return;
    case OpKind::kSync:
    case OpKind::kFlush:
    case OpKind::kCompact:
      return Promise(operation);
    case OpKind::kReopen:
      CHECK(false);  // Nobody's own.
  }
}

void Client::Mutate(const Operation& operation) {
  models::KvModel& model = stage_.model;
  const std::vector<models::Mutation> mutations = MutationsOf(operation);
  for (const models::Mutation& mutation : mutations) stage_.keys.insert(mutation.key);
  const models::KvModel::CallId call = model.Begin(absl::StrCat("op ", operation.id), mutations);
  const absl::StatusOr<Sequence> first = CallMutation(*stage_.handle, operation, mutations);
  if (stage_.over()) return model.Fail(call);  // Nothing that a dead process is told is believed.
  stage_.world.Note(operation.id, first.ok() ? *first : 0, [&] {
    return first.ok() ? absl::StrCat("  = sequence ", *first) : first.status().ToString();
  });
  if (first.ok()) {
    const bool synced = operation.durability == Durability::kSynced;
    const models::Judgement judgement = model.Acknowledge(call, *first, synced);
    stage_.NoticeErrors();
    if (stage_.Accept(judgement)) stage_.JudgeKnownReads();
    return;
  }
  const bool refused = first.status().code() == absl::StatusCode::kFailedPrecondition ||
                       first.status().code() == absl::StatusCode::kInvalidArgument;
  if (refused) {
    model.Refuse(call);
  } else {
    model.Fail(call);
  }
  if (stage_.JudgeKnownReads()) stage_.AfterError(first.status(), kCallFailed);
}

absl::Status Client::CallPromise(const Operation& operation) {
  if (operation.kind == OpKind::kSync) return stage_.handle->Sync();
  return stage_.handle->Maintain(operation.kind == OpKind::kFlush ? Maintenance::kFlush
                                                                  : Maintenance::kCompact);
}

void Client::Promise(const Operation& operation) {
  const Sequence barrier = stage_.model.BeginBarrier();
  const absl::Status status = CallPromise(operation);
  if (stage_.over()) return;
  stage_.world.Note(operation.id, static_cast<uint64_t>(status.code()),
                    [&] { return absl::StrCat("  = ", status.ToString()); });
  if (!status.ok()) return stage_.AfterError(status, kCallFailed);
  stage_.model.BarrierHeld(barrier);
  stage_.NoticeErrors();
}

void Client::Take(const Operation& operation) {
  const Sequence least = stage_.model.NewestSeen();
  std::unique_ptr<SnapshotUnderTest> snapshot = stage_.handle->TakeSnapshot();
  if (snapshot == nullptr) {
    if (!stage_.over()) {
      stage_.Complain(Verdict::kViolated, "promised and not given", "a snapshot");
    }
    return;
  }
  const bool has_witness = stage_.engine.promises.witness;
  const Sequence at = has_witness ? snapshot->sequence() : stage_.model.last_sequence();
  snapshots_[operation.id] = {std::move(snapshot), at};
  if (stage_.over()) return;
  stage_.world.Note(operation.id, at, [&] { return absl::StrCat("  = at sequence ", at); });
  if (!stage_.Accept(stage_.model.Saw(at, least))) return;
  stage_.JudgeWhenKnown(operation, {}, at);
}

void Client::Read(const Operation& operation) {
  Sequence least = stage_.model.NewestSeen();
  const SnapshotUnderTest* snapshot = nullptr;
  Sequence at = stage_.model.last_sequence();  // Of an engine without a witness.
  if (operation.snapshot != 0) {
    const auto held = snapshots_.find(operation.snapshot);
    if (held == snapshots_.end()) return;  // It ended with its process.
    snapshot = held->second.snapshot.get();
    at = least = held->second.sequence;
  }
  absl::StatusOr<WhatWasRead> read = ReadFrom(*stage_.handle, operation, snapshot);
  if (stage_.over()) return;
  if (!read.ok()) return AfterReadError(read.status());
  if (snapshot == nullptr && stage_.engine.promises.witness) at = read->at;
  stage_.world.Note(HashOf(*read), at,
                    [&] { return absl::StrCat("  = ", Describe(*read), " at sequence ", at); });
  MarkReadDuringPublication();
  if (stage_.Accept(stage_.model.Saw(at, least))) {
    stage_.JudgeWhenKnown(operation, *std::move(read), at);
  }
}

// A handle that has met an error goes on serving reads; only one that is closed does not.
void Client::AfterReadError(const absl::Status& status) {
  if (stage_.closing) {
    stage_.AfterError(status, kReadFailed);
  } else {
    stage_.ComplainOf(status, kReadFailed);
  }
}

void Client::MarkReadDuringPublication() {
  const auto& spans = stage_.engine.publication_spans;
  const bool is_during = stage_.world.machine().AnyOtherTaskIn([&](std::string_view span) {
    return std::find(spans.begin(), spans.end(), span) != spans.end();
  });
  if (is_during) MARK("read.during_publication");
}

}  // namespace kiban::suites
