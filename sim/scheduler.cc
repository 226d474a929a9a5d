#include "sim/scheduler.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "sim/event_kinds.h"

namespace kiban::sim {
namespace {

constexpr uint64_t kDeadStepsMax = 10'000;
constexpr uint64_t kOddsOfWakingForNoReason = 64;

void AppendWait(std::string& to, const Task& task, const std::vector<std::unique_ptr<Task>>& all) {
  switch (task.wait) {
    case Task::Wait::kTime:
      absl::StrAppend(&to, " sleeps");
      break;
    case Task::Wait::kLock:
      absl::StrAppend(&to, " waits for the lock ", base::ToAbsl(task.awaited));
      break;
    case Task::Wait::kCondition:
      absl::StrAppend(&to, " waits for ",
                      task.awaited.empty() ? "a word" : base::ToAbsl(task.awaited));
      break;
    case Task::Wait::kJoin:
      absl::StrAppend(&to, " joins ", all[task.joined - 1]->name);
      break;
  }
  if (task.deadline != engine::Tasks::kForever) {
    absl::StrAppend(&to, " until ", task.deadline);
  }
}

}  // namespace

void Scheduler::Boot(const Rng& rng) {
  CHECK(alive_ == 0);
  ++boot_;
  tasks_.clear();
  ready_.clear();
  candidates_.clear();
  spawned_.clear();
  current_ = next_ = nullptr;
  dead_ = false;
  schedule_.Begin(rng);
}

void Scheduler::AppendSteps(const Task& task, std::vector<DrawnSteps>& to) const {
  if (tasks_.size() <= 1) return;
  to.push_back({.boot = boot_,
                .task = task.name,
                .operation = task.candidate.operation,
                .from = 0,
                .to = task.candidate.steps});
}

std::vector<DrawnSteps> Scheduler::all_steps() const {
  std::vector<DrawnSteps> all = steps_made_;
  for (const auto& task : tasks_) {
    if (task->state != Task::State::kDone) AppendSteps(*task, all);
  }
  return all;
}

void Scheduler::OperationBegins(uint64_t operation) {
  AppendSteps(*current_, steps_made_);
  current_->candidate.operation = operation;
  current_->candidate.steps = 0;
  current_->spans.ForgetOccurrences();
}

Scheduler::Id Scheduler::Spawn(std::string_view name, std::function<void()> body) {
  auto task = std::make_unique<Task>(static_cast<uint32_t>(tasks_.size() + 1));
  const auto known = spawned_.try_emplace(std::string(name), 0).first;
  const uint64_t nth = ++known->second;
  task->name = nth == 1 ? std::string(name) : absl::StrCat(base::ToAbsl(name), "#", nth);
  // The first task has key 0: what it draws is what a process without other tasks draws.
  task->candidate.key = tasks_.empty() ? 0 : base::Label::Hash(task->name);
  task->fiber = std::make_unique<Fiber>(std::move(body));
  tasks_.push_back(std::move(task));
  ++alive_;
  ready_.push_back(tasks_.back().get());
  candidates_.push_back(&tasks_.back()->candidate);
  return tasks_.size();
}

Scheduler::Outcome Scheduler::Run() {
  const Outcome outcome = RunUntilNoneCan();
  if (dead_) now_ = died_at_;  // What a dead process does takes no time.
  if (outcome == Outcome::kAllDone) return outcome;
  for (const auto& task : tasks_) {
    if (task->state != Task::State::kDone) task->fiber->Abandon();
  }
  return outcome;
}

Scheduler::Outcome Scheduler::RunUntilNoneCan() {
  for (;;) {
    Task* next = std::exchange(next_, nullptr);
    if (next == nullptr) next = Next();
    if (next == nullptr) return alive_ == 0 ? Outcome::kAllDone : Outcome::kAllWait;
    SwitchTo(*next);
    next->fiber->Resume();
    if (gave_up_.has_value()) return *gave_up_;
    if (next->fiber->done()) Finish(*next);
  }
}

// The task to make the next step, null if none ever will.
Task* Scheduler::Next() {
  if (ready_.empty() && !JumpToNextDeadline()) return nullptr;
  return ready_[ready_.size() == 1 ? 0 : schedule_.Choose(candidates_)];
}

void Scheduler::SwitchTo(Task& next) {
  if (&next == current_) return;
  current_ = &next;
  if (dead_ || tasks_.size() == 1) return;
  hash_ = base::Mix64(hash_ ^ next.candidate.key);
  trace_.Add({.kind = kSwitchEvent,
              .time = now_,
              .subject = next.candidate.key,
              .first = steps_,
              .second = 0,
              .result = 0});
}

void Scheduler::CountStep() {
  ++current_->candidate.steps;
  if (dead_) {
    if (++current_->dead_steps > kDeadStepsMax) GiveUp(Outcome::kRunsOn);
  } else if (++steps_ > step_budget_) {
    GiveUp(Outcome::kOutOfSteps);
  }
}

void Scheduler::GiveUp(Outcome outcome) {
  gave_up_ = outcome;
  Fiber::Suspend();
  CHECK(false);  // Nobody resumes it.
}

void Scheduler::LetOthersRun() {
  CountStep();
  if (alone()) return;
  current_->candidate.due = 0;
  if (!dead_) {
    if (const uint64_t ticks = schedule_.Pause(current_->candidate)) return Wait(now_ + ticks);
  }
  if (ready_.size() == 1) return;
  Task* const next = ready_[schedule_.Choose(candidates_)];
  if (next == current_) return;
  next_ = next;
  Fiber::Suspend();
}

// Gives way until Wake().
void Scheduler::Wait(base::Ticks deadline) {
  current_->state = Task::State::kWaiting;
  current_->deadline = deadline;
  Unready(*current_);
  Fiber::Suspend();
}

void Scheduler::Wake(Task& task) {
  task.state = Task::State::kReady;
  task.wait = Task::Wait::kTime;
  task.awaited = {};
  task.word = nullptr;
  task.joined = 0;
  task.deadline = engine::Tasks::kForever;
  task.candidate.due = 0;
  ready_.push_back(&task);
  candidates_.push_back(&task.candidate);
}

void Scheduler::Unready(const Task& task) {
  const auto at = std::find(ready_.begin(), ready_.end(), &task);
  CHECK(at != ready_.end());
  candidates_.erase(candidates_.begin() + (at - ready_.begin()));
  ready_.erase(at);
}

bool Scheduler::JumpToNextDeadline() {
  base::Ticks next = engine::Tasks::kForever;
  for (const auto& task : tasks_) {
    if (task->state == Task::State::kWaiting) next = std::min(next, task->deadline);
  }
  if (next == engine::Tasks::kForever) return false;
  now_ = std::max(now_, next);
  for (const auto& task : tasks_) {
    if (task->state == Task::State::kWaiting && task->deadline <= now_) Wake(*task);
  }
  return true;
}

void Scheduler::Finish(Task& task) {
  task.state = Task::State::kDone;
  AppendSteps(task, steps_made_);
  --alive_;
  Unready(task);
  const Id id = static_cast<Id>(std::find_if(tasks_.begin(), tasks_.end(),
                                             [&](const auto& t) { return t.get() == &task; }) -
                                tasks_.begin()) +
                1;
  for (const auto& waiting : tasks_) {
    if (waiting->joined == id) Wake(*waiting);
  }
}

void Scheduler::SleepFor(base::Ticks ticks) {
  if (alone()) {
    now_ += ticks;
  } else if (ticks > 0) {
    Wait(now_ + ticks);
  }
}

void Scheduler::SleepUntil(base::Ticks deadline) {
  LetOthersRun();
  if (deadline > now_) SleepFor(deadline - now_);
}

void Scheduler::Join(Id id) {
  CHECK(id >= 1 && id <= tasks_.size() && tasks_[id - 1].get() != current_);
  LetOthersRun();
  if (tasks_[id - 1]->state == Task::State::kDone) return;
  current_->wait = Task::Wait::kJoin;
  current_->joined = id;
  Wait(engine::Tasks::kForever);
}

void Scheduler::AboutToWait(base::WaitKind kind, std::string_view name) {
  current_->wait = kind == base::WaitKind::kLock ? Task::Wait::kLock : Task::Wait::kCondition;
  current_->awaited = name;
}

void Scheduler::Park(const uint32_t* word, uint32_t expected, base::Ticks deadline) {
  Task& task = *current_;
  const Task::Wait wait = task.wait == Task::Wait::kLock ? task.wait : Task::Wait::kCondition;
  const std::string_view awaited = std::exchange(task.awaited, {});
  task.wait = Task::Wait::kTime;
  LetOthersRun();
  if (*word != expected || deadline <= now_) return;
  if (IsDisturbed() &&
      schedule_.Draw(task.candidate, Choice::kWakeForNoReason, kOddsOfWakingForNoReason) == 0)
    return;
  task.wait = wait;
  task.awaited = awaited;
  task.word = word;
  Wait(deadline);
}

// Nobody runs between the change of a word and this: the word may be gone by then and its address
// be another's, and addresses may not decide anything.
void Scheduler::Unpark(const uint32_t* word, uint32_t task_count_max) {
  std::vector<Task*> parked;
  for (const auto& task : tasks_) {
    if (task->word == word) parked.push_back(task.get());
  }
  for (; task_count_max > 0 && !parked.empty(); --task_count_max) {
    const uint64_t which = schedule_.Draw(current_->candidate, Choice::kWhomToWake, parked.size());
    Wake(*parked[which]);
    parked.erase(parked.begin() + static_cast<std::ptrdiff_t>(which));
  }
  LetOthersRun();
}

std::string Scheduler::Describe() const {
  std::string text;
  for (const auto& task : tasks_) {
    if (task->state == Task::State::kDone) continue;
    absl::StrAppend(&text, text.empty() ? "" : "; ", task->name);
    if (task->state == Task::State::kReady) {
      absl::StrAppend(&text, " can run");
    } else {
      AppendWait(text, *task, tasks_);
    }
    const std::string_view span = task->spans.innermost().name;
    if (!span.empty()) absl::StrAppend(&text, " in ", base::ToAbsl(span));
  }
  return text;
}

bool Scheduler::WaitsForLock() const {
  return std::any_of(tasks_.begin(), tasks_.end(), [](const auto& task) {
    return task->state == Task::State::kWaiting && task->wait == Task::Wait::kLock;
  });
}

}  // namespace kiban::sim
