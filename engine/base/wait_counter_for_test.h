// Tells a test over real threads when others have come to wait, so that it need not sleep and hope.
// While it lives, it is what running code tells of its waits.
#pragma once

#include <atomic>
#include <string_view>

#include "engine/base/hooks.h"
#include "engine/env.h"

namespace kiban::base {

class WaitCounter final : public Hooks {
 public:
  explicit WaitCounter(engine::Tasks* tasks) : tasks_(tasks) { g_hooks = this; }
  ~WaitCounter() override { g_hooks = nullptr; }  // Nobody else may be running any more.

  // Returns once so many waits for a condition have begun. Who waits has given its lock up.
  void Await(uint32_t count) {
    for (uint32_t seen = waits_.load(); seen < count; seen = waits_.load()) {
      tasks_->Park(reinterpret_cast<const uint32_t*>(&waits_), seen, engine::Tasks::kForever);
    }
  }
  // Counts for a wait that turned out to be unnecessary, so that nobody hangs in Await().
  void CountOne() {
    ++waits_;
    tasks_->Unpark(reinterpret_cast<const uint32_t*>(&waits_), UINT32_MAX);
  }

  void OnWait(WaitKind kind, std::string_view) override {
    if (kind == WaitKind::kCondition) CountOne();
  }
  void OnMark(const Label&) override {}
  void OnSpanEnter(const Label&) override {}
  void OnSpanLeave(const Label&) override {}
  void OnCheckFailed(const char*, const char*, int) override {}
  void OnAtomic() override {}

 private:
  engine::Tasks* const tasks_;
  std::atomic<uint32_t> waits_{0};
};

}  // namespace kiban::base
