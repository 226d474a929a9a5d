// The tasks of the running process: fibers in one thread, of which one runs at a time. A task gives
// way only here: at a call of the seam, an access to an Atomic, a wait. Which one goes on is asked
// of a Schedule.
//
// Virtual time stands still while any task can run, and jumps to the next deadline when all wait.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/hooks.h"
#include "engine/base/ticks.h"
#include "engine/env.h"
#include "sim/fiber.h"
#include "sim/schedule.h"
#include "sim/schedules/choices.h"
#include "sim/spans.h"
#include "sim/trace.h"

namespace kiban::sim {

struct Task {
  explicit Task(uint32_t number) : spans(number) {}

  enum class State : uint8_t { kReady, kWaiting, kDone };
  // What it waits for beside its deadline.
  enum class Wait : uint8_t { kTime, kLock, kCondition, kJoin };

  std::string name;
  Candidate candidate;
  Spans spans;
  std::unique_ptr<Fiber> fiber;
  State state = State::kReady;
  // While it waits:
  Wait wait = Wait::kTime;
  std::string_view awaited;        // The name of the lock or condition; empty if it has none.
  const uint32_t* word = nullptr;  // kLock, kCondition.
  engine::Tasks::Id joined = 0;    // kJoin.
  base::Ticks deadline = engine::Tasks::kForever;
  // Of a call of the seam whose work is done: until it returns.
  base::Ticks call_ticks_left = 0;
  uint64_t dead_steps = 0;  // Since its process died.
};

class Scheduler {
 public:
  using Id = engine::Tasks::Id;  // From 1, in the order of Spawn().

  enum class Outcome : uint8_t {
    kAllDone,
    kAllWait,     // For ever: nobody is left to wake anybody, and there is no deadline.
    kRunsOn,      // A task of a dead process made 10,000 steps and did not end.
    kOutOfSteps,  // The life's budget is used up.
  };

  // `now` is the machine's time, which jumps here; `trace` is told of every change of tasks.
  Scheduler(Schedule& schedule, base::Ticks& now, Trace& trace, uint64_t step_budget)
      : schedule_(schedule), now_(now), trace_(trace), step_budget_(step_budget) {}

  // A new process, without tasks. The tasks of the old one have ended, or were left for ever.
  void Boot(const Rng& rng);
  Id Spawn(std::string_view name, std::function<void()> body);
  // Runs the tasks until none is left that can. Those that have not ended then hang for ever.
  Outcome Run();

  // From inside a task. Each may let others run, during which the process may die.
  void LetOthersRun();
  void SleepFor(base::Ticks ticks);
  void SleepUntil(base::Ticks deadline);
  void Join(Id id);
  void Park(const uint32_t* word, uint32_t expected, base::Ticks deadline);
  void Unpark(const uint32_t* word, uint32_t task_count_max);
  // The running task comes to an operation, by which its luck is keyed from here on.
  void OperationBegins(uint64_t operation);
  // Says what the next Park() waits for.
  void AboutToWait(base::WaitKind kind, std::string_view name);

  // From here on the tasks are to end: nothing is held up or recorded any more.
  void ProcessDied() {
    dead_ = true;
    died_at_ = now_;
  }

  Task& current() { return *current_; }
  const Task& current() const { return *current_; }
  // None is, before the first of a process has begun.
  bool has_current() const { return current_ != nullptr; }
  bool alone() const { return alive_ <= 1; }
  // Tasks that were ever there.
  const std::vector<std::unique_ptr<Task>>& tasks() const { return tasks_; }
  // Moments in which another task might have run, in living processes.
  uint64_t steps() const { return steps_; }
  // All that could be drawn, by process and task; nothing of processes with one task.
  std::vector<DrawnSteps> all_steps() const;
  // Of the order in which tasks ran, from the first boot on.
  uint64_t hash() const { return hash_; }

  // "client-1 waits for condition lsm.room in write.stall", one line a task that has not ended.
  std::string Describe() const;
  // Whether some task waits for a lock: a deadlock rather than a lost wake-up.
  bool WaitsForLock() const;

 private:
  void AppendSteps(const Task& task, std::vector<DrawnSteps>& to) const;
  void CountStep();
  [[noreturn]] void GiveUp(Outcome outcome);
  bool IsDisturbed() const { return !dead_ && !alone(); }
  Task* Next();
  Outcome RunUntilNoneCan();
  void SwitchTo(Task& next);
  void Wait(base::Ticks deadline);
  void Wake(Task& task);
  void Unready(const Task& task);
  bool JumpToNextDeadline();
  void Finish(Task& task);

  Schedule& schedule_;
  base::Ticks& now_;
  Trace& trace_;
  const uint64_t step_budget_;
  std::vector<std::unique_ptr<Task>> tasks_;
  std::vector<Task*> ready_;            // In no order that matters but a fixed one.
  std::vector<Candidate*> candidates_;  // Of `ready_`.
  std::map<std::string, uint64_t, std::less<>> spawned_;  // How often each name.
  Task* current_ = nullptr;
  Task* next_ = nullptr;
  uint64_t alive_ = 0;
  std::optional<Outcome> gave_up_;
  bool dead_ = false;
  base::Ticks died_at_ = 0;
  uint32_t boot_ = 0;
  std::vector<DrawnSteps> steps_made_;  // Until an operation began or a task ended.
  uint64_t steps_ = 0;
  uint64_t hash_ = 0;
};

}  // namespace kiban::sim
