#include "suites/support/interrupts.h"

#include <signal.h>
#include <unistd.h>

#include "suites/support/host.h"

namespace kiban::suites {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
constexpr int kExitAfterSignal = 128;

volatile sig_atomic_t g_received = 0;

// Whoever signals a process and its group (timeout(1) does) means it once.
constexpr double kSameWishSeconds = 0.3;
double g_received_at_seconds = 0;

void Remember(int number) {
  const double now = MonotonicSeconds();
  if (g_received == 0) {
    g_received_at_seconds = now;
    g_received = number;
  } else if (now - g_received_at_seconds > kSameWishSeconds) {
    _exit(kExitAfterSignal + number);  // Its workers die with it.
  }
}

// Unless it is ignored, as it is for what a script starts in the background.
void Handle(int number, const struct sigaction& action) {
  struct sigaction before {};
  if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  sigaction(number, &action, nullptr);
}

}  // namespace

Interrupts::Interrupts() {
  g_received = 0;
  struct sigaction action {};
  action.sa_handler = Remember;
  for (const int number : kSignals) sigaddset(&action.sa_mask, number);
  for (const int number : kSignals) Handle(number, action);
}

Interrupts::~Interrupts() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int number : kSignals) Handle(number, action);
}

int Interrupts::received() const { return g_received; }

void IgnoreInterrupts() {
  for (const int number : kSignals) signal(number, SIG_IGN);
}

}  // namespace kiban::suites
