// Locks and conditions over the seam: an atomic word, and Tasks::Park() when there is something to
// wait for. The same object code waits on a futex in production and in the simulator's queue in a
// simulation.
//
// `tasks` may be null where one task alone uses the object: then nothing ever waits (CHECK).
// `name`, of static storage, says in reports what a task waits for.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/atomic.h"
#include "engine/env.h"

namespace kiban::base {

// Not recursive. Whoever waits may be overtaken. Whoever has it, and knows that nobody else will
// come, may destroy it, even if the owner before is not yet back from Unlock().
class Mutex {
 public:
  Mutex(engine::Tasks* tasks, std::string_view name) : tasks_(tasks), name_(name) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() {
    uint32_t state = kFree;
    if (!state_.CompareExchange(state, kHeld)) LockContended(state);
  }
  void Unlock() {
    // Once it is free it may be gone: what is needed behind that is fetched before.
    engine::Tasks* const tasks = tasks_;
    const uint32_t* const word = state_.word();
    if (state_.Exchange(kFree) == kHeldAndWanted) tasks->Unpark(word, 1);
  }

 private:
  // Ulrich Drepper, "Futexes Are Tricky" (2011), the second mutex.
  static constexpr uint32_t kFree = 0, kHeld = 1, kHeldAndWanted = 2;
  void LockContended(uint32_t state);

  Atomic<uint32_t> state_{kFree};
  engine::Tasks* const tasks_;
  const std::string_view name_;
};

class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// A wait may end for no reason, so it stands in a loop over what is waited for, which is changed
// only under the mutex. Notify under the mutex or after it; under it, if who is notified may
// destroy the condition as soon as it has the mutex.
class CondVar {
 public:
  CondVar(engine::Tasks* tasks, std::string_view name) : tasks_(tasks), name_(name) {}
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // Gives `mutex`, which the caller holds, up while it waits.
  void Wait(Mutex& mutex) { WaitUntil(mutex, engine::Tasks::kForever); }
  void WaitUntil(Mutex& mutex, Ticks monotonic_deadline);
  void NotifyOne() { Notify(1); }
  void NotifyAll() { Notify(UINT32_MAX); }

 private:
  void Notify(uint32_t task_count_max);

  Atomic<uint32_t> notifications_{0};
  Atomic<uint32_t> waiters_{0};  // Nobody to wake: no call of the seam.
  engine::Tasks* const tasks_;
  const std::string_view name_;
};

// A word from one task to another, given once. The waiter may destroy the object as soon as it has
// the word: who gives it touches nothing afterwards. No lock is needed around either.
class Handoff {
 public:
  Handoff(engine::Tasks* tasks, std::string_view name) : tasks_(tasks), name_(name) {}
  Handoff(const Handoff&) = delete;
  Handoff& operator=(const Handoff&) = delete;

  void Give(uint32_t word);  // At least kFirstWord.
  uint32_t Await();

  static constexpr uint32_t kFirstWord = 2;

 private:
  static constexpr uint32_t kNone = 0, kAwaited = 1;

  Atomic<uint32_t> word_{kNone};
  engine::Tasks* const tasks_;
  const std::string_view name_;
};

// Many readers or one writer. A writer that waits holds new readers back, so that it gets its turn.
class SharedMutex {
 public:
  SharedMutex(engine::Tasks* tasks, std::string_view name)
      : mutex_(tasks, name), changed_(tasks, name) {}

  void Lock();
  void Unlock();
  void LockShared();
  void UnlockShared();

 private:
  Mutex mutex_;  // Held for a few instructions: it guards what follows.
  CondVar changed_;
  uint32_t readers_ = 0;
  uint32_t writers_waiting_ = 0;
  bool written_ = false;
};

}  // namespace kiban::base
