// Goal:   the first signal is a wish, the second an order.
// Method: children wait with Interrupts in place and are signalled.
#include "suites/support/interrupts.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiban::suites {
namespace {

constexpr int kEndedByItself = 7;

// Ends with kEndedByItself and the signal, some time after it came.
[[noreturn]] void WaitForSignal(int ready_fd, int patience_msec) {
  const Interrupts interrupts;
  if (write(ready_fd, "", 1) != 1) _exit(1);
  while (interrupts.received() == 0) usleep(1000);
  for (int i = 0; i < patience_msec; ++i) usleep(1000);
  _exit(kEndedByItself + interrupts.received());
}

class Child {
 public:
  explicit Child(int patience_msec) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_ = fork();
    if (pid_ == 0) WaitForSignal(ends[1], patience_msec);
    char ready = 0;
    EXPECT_EQ(read(ends[0], &ready, 1), 1);
    close(ends[0]);
    close(ends[1]);
  }
  void Signal(int number) { kill(pid_, number); }
  int ExitStatus() {
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_;
};

TEST(Interrupts, TheFirstIsRemembered) {
  for (const int number : {SIGINT, SIGTERM}) {
    Child child(0);
    child.Signal(number);
    EXPECT_EQ(child.ExitStatus(), kEndedByItself + number);
  }
}

TEST(Interrupts, TheSecondEndsTheProcessAtOnce) {
  Child child(60'000);
  child.Signal(SIGINT);
  usleep(600'000);
  child.Signal(SIGTERM);
  EXPECT_EQ(child.ExitStatus(), 128 + SIGTERM);
}

TEST(Interrupts, TwoAtATimeAreOne) {
  Child child(50);
  child.Signal(SIGINT);
  usleep(10'000);
  child.Signal(SIGINT);
  EXPECT_EQ(child.ExitStatus(), kEndedByItself + SIGINT);
}

}  // namespace
}  // namespace kiban::suites
