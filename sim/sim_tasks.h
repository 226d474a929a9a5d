// The seam's tasks in a simulated machine: the scheduler's, by their public name.
#pragma once

#include "engine/env.h"
#include "sim/scheduler.h"

namespace kiban::sim {

class SimTasks final : public engine::Tasks {
 public:
  explicit SimTasks(Scheduler& scheduler) : scheduler_(scheduler) {}

  Id Spawn(std::string_view name, std::function<void()> body) override {
    const Id id = scheduler_.Spawn(name, std::move(body));
    scheduler_.LetOthersRun();
    return id;
  }
  void Join(Id id) override { scheduler_.Join(id); }
  void Yield() override { scheduler_.LetOthersRun(); }
  void SleepUntil(base::Ticks deadline) override { scheduler_.SleepUntil(deadline); }
  void Park(const uint32_t* word, uint32_t expected, base::Ticks deadline) override {
    scheduler_.Park(word, expected, deadline);
  }
  void Unpark(const uint32_t* word, uint32_t task_count_max) override {
    scheduler_.Unpark(word, task_count_max);
  }

 private:
  Scheduler& scheduler_;
};

}  // namespace kiban::sim
