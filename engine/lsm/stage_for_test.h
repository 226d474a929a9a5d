// A director for tests with real threads: counts SPANs, MARKs and waits for conditions, waits until
// a number of tasks have come to one, and holds tasks back at the entrance of a SPAN until they are
// let go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/hooks.h"
#include "engine/base/sync.h"

namespace kiban::lsm {

// Make it before the tasks that it is to watch, destroy it after them.
class Stage final : public base::Hooks {
 public:
  explicit Stage(engine::Tasks* tasks) : mutex_(tasks, kName), changed_(tasks, kName) {
    base::g_hooks = this;
  }
  ~Stage() override { base::g_hooks = nullptr; }

  void Hold(const std::string& span) {
    const base::MutexLock lock(mutex_);
    held_.insert(span);
  }
  void LetGo(const std::string& span) {
    const base::MutexLock lock(mutex_);
    held_.erase(span);
    changed_.NotifyAll();
  }
  // Of entrances of a span, held ones included, of marks, or of waits for a condition.
  uint64_t Count(const std::string& name) {
    const base::MutexLock lock(mutex_);
    return counts_[name];
  }
  void Await(const std::string& name, uint64_t count) {
    const base::MutexLock lock(mutex_);
    while (counts_[name] < count) changed_.Wait(mutex_);
  }

  void OnMark(const base::Label& label) override { Enter(label.name); }
  void OnSpanEnter(const base::Label& label) override { Enter(label.name); }
  void OnSpanLeave(const base::Label&) override {}
  void OnCheckFailed(const char*, const char*, int) override {}
  void OnAtomic() override {}
  void OnWait(base::WaitKind kind, std::string_view name) override {
    if (kind == base::WaitKind::kCondition && name != kName) Enter(name);
  }

 private:
  static constexpr std::string_view kName = "stage";

  void Enter(std::string_view what) {
    const std::string name(what);
    const base::MutexLock lock(mutex_);
    ++counts_[name];
    changed_.NotifyAll();
    while (held_.count(name) > 0) changed_.Wait(mutex_);
  }

  base::Mutex mutex_;
  base::CondVar changed_;
  std::map<std::string, uint64_t> counts_;
  std::set<std::string> held_;
};

}  // namespace kiban::lsm
