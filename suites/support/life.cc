#include "suites/support/life.h"

#include <memory>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "models/kv_model.h"
#include "sim/event_kinds.h"
#include "sim/world.h"
#include "suites/support/contents.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/reads.h"

namespace kiban::suites {
namespace {

using models::Judgement;

constexpr char kDirectory[] = "db";

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

std::vector<models::Mutation> MutationsOf(const Operation& operation) {
  if (operation.kind == OpKind::kPut) {
    return {{operation.key, ValueOf(operation.id, 0, operation.value_bytes)}};
  }
  if (operation.kind == OpKind::kDelete) return {{operation.key, std::nullopt}};
  std::vector<models::Mutation> mutations;
  for (const BatchItem& item : operation.batch) {
    models::Mutation& mutation = mutations.emplace_back();
    mutation.key = item.key;
    if (item.value_bytes.has_value()) {
      const auto index = static_cast<uint32_t>(mutations.size() - 1);
      mutation.value = ValueOf(operation.id, index, *item.value_bytes);
    }
  }
  return mutations;
}

uint64_t HashOf(const models::Contents& contents) {
  uint64_t hash = contents.size();
  for (const auto& [key, value] : contents) hash = base::Hash64(value, base::Hash64(key, hash));
  return hash;
}

// The program that runs on the simulated machine: one client of one database, and its judge.
class Life final : public sim::Program {
 public:
  Life(const Plan& plan, const LifeOptions& options)
      : plan_(plan),
        engine_(EngineOf(plan)),
        model_(ModelOptions(engine_.promises)),
        options_(plan.options),
        world_(plan.seed, ProfileOf(plan), plan.faults,
               {.step_budget = options.step_budget,
                .recording = options.recording,
                .on_decision = options.on_decision,
                .on_event = options.on_event}) {}

  LifeReport Live();

 private:
  void Run(const engine::Env& env) override;
  void Crashed(sim::FaultKind kind) override;

  // Each of these returns false when the life cannot go on: the process is dead, or a complaint was
  // made.
  bool Open(const engine::Env& env);
  bool JudgeRecovered();
  bool JudgeEverything(bool recovered);
  bool WorkThrough(const engine::Env& env);
  bool Do(const engine::Env& env, const Operation& operation);
  bool Mutate(const engine::Env& env, const Operation& operation);
  bool Promise(const engine::Env& env, const Operation& operation);
  bool Take(const Operation& operation);
  bool Read(const Operation& operation);
  bool Reopen(const engine::Env& env);
  bool AfterError(const engine::Env& env, const absl::Status& status);

  absl::StatusOr<Sequence> CallMutation(const Operation& operation,
                                        const std::vector<models::Mutation>& mutations);
  absl::Status CallPromise(const Operation& operation);
  bool Accept(const Judgement& judgement);
  bool Complain(Verdict verdict, std::string_view kind, std::string detail);
  bool ComplainOf(const absl::Status& status, std::string_view kind);
  void CloseProcess();
  void LeaveProcess();
  bool NoticeErrors();

  struct HeldSnapshot {
    std::unique_ptr<SnapshotUnderTest> snapshot;
    Sequence sequence;
  };

  const Plan& plan_;
  const Engine& engine_;
  // Every key that a mutation has named so far: what gets are tried with after each recovery. Not
  // those of the whole plan, which a case cuts short behind its failure.
  std::set<std::string> keys_;
  models::KvModel model_;
  EngineOptions options_;  // Of the next open.
  sim::World world_;
  // The process; gone before Run() returns.
  std::unique_ptr<EngineUnderTest> handle_;
  std::map<uint32_t, HeldSnapshot> snapshots_;  // By the operation that took it.

  size_t next_operation_ = 0;
  uint64_t errors_seen_ = 0;     // Of the injected ones.
  bool handle_excused_ = false;  // The open handle has met one.
  LifeReport report_;
};

LifeReport Life::Live() {
  const sim::Ending ending = world_.Live(*this);
  if (ending != sim::Ending::kFinished) LeaveProcess();
  switch (ending) {
    case sim::Ending::kFinished:
      break;
    case sim::Ending::kDoesNotRunOut:
      Complain(Verdict::kStuck, "dead process does not run out", world_.DescribeTasks());
      break;
    case sim::Ending::kDeadlock:
      Complain(Verdict::kStuck, "deadlock", world_.DescribeTasks());
      break;
    case sim::Ending::kLostWakeUp:
      Complain(Verdict::kStuck, "lost wake-up", world_.DescribeTasks());
      break;
    case sim::Ending::kGaveUp:
      Complain(Verdict::kGaveUp, "step budget ended", world_.DescribeTasks());
      break;
  }
  report_.digest = world_.FinishDigest();
  report_.digest_blocks = world_.machine().trace.blocks();
  sim::Striker& striker = world_.machine().striker;
  if (report_.verdict == Verdict::kHeld) striker.CountUnstruck();
  report_.misfits = striker.misfits();
  report_.first_misfit = striker.first_misfit();
  report_.not_owed = world_.crash_counts().not_owed;
  report_.first_not_owed = world_.crash_counts().first_not_owed;
  LifeCounts& counts = report_.counts;
  const sim::CrashCounts& crashes = world_.crash_counts();
  counts.seam_calls = world_.machine().calls;
  counts.power_cuts = crashes.power_cuts;
  counts.kills = crashes.kills;
  counts.recoveries_cut = crashes.recoveries_cut;
  counts.micro_ops_kept = crashes.micro_ops_kept;
  counts.micro_ops_lost = crashes.micro_ops_lost;
  counts.micro_ops_torn = crashes.micro_ops_torn;
  counts.crash_points = crashes.crash_points;
  counts.marks = world_.machine().marks();
  counts.sync_errors_armed = plan_.faults.sync_errors.size();
  counts.sync_errors_fired = striker.sync_errors_fired();
  report_.resolved = plan_;
  report_.resolved.crashes_expected = 0;
  report_.resolved.faults = striker.Resolved();
  if (report_.verdict != Verdict::kHeld) report_.resolved.operations.resize(next_operation_);
  return std::move(report_);
}

void Life::Run(const engine::Env& env) {
  if (report_.verdict == Verdict::kHeld && Open(env) && JudgeRecovered() && WorkThrough(env)) {
    JudgeEverything(/*recovered=*/false);
  }
  CloseProcess();
}

void Life::Crashed(sim::FaultKind kind) {
  NoticeErrors();  // A sync may have failed in the very call that the process died after.
  if (kind == sim::FaultKind::kKill) {
    model_.Killed();
  } else {
    model_.PowerCut();
  }
}

bool Life::Complain(Verdict verdict, std::string_view kind, std::string detail) {
  report_.verdict = verdict;
  report_.complaint = kind;
  report_.detail = std::move(detail);
  report_.crash_span = world_.last_crash_span();
  world_.Disarm();
  world_.machine().trace.Add({.kind = sim::kVerdictEvent,
                              .time = world_.machine().now,
                              .subject = static_cast<uint64_t>(verdict),
                              .first = base::Hash64(kind),
                              .second = 0,
                              .result = 0});
  return false;
}

bool Life::ComplainOf(const absl::Status& status, std::string_view kind) {
  const bool refused = status.code() == absl::StatusCode::kDataLoss;
  return Complain(refused ? Verdict::kUnavailable : Verdict::kViolated,
                  refused ? "data loss reported where nothing was damaged" : kind,
                  status.ToString());
}

bool Life::Accept(const Judgement& judgement) {
  if (!judgement.has_value()) return true;
  const bool undecided = judgement->kind == models::kUndecided;
  return Complain(undecided ? Verdict::kGaveUp : Verdict::kViolated, judgement->kind,
                  judgement->detail);
}

// Whatever the process holds goes, snapshots before their handle.
void Life::CloseProcess() {
  snapshots_.clear();
  if (handle_ == nullptr) return;
  const EngineCounters counters = handle_->counters();
  report_.counts.flushes += counters.flushes;
  report_.counts.compactions += counters.compactions;
  report_.counts.manifests += counters.manifests;
  handle_.reset();
}

// A process that hangs for ever keeps what it has: its stack may be in the middle of using it.
void Life::LeaveProcess() {
  static_cast<void>(handle_.release());
  for (auto& [operation, held] : snapshots_) static_cast<void>(held.snapshot.release());
}

// Whether an injected error has fired since this was asked last. From then on what is acknowledged
// and not durable is in doubt, and the handle that met it may refuse everything.
bool Life::NoticeErrors() {
  if (world_.sync_errors_fired() == errors_seen_) return false;
  errors_seen_ = world_.sync_errors_fired();
  model_.SyncFailed();
  handle_excused_ = true;
  return true;
}

// An open that fails on an injected error is tried again without it before the engine is called
// unavailable.
bool Life::Open(const engine::Env& env) {
  for (;;) {
    absl::StatusOr<std::unique_ptr<EngineUnderTest>> opened =
        engine_.open(env, kDirectory, options_, plan_.planted_bug);
    const absl::Status status = opened.status();
    if (status.ok()) handle_ = *std::move(opened);
    if (world_.dead()) return false;
    const bool error_fired = NoticeErrors();
    if (handle_ != nullptr) break;
    if (!error_fired) {
      return Complain(Verdict::kUnavailable, "open refused", status.ToString());
    }
  }
  handle_excused_ = false;
  world_.RecoveryDone();
  return true;
}

bool Life::JudgeRecovered() {
  if (!JudgeEverything(/*recovered=*/true)) return false;
  sim::Rng dice = world_.machine().rng.Stream("compact-after-recovery").Fork(world_.machine().boot);
  if (!dice.Chance(1, 8)) return true;
  const absl::Status status = handle_->Maintain(Maintenance::kCompact);
  if (world_.dead()) return false;
  NoticeErrors();
  if (!status.ok()) {
    if (!handle_excused_) return ComplainOf(status, "compaction failed");
    return true;  // Poisoned by the injected error: the next mutation finds out.
  }
  return JudgeEverything(/*recovered=*/false);
}

bool Life::JudgeEverything(bool recovered) {
  absl::StatusOr<EverythingRead> read = ReadEverything(*handle_, keys_);
  if (world_.dead()) return false;
  if (!read.ok()) return ComplainOf(read.status(), "read failed");
  if (!Accept(read->disagreement)) return false;
  const Sequence last_sequence = handle_->last_sequence();
  world_.Note(HashOf(read->contents), last_sequence, [&] {
    return absl::StrCat("reads ", read->contents.size(), " keys at sequence ", last_sequence);
  });
  if (recovered) return Accept(model_.Recovered(last_sequence, read->contents));
  if (engine_.promises.witness && last_sequence != model_.last_sequence()) {
    return Complain(Verdict::kViolated, "last sequence is not the newest write's",
                    absl::StrCat(last_sequence, " instead of ", model_.last_sequence()));
  }
  for (const auto& [key, value] : read->contents) {
    if (!Accept(model_.CheckGet(key, model_.last_sequence(), value))) return false;
  }
  for (const std::string& key : keys_) {
    if (read->contents.contains(key)) continue;
    if (!Accept(model_.CheckGet(key, model_.last_sequence(), std::nullopt))) return false;
  }
  return true;
}

bool Life::WorkThrough(const engine::Env& env) {
  uint32_t last_id = 0;
  while (next_operation_ < plan_.operations.size()) {
    const Operation& operation = plan_.operations[next_operation_++];
    last_id = operation.id;
    world_.OperationBegins(operation.id);
    world_.Note(operation.id, static_cast<uint64_t>(operation.kind), [&] {
      std::string text = "op ";
      AppendText(text, operation);
      return text;
    });
    ++report_.counts.operations;
    if (!Do(env, operation)) return false;
    const bool last = next_operation_ == plan_.operations.size();
    if (!last && world_.OperationEnds(operation.id, /*last=*/false)) return false;
  }
  return !world_.OperationEnds(last_id, /*last=*/true);
}

bool Life::Do(const engine::Env& env, const Operation& operation) {
  switch (operation.kind) {
    case OpKind::kPut:
    case OpKind::kDelete:
    case OpKind::kBatch:
      return Mutate(env, operation);
    case OpKind::kGet:
    case OpKind::kScan:
    case OpKind::kLatest:
    case OpKind::kCursor:
      return Read(operation);
    case OpKind::kSnapshot:
      return Take(operation);
    case OpKind::kRelease:
      snapshots_.erase(operation.snapshot);
      return true;
    case OpKind::kSync:
    case OpKind::kFlush:
    case OpKind::kCompact:
      return Promise(env, operation);
    case OpKind::kReopen:
      for (const auto& [name, value] : operation.options) options_[name] = value;
      return Reopen(env);
  }
  CHECK(false);
}

absl::StatusOr<Sequence> Life::CallMutation(const Operation& operation,
                                            const std::vector<models::Mutation>& mutations) {
  if (operation.kind == OpKind::kPut) {
    return handle_->Put(operation.key, *mutations[0].value, operation.durability);
  }
  if (operation.kind == OpKind::kDelete)
    return handle_->Remove(operation.key, operation.durability);
  std::vector<Mutation> batch;
  batch.reserve(mutations.size());
  for (const models::Mutation& mutation : mutations)
    batch.push_back({mutation.key, mutation.value});
  return handle_->Write(batch, operation.durability);
}

bool Life::Mutate(const engine::Env& env, const Operation& operation) {
  const std::vector<models::Mutation> mutations = MutationsOf(operation);
  for (const models::Mutation& mutation : mutations) keys_.insert(mutation.key);
  const models::KvModel::CallId call = model_.Begin(absl::StrCat("op ", operation.id), mutations);
  const absl::StatusOr<Sequence> first = CallMutation(operation, mutations);
  if (world_.dead()) {
    model_.Fail(call);  // Nothing that a dead process is told is believed.
    return false;
  }
  world_.Note(operation.id, first.ok() ? *first : 0, [&] {
    return first.ok() ? absl::StrCat("  = sequence ", *first) : first.status().ToString();
  });
  if (first.ok()) {
    const bool synced = operation.durability == Durability::kSynced;
    const Judgement judgement = model_.Acknowledge(call, *first, synced);
    NoticeErrors();
    return Accept(judgement);
  }
  const bool refused = first.status().code() == absl::StatusCode::kFailedPrecondition ||
                       first.status().code() == absl::StatusCode::kInvalidArgument;
  if (refused) {
    model_.Refuse(call);
  } else {
    model_.Fail(call);
  }
  return AfterError(env, first.status());
}

absl::Status Life::CallPromise(const Operation& operation) {
  if (operation.kind == OpKind::kSync) return handle_->Sync();
  return handle_->Maintain(operation.kind == OpKind::kFlush ? Maintenance::kFlush
                                                            : Maintenance::kCompact);
}

bool Life::Promise(const engine::Env& env, const Operation& operation) {
  const Sequence barrier = model_.BeginBarrier();
  const absl::Status status = CallPromise(operation);
  if (world_.dead()) return false;
  if (!status.ok()) return AfterError(env, status);
  model_.BarrierHeld(barrier);
  NoticeErrors();
  return true;
}

bool Life::Take(const Operation& operation) {
  std::unique_ptr<SnapshotUnderTest> snapshot = handle_->TakeSnapshot();
  if (world_.dead()) return false;
  if (snapshot == nullptr) {
    return Complain(Verdict::kViolated, "promised and not given", "a snapshot");
  }
  const Sequence sequence =
      engine_.promises.witness ? snapshot->sequence() : model_.last_sequence();
  snapshots_[operation.id] = {std::move(snapshot), sequence};
  return Accept(model_.CheckSnapshot(sequence));
}

bool Life::Read(const Operation& operation) {
  const SnapshotUnderTest* snapshot = nullptr;
  Sequence at = model_.last_sequence();
  if (operation.snapshot != 0) {
    const auto held = snapshots_.find(operation.snapshot);
    if (held == snapshots_.end()) return true;  // It ended with its process.
    snapshot = held->second.snapshot.get();
    at = held->second.sequence;
  }
  const absl::StatusOr<Judgement> judgement =
      ReadAndJudge(*handle_, operation, snapshot, at, model_);
  if (world_.dead()) return false;
  if (!judgement.ok()) return ComplainOf(judgement.status(), "read failed");
  return Accept(*judgement);
}

// Without a crash: what a kill leaves at least.
bool Life::Reopen(const engine::Env& env) {
  snapshots_.clear();
  const absl::Status status = handle_->Close();
  NoticeErrors();
  if (!world_.dead() && !status.ok() && !handle_excused_) return ComplainOf(status, "close failed");
  CloseProcess();
  if (world_.dead()) return false;
  ++report_.counts.reopens;
  model_.Killed();
  return Open(env) && JudgeEverything(/*recovered=*/true);
}

// Only an injected error excuses an error. The handle still serves reads, and shows nothing of the
// call that failed; then the user reopens.
bool Life::AfterError(const engine::Env& env, const absl::Status& status) {
  NoticeErrors();
  if (!handle_excused_) return ComplainOf(status, "call failed without a fault");
  return JudgeEverything(/*recovered=*/false) && Reopen(env);
}

}  // namespace

LifeCounts& LifeCounts::operator+=(const LifeCounts& other) {
  operations += other.operations;
  seam_calls += other.seam_calls;
  power_cuts += other.power_cuts;
  kills += other.kills;
  recoveries_cut += other.recoveries_cut;
  reopens += other.reopens;
  flushes += other.flushes;
  compactions += other.compactions;
  manifests += other.manifests;
  micro_ops_kept += other.micro_ops_kept;
  micro_ops_lost += other.micro_ops_lost;
  micro_ops_torn += other.micro_ops_torn;
  sync_errors_armed += other.sync_errors_armed;
  sync_errors_fired += other.sync_errors_fired;
  for (const auto& [span, count] : other.crash_points) crash_points[span] += count;
  for (const auto& [mark, count] : other.marks) marks[mark] += count;
  return *this;
}

std::string LifeReport::Signature() const {
  if (verdict == Verdict::kHeld) return "held";
  std::string signature = absl::StrCat(base::ToAbsl(Name(verdict)), ": ", complaint);
  if (!crash_span.empty()) absl::StrAppend(&signature, ": ", crash_span);
  return signature;
}

LifeReport RunLife(const Plan& plan, const LifeOptions& options) {
  return std::make_unique<Life>(plan, options)->Live();
}

}  // namespace kiban::suites
