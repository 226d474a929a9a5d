// A task's stack: code that can be left in the middle and gone on with later, in one thread.
//
// Stacks are pooled and reused across lives, with a guard page below; sanitizers are told of every
// switch. A suspended fiber is never destroyed or unwound: a dead process runs out instead
// (world.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace kiban::sim {

class Fiber {
 public:
  // `body` starts with the first Resume(). No exception may leave it.
  explicit Fiber(std::function<void()> body);
  ~Fiber();  // It must have ended (CHECK), or have been abandoned.
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the body until it suspends or returns. From the thread's own stack only.
  void Resume();
  bool done() const;

  // Gives the thread back to who resumed the running fiber. From inside a fiber only.
  static void Suspend();

  // Gives the stack up for good, with all that lives on it. For a process whose end is near anyway.
  void Abandon();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kiban::sim
