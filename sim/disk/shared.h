// A counted reference to a value that may be shared: copying the reference shares it, Own() makes
// it one's own before it is changed. One thread: the count is not atomic.
#pragma once

#include <cstdint>
#include <utility>

namespace kiban::sim {

template <typename T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : box_(new Box{std::move(value)}) {}
  Shared(const Shared& other) : box_(other.box_) {
    if (box_ != nullptr) ++box_->count;
  }
  Shared(Shared&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~Shared() {
    if (box_ != nullptr && --box_->count == 0) delete box_;
  }

  explicit operator bool() const { return box_ != nullptr; }
  const T* get() const { return box_ == nullptr ? nullptr : &box_->value; }
  const T& operator*() const { return box_->value; }
  const T* operator->() const { return &box_->value; }

  // The value for this reference alone: made if there is none, copied if others see it too.
  T& Own() {
    if (box_ == nullptr) {
      box_ = new Box{};
    } else if (box_->count > 1) {
      Box* const copy = new Box{box_->value};
      --box_->count;
      box_ = copy;
    }
    return box_->value;
  }

 private:
  struct Box {
    T value{};
    uint32_t count = 1;

#ifndef KIBAN_EXPENSIVE_CHECKS
    struct Spare {
      Spare* next;
    };
    static inline constinit Spare* spares = nullptr;

    static void* operator new(size_t bytes) {
      if (spares == nullptr) return ::operator new(bytes);
      return std::exchange(spares, spares->next);
    }
    static void operator delete(void* box) { spares = new (box) Spare{spares}; }
#endif
  };
  Box* box_ = nullptr;
};

}  // namespace kiban::sim
