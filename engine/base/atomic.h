// std::atomic, with a place before each access where a simulated scheduler may let other tasks run.
// In production that place is one branch, never taken.
//
// The simulator runs one task at a time, so it shows every order of accesses that is sequentially
// consistent and none that a weaker order would permit besides: those are for ThreadSanitizer.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/base/hooks.h"

namespace kiban::base {

template <typename T>
class Atomic {
 public:
  constexpr Atomic() : value_() {}
  constexpr explicit Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T Load(std::memory_order order = std::memory_order_acquire) const {
    LetOthersRun();
    return value_.load(order);
  }
  // Without a place for others: for the steps of a walk that has its places elsewhere, and would
  // cost a read too much with one at each step (tools/atomic_cost.py).
  T LoadOnTheWay() const { return value_.load(std::memory_order_acquire); }
  // For the one task that stores, where there is only one: nobody else can have changed it, so
  // there is no order to be chosen and nothing to wait for.
  T LoadOwn() const { return value_.load(std::memory_order_relaxed); }
  void Store(T value, std::memory_order order = std::memory_order_release) {
    LetOthersRun();
    value_.store(value, order);
  }
  T Exchange(T value) {
    LetOthersRun();
    return value_.exchange(value, std::memory_order_acq_rel);
  }
  T FetchAdd(T value) {
    LetOthersRun();
    return value_.fetch_add(value, std::memory_order_acq_rel);
  }
  T FetchSub(T value) {
    LetOthersRun();
    return value_.fetch_sub(value, std::memory_order_acq_rel);
  }
  // True if it was `expected` and is `desired` now; otherwise `expected` is what it was.
  bool CompareExchange(T& expected, T desired) {
    LetOthersRun();
    return value_.compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                          std::memory_order_acquire);
  }

  // What engine::Tasks::Park() and Unpark() call a word.
  const uint32_t* word() const requires(sizeof(T) == sizeof(uint32_t)) {
    static_assert(sizeof(value_) == sizeof(uint32_t));
    return reinterpret_cast<const uint32_t*>(&value_);
  }

 private:
  static void LetOthersRun() {
    if (Hooks* const hooks = g_hooks) [[unlikely]]
      hooks->OnAtomic();
  }

  std::atomic<T> value_;
};

}  // namespace kiban::base
