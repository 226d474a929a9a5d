#include "sim/schedules/random.h"

#include <algorithm>
#include <iterator>

#include "engine/base/hash.h"
#include "engine/base/hooks.h"

namespace kiban::sim {
namespace {

constexpr uint64_t kStepMax = 16;
constexpr uint64_t kAtOnce = 1;  // Before everything that is drawn.
constexpr uint64_t kPauseOdds[] = {0, 1024, 256, 64};
constexpr uint64_t kPauseTicksMax[] = {4, 40, 400};

}  // namespace

void RandomSchedule::Begin(const Rng& rng) {
  ++boot_;
  rng_ = rng.Stream("steps");
  now_ = 0;
  Rng swarm = rng.Stream("swarm");
  slowness_max_ = swarm.Below(4);
  slowness_key_ = swarm.Next();
  pause_odds_ = kPauseOdds[swarm.Below(std::size(kPauseOdds))];
  pause_ticks_max_ = kPauseTicksMax[swarm.Below(std::size(kPauseTicksMax))];
}

uint64_t RandomSchedule::SlownessOf(const Candidate& task) const {
  return base::Mix64(slowness_key_ ^ task.key) % (slowness_max_ + 1);
}

size_t RandomSchedule::Choose(std::span<Candidate* const> ready) {
  size_t first = 0;
  for (size_t i = 0; i < ready.size(); ++i) {
    Candidate& task = *ready[i];
    if (task.due == 0 && IsCalm(task)) {
      task.due = kAtOnce;
    } else if (task.due == 0) {
      task.due = now_ + ((1 + Draw(task, Choice::kStep, kStepMax)) << SlownessOf(task));
    }
    if (task.due < ready[first]->due) first = i;
  }
  now_ = std::max(now_, ready[first]->due);
  return first;
}

// A process's first task has key 0.
bool RandomSchedule::IsCalm(const Candidate& task) const {
  if (!choices_.has_value()) return false;
  return std::none_of(choices_->begin(), choices_->end(), [&](const DrawnSteps& steps) {
    const uint64_t key = steps.task == kFirstTask ? 0 : base::Label::Hash(steps.task);
    return steps.boot == boot_ && key == task.key && steps.operation == task.operation &&
           steps.from <= task.steps && task.steps <= steps.to;
  });
}

uint64_t RandomSchedule::Draw(const Candidate& task, Choice choice, uint64_t n) {
  if (IsCalm(task)) return choice == Choice::kWhomToWake ? 0 : n - 1;
  return rng_.Fork(task.key + static_cast<uint64_t>(choice), task.operation, task.steps).Below(n);
}

uint64_t RandomSchedule::Pause(const Candidate& task) {
  if (pause_odds_ == 0 || Draw(task, Choice::kPause, pause_odds_) != 0) return 0;
  return 1 + Draw(task, Choice::kPauseTicks, pause_ticks_max_);
}

}  // namespace kiban::sim
