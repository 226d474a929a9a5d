#include "engine/base/sync.h"

#include "engine/base/check.h"

namespace kiban::base {
namespace {

void AboutToWait(WaitKind kind, std::string_view name) {
  if (Hooks* const hooks = g_hooks) hooks->OnWait(kind, name);
}

}  // namespace

void Mutex::LockContended(uint32_t state) {
  CHECK(tasks_ != nullptr);
  if (state != kHeldAndWanted) state = state_.Exchange(kHeldAndWanted);
  while (state != kFree) {
    AboutToWait(WaitKind::kLock, name_);
    tasks_->Park(state_.word(), kHeldAndWanted, engine::Tasks::kForever);
    state = state_.Exchange(kHeldAndWanted);
  }
}

void CondVar::WaitUntil(Mutex& mutex, Ticks monotonic_deadline) {
  CHECK(tasks_ != nullptr);
  const uint32_t seen = notifications_.Load();
  waiters_.FetchAdd(1);
  mutex.Unlock();
  AboutToWait(WaitKind::kCondition, name_);
  tasks_->Park(notifications_.word(), seen, monotonic_deadline);
  waiters_.FetchSub(1);
  mutex.Lock();
}

void CondVar::Notify(uint32_t task_count_max) {
  if (waiters_.Load() == 0) return;
  // As in Mutex::Unlock(): who waits need not be woken to see the new number, and go.
  engine::Tasks* const tasks = tasks_;
  const uint32_t* const word = notifications_.word();
  notifications_.FetchAdd(1);
  tasks->Unpark(word, task_count_max);
}

void Handoff::Give(uint32_t word) {
  CHECK(word >= kFirstWord);
  engine::Tasks* const tasks = tasks_;
  const uint32_t* const address = word_.word();
  if (word_.Exchange(word) == kAwaited) tasks->Unpark(address, 1);
}

uint32_t Handoff::Await() {
  CHECK(tasks_ != nullptr);
  uint32_t word = kNone;
  if (!word_.CompareExchange(word, kAwaited)) return word;
  for (word = kAwaited; word == kAwaited; word = word_.Load()) {
    AboutToWait(WaitKind::kCondition, name_);
    tasks_->Park(word_.word(), kAwaited, engine::Tasks::kForever);
  }
  return word;
}

void SharedMutex::Lock() {
  const MutexLock lock(mutex_);
  ++writers_waiting_;
  while (written_ || readers_ > 0) changed_.Wait(mutex_);
  --writers_waiting_;
  written_ = true;
}

void SharedMutex::Unlock() {
  const MutexLock lock(mutex_);
  written_ = false;
  changed_.NotifyAll();
}

void SharedMutex::LockShared() {
  const MutexLock lock(mutex_);
  while (written_ || writers_waiting_ > 0) changed_.Wait(mutex_);
  ++readers_;
}

void SharedMutex::UnlockShared() {
  const MutexLock lock(mutex_);
  if (--readers_ == 0) changed_.NotifyAll();
}

}  // namespace kiban::base
