#include "suites/realfs/stress_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/posix/posix_env.h"
#include "suites/support/contents.h"
#include "suites/support/mutations.h"
#include "suites/support/reads.h"

namespace kiban::suites {
namespace {

class StressProcess {
 public:
  StressProcess(const Engine& engine, const StressPlan& plan, uint32_t round,
                const std::string& dir, RoundLog& log)
      : engine_(engine), plan_(plan), round_(round), world_(dir), log_(log) {}

  void Run(StressEnd end) {
    auto opened = engine_.open_shared(world_.env(), "db", plan_.OptionsOf(round_), "");
    if (!opened.ok()) Complain("open failed", opened.status().ToString());
    db_ = *std::move(opened);
    TellRecovery();
    if (end == StressEnd::kClosed) {
      const absl::Status closed = db_->Close();
      if (!closed.ok()) Complain("close failed", closed.ToString());
      return;
    }
    for (uint32_t task = 0; task < kStressTasks; ++task) {
      const std::string_view name = task < kStressWriters ? "writer" : "reader";
      world_.env().tasks->Spawn(name, [this, task] { Work(task); });
    }
    while (true)
      ::pause();  // The tasks end when they have nothing left to do; the process does not.
  }

 private:
  [[noreturn]] void Complain(std::string_view kind, std::string_view detail) {
    static std::atomic<bool> is_taken{false};
    if (!is_taken.exchange(true)) {
      const std::string text = absl::StrCat(base::ToAbsl(kind), ": ", base::ToAbsl(detail));
      text.copy(log_.complaint.data(), log_.complaint.size() - 1);
      log_.has_complaint.store(true);
      ::_exit(1);
    }
    while (true) ::pause();  // Another task is about to end the process.
  }

  void TellRecovery() {
    std::set<std::string> keys;
    for (uint32_t key = 0; key < kStressKeys; ++key) keys.insert(StressPlan::KeyText(key));
    const Sequence last_sequence = db_->last_sequence();
    const auto everything = ReadEverything(*db_, keys);
    if (!everything.ok()) Complain("read failed", everything.status().ToString());
    if (everything->disagreement.has_value()) {
      Complain(everything->disagreement->kind, everything->disagreement->detail);
    }
    log_.recovery.last_sequence = last_sequence;
    for (const auto& [key, value] : everything->contents) {
      const FoundPair pair = PairOf(key, value);
      log_.recovery.values[pair.key] = pair.value;
    }
    log_.recovery.is_complete.store(true);
  }

  FoundPair PairOf(std::string_view key, std::string_view value) {
    const uint32_t number = StressPlan::KeyNumber(key);
    if (number == kStressKeys) Complain("unexpected key", models::Quote(key));
    const auto origin = plan_.OriginOf(key, value);
    if (!origin.has_value()) {
      Complain("unexpected value",
               absl::StrCat(base::ToAbsl(key), " = ", models::Quote(value), ": nobody wrote that"));
    }
    return {number, *origin};
  }

  void Work(uint32_t task) {
    for (uint32_t index = 0; index < kStressCallsMax; ++index) {
      const StressCall number{round_, task, index};
      const Operation operation = plan_.OperationOf(number);
      LoggedCall& call = log_.calls[task][index];
      call.called.store(NextTicket());
      if (task < kStressWriters) ++log_.writes;
      const absl::Status status =
          task < kStressWriters ? Write(operation, call) : Read(operation, call);
      if (!status.ok()) Complain("call failed without a fault", status.ToString());
      call.returned.store(NextTicket());
      Rest(plan_.RestOf(number));
    }
  }

  void Rest(base::Ticks ticks) {
    if (ticks == 0) return;
    const engine::Env env = world_.env();
    env.tasks->SleepUntil(env.clock->MonotonicNow() + ticks);
  }

  uint64_t NextTicket() { return log_.tickets.fetch_add(1) + 1; }

  absl::Status Write(const Operation& operation, LoggedCall& call) {
    if (operation.kind == OpKind::kSync) return db_->Sync();
    if (operation.kind == OpKind::kFlush) return db_->Maintain(Maintenance::kFlush);
    if (operation.kind == OpKind::kCompact) return db_->Maintain(Maintenance::kCompact);
    ASSIGN_OR_RETURN(call.sequence, CallMutation(*db_, operation, MutationsOf(operation)));
    return absl::OkStatus();
  }

  absl::Status Read(const Operation& operation, LoggedCall& call) {
    if (operation.kind == OpKind::kSnapshot) return ReadAtSnapshot(operation, call);
    ASSIGN_OR_RETURN(const WhatWasRead read, ReadFrom(*db_, operation, nullptr));
    call.sequence = read.at;
    if (read.value.has_value()) TellPair(call, operation.key, *read.value);
    for (const KeyValue& pair : read.pairs) TellPair(call, pair.key, pair.value);
    return absl::OkStatus();
  }

  absl::Status ReadAtSnapshot(const Operation& operation, LoggedCall& call) {
    const auto snapshot = db_->TakeSnapshot();
    if (snapshot == nullptr) return absl::UnimplementedError("no snapshot was given");
    call.sequence = snapshot->sequence();
    world_.env().tasks->Yield();
    ASSIGN_OR_RETURN(const auto value, db_->Get(operation.key, snapshot.get(), nullptr));
    if (value.has_value()) TellPair(call, operation.key, *value);
    return absl::OkStatus();
  }

  void TellPair(LoggedCall& call, std::string_view key, std::string_view value) {
    if (call.pair_count == kStressPairsMax) Complain("wrong scan", "more pairs than asked for");
    call.pairs[call.pair_count++] = PairOf(key, value);
  }

  const Engine& engine_;
  const StressPlan& plan_;
  const uint32_t round_;
  posix::PosixEnv world_;
  RoundLog& log_;
  std::unique_ptr<EngineUnderTest> db_;
};

}  // namespace

void RunStressProcess(const Engine& engine, const StressPlan& plan, uint32_t round, StressEnd end,
                      const std::string& dir, RoundLog& log) {
  CHECK(::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);  // Nobody would end it otherwise.
  {
    StressProcess process(engine, plan, round, dir, log);
    process.Run(end);
  }
  ::_exit(0);
}

}  // namespace kiban::suites
