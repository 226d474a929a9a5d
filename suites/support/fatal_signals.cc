#include "suites/support/fatal_signals.h"

#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define KIBAN_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KIBAN_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef KIBAN_ADDRESS_SANITIZER
// The undefined behaviour sanitizer, which comes with it, shows no stack unless it is asked.
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
#endif

namespace kiban::suites {
namespace {

#ifdef KIBAN_ADDRESS_SANITIZER
constexpr int kSignals[] = {SIGABRT};
#else
constexpr int kSignals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

constexpr int kFramesMax = 64;
constexpr size_t kStackBytes = 64 << 10;

void Say(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  static_cast<void>(ignored);
}

void ShowStack(int number) {
  void* frames[kFramesMax];
  const int count = backtrace(frames, kFramesMax);
  Say("fatal signal SIG");
  const char* const name = sigabbrev_np(number);
  Say(name == nullptr ? "?" : name);
  Say("\n");
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
  signal(number, SIG_DFL);
  raise(number);  // Blocked until this handler returns, then it kills.
}

}  // namespace

void ShowStackOfFatalSignals() {
  void* first_frame = nullptr;
  backtrace(&first_frame, 1);  // Loads the unwinder, which allocates, while that is still harmless.
  static char stack_bytes[kStackBytes];
  stack_t stack{};
  stack.ss_sp = stack_bytes;
  stack.ss_size = sizeof stack_bytes;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = ShowStack;
  action.sa_flags = SA_ONSTACK;
  for (const int number : kSignals) sigaction(number, &action, nullptr);
}

}  // namespace kiban::suites
