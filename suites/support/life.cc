#include "suites/support/life.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "suites/support/client.h"
#include "suites/support/contents.h"
#include "suites/support/formats.h"
#include "suites/support/stage.h"

namespace kiban::suites {
namespace {

constexpr char kDirectory[] = "db";

uint64_t HashOf(const models::Contents& contents) {
  uint64_t hash = contents.size();
  for (const auto& [key, value] : contents) hash = base::Hash64(value, base::Hash64(key, hash));
  return hash;
}

// The program that runs on the simulated machine: one database, its clients, and its judge. The
// process's first task is the program's own; it is the only client of a direct handle, and it
// opens, joins and judges where the clients of a shared one are tasks.
class Life final : public sim::Program {
 public:
  Life(const Plan& plan, const LifeOptions& options);
  LifeReport Live();

 private:
  void Run(const engine::Env& env) override;
  void Crashed(sim::FaultKind kind) override;

  // Each of these returns false when the life cannot go on: the process is dead, or a complaint was
  // made.
  bool Open(const engine::Env& env);
  bool JudgeRecovered();
  bool JudgeEverything(bool recovered);
  bool JudgePresent(const models::Contents& contents);
  void SayWhatIsWanted();
  bool WorkThrough(const engine::Env& env);
  bool Reopen(const engine::Env& env);
  bool CloseHandle();

  void ChangeOptions(const EngineOptions& changed);
  void CountOpened();
  void LetClientsWork(const engine::Env& env, size_t end);
  size_t NextReopen() const;
  void ComplainOfEnding(sim::Ending ending);
  void CloseProcess();
  void LeaveProcess();
  void Report();

  const Plan& plan_;
  Stage stage_;
  std::vector<Client> clients_;
  EngineOptions options_;    // Of the next open.
  std::string_view format_;  // Of the last completed one; empty before it.
  size_t reopened_ = 0;      // Reopens of the plan before this index are done.
  bool closed_ = false;      // The handle, while clients were at work.
};

Life::Life(const Plan& plan, const LifeOptions& options)
    : plan_(plan), stage_(plan, options), options_(plan.options) {
  if (plan.clients == 0) clients_.emplace_back(stage_, 0);
  for (uint32_t number = 1; number <= plan.clients; ++number) clients_.emplace_back(stage_, number);
}

LifeReport Life::Live() {
  const sim::Ending ending = stage_.world.Live(*this);
  if (ending != sim::Ending::kFinished) LeaveProcess();
  ComplainOfEnding(ending);
  Report();
  return std::move(stage_.report);
}

void Life::ComplainOfEnding(sim::Ending ending) {
  switch (ending) {
    case sim::Ending::kFinished:
      return;
    case sim::Ending::kDoesNotRunOut:
      stage_.Complain(Verdict::kStuck, "dead process does not run out",
                      stage_.world.DescribeTasks());
      return;
    case sim::Ending::kDeadlock:
      stage_.Complain(Verdict::kStuck, "deadlock", stage_.world.DescribeTasks());
      return;
    case sim::Ending::kLostWakeUp:
      stage_.Complain(Verdict::kStuck, "lost wake-up", stage_.world.DescribeTasks());
      return;
    case sim::Ending::kGaveUp:
      stage_.Complain(Verdict::kGaveUp, "step budget ended", stage_.world.DescribeTasks());
      return;
  }
}

void Life::Report() {
  sim::World& world = stage_.world;
  LifeReport& report = stage_.report;
  report.digest = world.FinishDigest();
  report.digest_blocks = world.machine().trace.blocks();
  report.schedule = world.machine().tasks.hash();
  report.steps = world.machine().tasks.all_steps();
  sim::Striker& striker = world.machine().striker;
  if (report.verdict == Verdict::kHeld) striker.CountUnstruck();
  report.misfits = striker.misfits();
  report.first_misfit = striker.first_misfit();
  const sim::CrashCounts& crashes = world.crash_counts();
  report.not_owed = crashes.not_owed;
  report.first_not_owed = crashes.first_not_owed;
  LifeCounts& counts = report.counts;
  counts.seam_calls = world.machine().calls;
  counts.power_cuts = crashes.power_cuts;
  counts.kills = crashes.kills;
  counts.recoveries_cut = crashes.recoveries_cut;
  counts.micro_ops_kept = crashes.micro_ops_kept;
  counts.micro_ops_lost = crashes.micro_ops_lost;
  counts.micro_ops_torn = crashes.micro_ops_torn;
  counts.kept_sets = crashes.kept_sets;
  counts.crash_points = crashes.crash_points;
  counts.marks = world.machine().marks();
  counts.sync_errors_armed = plan_.faults.sync_errors.size();
  counts.sync_errors_fired = striker.sync_errors_fired();
  report.resolved = plan_;
  report.resolved.crashes_expected = 0;
  report.resolved.faults = striker.Resolved();
  std::erase_if(report.resolved.boots,
                [&](const auto& boot) { return boot.first > world.machine().boot; });
  if (report.verdict == Verdict::kHeld) return;
  report.resolved.operations.clear();
  for (size_t index = 0; index < plan_.operations.size(); ++index) {
    if (stage_.begun[index]) report.resolved.operations.push_back(plan_.operations[index]);
  }
}

void Life::Run(const engine::Env& env) {
  const bool has_held = stage_.report.verdict == Verdict::kHeld;
  const auto boot = plan_.boots.find(stage_.world.machine().boot);
  if (boot != plan_.boots.end()) ChangeOptions(boot->second);
  if (has_held && Open(env) && JudgeRecovered() && WorkThrough(env)) {
    JudgeEverything(/*recovered=*/false);
  }
  CloseProcess();
}

void Life::Crashed(sim::FaultKind kind) {
  stage_.NoticeErrors();  // A sync may have failed in the very call that the process died after.
  stage_.DropReads();
  closed_ = false;
  if (kind == sim::FaultKind::kKill) {
    stage_.model.Killed();
  } else {
    stage_.model.PowerCut();
  }
}

// Whatever the process holds goes, snapshots before their handle.
void Life::CloseProcess() {
  for (Client& client : clients_) client.ReleaseSnapshots();
  if (stage_.handle == nullptr) return;
  const EngineCounters counters = stage_.handle->counters();
  LifeCounts& counts = stage_.report.counts;
  counts.flushes += counters.flushes;
  counts.compactions += counters.compactions;
  counts.manifests += counters.manifests;
  counts.tables.sst3 += counters.tables.sst3;
  counts.tables.ph2 += counters.tables.ph2;
  counts.tables.ph3 += counters.tables.ph3;
  stage_.handle.reset();
}

// A process that hangs for ever keeps what it has: its stack may be in the middle of using it.
void Life::LeaveProcess() {
  static_cast<void>(stage_.handle.release());
  for (Client& client : clients_) client.LeaveSnapshots();
}

// An open that fails on an injected error is tried again without it before the engine is called
// unavailable. One that succeeds may have met an error all the same, in the background.
bool Life::Open(const engine::Env& env) {
  const Engine& engine = stage_.engine;
  Engine::Open* const open_engine = plan_.clients == 0 ? engine.open : engine.open_shared;
  bool error_fired = false;
  while (stage_.handle == nullptr) {
    absl::StatusOr<std::unique_ptr<EngineUnderTest>> opened =
        open_engine(env, kDirectory, options_, plan_.planted_bug);
    const absl::Status status = opened.status();
    if (status.ok()) stage_.handle = *std::move(opened);
    if (stage_.world.dead()) return false;
    error_fired = stage_.NoticeErrors();
    if (stage_.handle == nullptr && !error_fired) {
      SayWhatIsWanted();
      return stage_.Complain(Verdict::kUnavailable, "open refused", status.ToString());
    }
  }
  stage_.handle_excused = error_fired;
  stage_.closing = stage_.must_reopen = false;
  stage_.world.RecoveryDone();
  CountOpened();
  return true;
}

void Life::ChangeOptions(const EngineOptions& changed) {
  for (const auto& [name, value] : changed) options_[name] = value;
}

void Life::CountOpened() {
  const std::string_view before = std::exchange(format_, FormatOf(stage_.engine, options_));
  stage_.world.Note(base::Hash64(format_), 0, [&] {
    return options_.empty() ? "opened" : absl::StrCat("opened with ", FormatOptions(options_));
  });
  if (before.empty() || format_.empty()) return;
  ++stage_.report.counts.format_pairs[FormatPair(before, format_)];
  if (format_ != before) ++stage_.report.counts.format_switches;
}

bool Life::JudgeRecovered() {
  if (!JudgeEverything(/*recovered=*/true)) return false;
  const sim::Machine& machine = stage_.world.machine();
  sim::Rng dice = machine.rng.Stream("compact-after-recovery").Fork(machine.luck());
  if (!dice.Chance(1, 8)) return true;
  const absl::Status status = stage_.handle->Maintain(Maintenance::kCompact);
  if (stage_.world.dead()) return false;
  stage_.NoticeErrors();
  if (!status.ok()) {
    if (!stage_.handle_excused) return stage_.ComplainOf(status, "compaction failed");
    return true;  // Poisoned by the injected error: the next mutation finds out.
  }
  return JudgeEverything(/*recovered=*/false);
}

bool Life::JudgeEverything(bool recovered) {
  absl::StatusOr<EverythingRead> read = ReadEverything(*stage_.handle, stage_.keys);
  if (stage_.world.dead()) return false;
  if (!read.ok()) return stage_.ComplainOf(read.status(), "read failed");
  if (!stage_.Accept(read->disagreement)) return false;
  const Sequence last_sequence = stage_.handle->last_sequence();
  if (stage_.world.dead()) return false;
  stage_.world.Note(HashOf(read->contents), last_sequence, [&] {
    return absl::StrCat("finds, at sequence ", last_sequence, ", ", Describe(read->contents));
  });
  if (recovered) SayWhatIsWanted();
  if (recovered) return stage_.Accept(stage_.model.Recovered(last_sequence, read->contents));
  const Sequence expected = stage_.model.last_sequence();
  if (stage_.engine.promises.witness && last_sequence != expected) {
    return stage_.Complain(Verdict::kViolated, "last sequence is not the newest write's",
                           absl::StrCat(last_sequence, " instead of ", expected));
  }
  return JudgePresent(read->contents);
}

void Life::SayWhatIsWanted() {
  stage_.world.Say([&] {
    const Sequence least = stage_.model.Floor();
    const Sequence most = std::max(least, stage_.model.last_sequence());
    return absl::StrCat("the model wants, at sequence ", least,
                        most == least ? "" : absl::StrCat(" (or later, to ", most, ")"), ", ",
                        Describe(stage_.model.StateAt(least)));
  });
}

bool Life::JudgePresent(const models::Contents& contents) {
  const Sequence at = stage_.model.last_sequence();
  for (const auto& [key, value] : contents) {
    if (!stage_.Accept(stage_.model.CheckGet(key, at, value))) return false;
  }
  for (const std::string& key : stage_.keys) {
    if (contents.contains(key)) continue;
    if (!stage_.Accept(stage_.model.CheckGet(key, at, std::nullopt))) return false;
  }
  return true;
}

// Clients work between the reopens of the plan, at which all of them have ended.
bool Life::WorkThrough(const engine::Env& env) {
  for (;;) {
    const size_t end = NextReopen();
    LetClientsWork(env, end);
    if (stage_.over()) return false;
    if (stage_.must_reopen && !closed_) {  // It still serves reads, and shows nothing that failed.
      if (!JudgeEverything(/*recovered=*/false) || !Reopen(env)) return false;
      continue;
    }
    if (end == plan_.operations.size()) break;
    reopened_ = end + 1;
    if (!closed_) stage_.BeginOperation(end);
    ChangeOptions(plan_.operations[end].options);
    if (!Reopen(env)) return false;
    stage_.EndOperation(end);
    if (stage_.over()) return false;
  }
  return !stage_.world.AllHaveEnded();
}

size_t Life::NextReopen() const {
  size_t index = reopened_;
  while (index < plan_.operations.size() && plan_.operations[index].kind != OpKind::kReopen) {
    ++index;
  }
  return index;
}

void Life::LetClientsWork(const engine::Env& env, size_t end) {
  if (plan_.clients == 0) return clients_.front().WorkUntil(end);
  std::vector<engine::Tasks::Id> tasks;
  uint32_t number = 0;
  for (Client& client : clients_) {
    ++number;
    if (!client.HasWorkUntil(end)) continue;
    tasks.push_back(env.tasks->Spawn(absl::StrCat("client-", number),
                                     [&client, end] { client.WorkUntil(end); }));
  }
  bool is_first = end < plan_.operations.size() && plan_.operations[end].abrupt;
  for (const engine::Tasks::Id task : tasks) {
    env.tasks->Join(task);
    if (!std::exchange(is_first, false) || stage_.over() || stage_.must_reopen) continue;
    stage_.BeginOperation(end);  // The first has come to it; the others are disturbed.
    stage_.closing = closed_ = true;
    CloseHandle();
  }
}

bool Life::CloseHandle() {
  const absl::Status status = stage_.handle->Close();
  if (stage_.over()) return false;
  stage_.NoticeErrors();
  return status.ok() || stage_.handle_excused || stage_.ComplainOf(status, "close failed");
}

// Without a crash: what a kill leaves at least.
bool Life::Reopen(const engine::Env& env) {
  for (Client& client : clients_) client.ReleaseSnapshots();
  if (!std::exchange(closed_, false) && !CloseHandle()) return false;
  CloseProcess();
  if (stage_.world.dead()) return false;
  ++stage_.report.counts.reopens;
  stage_.model.Killed();
  return Open(env) && JudgeEverything(/*recovered=*/true);
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
  tables.sst3 += other.tables.sst3;
  tables.ph2 += other.tables.ph2;
  tables.ph3 += other.tables.ph3;
  for (const auto& [pair, count] : other.format_pairs) format_pairs[pair] += count;
  format_switches += other.format_switches;
  micro_ops_kept += other.micro_ops_kept;
  micro_ops_lost += other.micro_ops_lost;
  micro_ops_torn += other.micro_ops_torn;
  sync_errors_armed += other.sync_errors_armed;
  sync_errors_fired += other.sync_errors_fired;
  for (const auto& [shape, count] : other.kept_sets) kept_sets[shape] += count;
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
