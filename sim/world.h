// THE LOOP: one simulated machine lives from its first boot until its program has nothing left to
// do.
//
// A dead process is never unwound: from the cut on every call of the seam returns kAborted and
// touches nothing, so its tasks run out the way they would after an I/O error. One that does not is
// *stuck*, and so is a living one whose tasks all wait for each other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/env.h"
#include "sim/digest.h"
#include "sim/machine.h"
#include "sim/sim_env.h"
#include "sim/sim_tasks.h"

namespace kiban::sim {

// What runs on the machine, and what watches it. Run() is the process; the rest is told from
// outside.
class Program {
 public:
  virtual ~Program() = default;
  // From each boot on, as the process's first task. Returns when there is nothing left to do, or
  // when the process is dead. It has joined what it spawned.
  virtual void Run(const engine::Env& env) = 0;
  // The process died of this fault; what the machine lost is gone already.
  virtual void Crashed(FaultKind kind) = 0;
};

enum class Ending : uint8_t {
  kFinished,
  kDoesNotRunOut,  // Of a dead process a task made 10,000 steps more, or waits for ever.
  kDeadlock,       // All tasks wait for ever, some for a lock.
  kLostWakeUp,     // All tasks wait for ever, none for a lock.
  kGaveUp,         // The step budget ended: too long a life, or a livelock.
};

// What cuts did, in numbers.
struct CrashCounts {
  uint64_t power_cuts = 0, kills = 0;  // At planned points.
  uint64_t recoveries_cut = 0;
  uint64_t micro_ops_kept = 0, micro_ops_lost = 0, micro_ops_torn = 0;
  std::map<std::string, uint64_t> kept_sets;     // Power cuts, by what became of all they owed.
  std::map<std::string, uint64_t> crash_points;  // By innermost span.
  // Micro-operations that the plan lists for a cut and that were not owed there: a barrier that
  // came in between made them safe.
  uint64_t not_owed = 0;
  std::string first_not_owed;
};

class World {
 public:
  World(Seed seed, const Profile& profile, FaultPlan plan, MachineOptions options);

  // Unless it has finished, the process hangs for ever on its stacks: this process should end soon.
  Ending Live(Program& program);

  // Told by the running program.
  void OperationBegins(uint32_t operation) {
    machine_.striker.OperationBegins();
    machine_.tasks.OperationBegins(operation);
  }
  // Each is true if the machine went down in this moment.
  bool OperationEnds(uint32_t operation);
  bool AllHaveEnded();
  void RecoveryDone() { machine_.striker.RecoveryDone(); }
  bool dead() const { return machine_.dead; }
  uint64_t sync_errors_fired() const { return machine_.striker.sync_errors_fired(); }
  // Into the digest and the timeline.
  void Note(uint64_t subject, uint64_t value, absl::FunctionRef<std::string()> describe) {
    machine_.Note(subject, value, describe);
  }

  // Into the timeline alone.
  void Say(absl::FunctionRef<std::string()> describe) {
    Teller& teller = machine_.teller();
    if (teller.listened_to()) teller.Tell(Told::Kind::kJudge, describe());
  }

  // The life has come to its point; nothing strikes any more.
  void Disarm() { machine_.striker.Disarm(); }

  // After Live().
  const CrashCounts& crash_counts() const { return counts_; }
  // Innermost span of the last cut; empty if there was none, or at rest.
  const std::string& last_crash_span() const { return last_crash_span_; }
  Digest FinishDigest() { return machine_.trace.Finish(); }
  Machine& machine() { return machine_; }
  // What each task that has not ended waits for.
  std::string DescribeTasks() const { return machine_.tasks.Describe(); }

 private:
  Ending RunProcess(Program& program);
  bool DieOf(Cut* cut);
  void Crash();
  void CutPower(Cut& cut);
  void CountKeptSet(uint64_t kept, uint64_t lost, uint64_t torn);
  void Kill(Cut& cut);
  // `implied` is told of each whether it is lost without being listed.
  KeptSet ListedKeptSet(const Cut& cut, std::vector<bool>& implied);
  void Count(const Cut& cut);

  Machine machine_;
  SimFileSystem files_;
  SimClock clock_;
  SimTasks tasks_;
  SimRandom random_;
  CrashCounts counts_;
  std::string last_crash_span_;
};

}  // namespace kiban::sim
