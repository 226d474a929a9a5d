#include "sim/fiber.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <utility>
#include <vector>

#include "engine/base/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define KIBAN_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KIBAN_ASAN 1
#endif
#endif

#ifdef KIBAN_ASAN
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace kiban::sim {
namespace {

// A sanitizer's frames are several times as large, and its reports need 24 KiB.
#ifdef KIBAN_ASAN
constexpr size_t kStackBytes = 256 << 10;
#else
constexpr size_t kStackBytes = 64 << 10;
#endif
using Stack = boost::context::stack_context;

// Free stacks, each with its guard page; there are never more than the most fibers that lived at
// once.
std::vector<Stack>& Pool() {
  static std::vector<Stack> pool;
  return pool;
}

Stack TakeStack() {
  if (Pool().empty()) return boost::context::protected_fixedsize_stack(kStackBytes).allocate();
  const Stack stack = Pool().back();
  Pool().pop_back();
  return stack;
}

[[maybe_unused]] const void* BottomOf(const Stack& stack) {
  return static_cast<std::byte*>(stack.sp) - stack.size;
}

// Boost's idea of an allocator: the stack goes back to the pool when the body has returned.
struct PooledStack {
  Stack stack;

  Stack allocate() const { return stack; }
  void deallocate(Stack& used) const noexcept { Pool().push_back(used); }
};

}  // namespace

struct Fiber::State {
  std::function<void()> body;
  Stack stack;
  boost::context::fiber inside;   // The suspended body, while the thread's stack runs.
  boost::context::fiber outside;  // The thread's stack, while the body runs.
  bool done = false;
  // What the sanitizer keeps for either side while the other runs.
  void* fake_stack_inside = nullptr;
  void* fake_stack_outside = nullptr;
  const void* thread_stack = nullptr;
  size_t thread_stack_bytes = 0;

  static State* running;

  void EnterInside() {
#ifdef KIBAN_ASAN
    __sanitizer_start_switch_fiber(&fake_stack_outside, BottomOf(stack), stack.size);
#endif
  }
  void ArriveInside() {
#ifdef KIBAN_ASAN
    __sanitizer_finish_switch_fiber(fake_stack_inside, &thread_stack, &thread_stack_bytes);
#endif
  }
  // `last`: the body will not run again, so its fake stack is freed.
  void LeaveInside([[maybe_unused]] bool last) {
#ifdef KIBAN_ASAN
    __sanitizer_start_switch_fiber(last ? nullptr : &fake_stack_inside, thread_stack,
                                   thread_stack_bytes);
#endif
  }
  void ArriveOutside() {
#ifdef KIBAN_ASAN
    __sanitizer_finish_switch_fiber(fake_stack_outside, nullptr, nullptr);
#endif
  }
};

Fiber::State* Fiber::State::running = nullptr;

Fiber::Fiber(std::function<void()> body) : state_(std::make_unique<State>()) {
  State* const state = state_.get();
  state->body = std::move(body);
  state->stack = TakeStack();
  state->inside = boost::context::fiber(std::allocator_arg, PooledStack{state->stack},
                                        [state](boost::context::fiber&& outside) {
                                          state->outside = std::move(outside);
                                          state->ArriveInside();
                                          state->body();
                                          state->done = true;
                                          state->LeaveInside(/*last=*/true);
                                          return std::move(state->outside);
                                        });
}

Fiber::~Fiber() { CHECK(state_ == nullptr || state_->done); }

bool Fiber::done() const { return state_->done; }

void Fiber::Resume() {
  State* const state = state_.get();
  CHECK(State::running == nullptr);
  CHECK(!state->done);
  State::running = state;
  state->EnterInside();
  state->inside = std::move(state->inside).resume();
  state->ArriveOutside();
  State::running = nullptr;
}

void Fiber::Suspend() {
  State* const state = State::running;
  CHECK(state != nullptr);
  state->LeaveInside(/*last=*/false);
  state->outside = std::move(state->outside).resume();
  state->ArriveInside();
}

// Kept where leak checkers find it: what lives on the stack is in use for ever.
void Fiber::Abandon() {
#ifdef KIBAN_ASAN
  __lsan_register_root_region(BottomOf(state_->stack), state_->stack.size);
#endif
  static std::vector<std::unique_ptr<State>>* const abandoned =
      new std::vector<std::unique_ptr<State>>;
  abandoned->push_back(std::move(state_));
}

}  // namespace kiban::sim
