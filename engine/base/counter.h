// A number that several tasks count up and anyone may read at any moment. Statistics order nothing,
// so this is the one thing shared by tasks that is no Atomic: no other task runs in between.
#pragma once

#include <atomic>
#include <cstdint>

namespace kiban::base {

class Counter {
 public:
  Counter() = default;
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  Counter& operator++() { return *this += 1; }
  Counter& operator+=(uint64_t more) {
    value_.fetch_add(more, std::memory_order_relaxed);
    return *this;
  }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

}  // namespace kiban::base
