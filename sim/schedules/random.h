// Each task draws how long its next step takes; the one whose step begins first runs. Swarm: each
// process draws how uneven the speeds of its tasks are and how often one is held up, since a race
// may need a task to be a little late, very late, or always slow.
#pragma once

#include <cstdint>
#include <utility>

#include "sim/schedule.h"
#include "sim/schedules/choices.h"

namespace kiban::sim {

class RandomSchedule final : public Schedule {
 public:
  explicit RandomSchedule(ScheduleChoices choices = std::nullopt) : choices_(std::move(choices)) {}

  void Begin(const Rng& rng) override;
  size_t Choose(std::span<Candidate* const> ready) override;
  uint64_t Draw(const Candidate& task, Choice choice, uint64_t n) override;
  uint64_t Pause(const Candidate& task) override;

 private:
  uint64_t SlownessOf(const Candidate& task) const;
  bool IsCalm(const Candidate& task) const;

  const ScheduleChoices choices_;
  uint32_t boot_ = 0;
  Rng rng_{0};
  uint64_t now_ = 0;           // Of this strategy: when the last step began.
  uint64_t slowness_max_ = 0;  // A task is up to so many doublings slower than another.
  uint64_t slowness_key_ = 0;
  uint64_t pause_odds_ = 0;  // One step in so many is held up; 0: none.
  uint64_t pause_ticks_max_ = 1;
};

}  // namespace kiban::sim
