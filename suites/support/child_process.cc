#include "suites/support/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "engine/base/check.h"
#include "suites/support/fatal_signals.h"
#include "suites/support/host.h"
#include "suites/support/interrupts.h"

namespace kiban::suites {
namespace {

constexpr int kPollMsec = 100;
constexpr off_t kLastWordsBytesMax = 64 << 10;

[[noreturn]] void Live(const std::function<int(int)>& body, int report_fd, int words_fd,
                       pid_t parent) {
  IgnoreInterrupts();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  dup2(words_fd, STDERR_FILENO);
  fcntl(STDERR_FILENO, F_SETFL, O_APPEND);  // So that ForgetWords() leaves no hole.
  ShowStackOfFatalSignals();
  const int status = body(report_fd);
  std::fflush(stdout);
  _exit(status);
}

}  // namespace

ChildProcess::ChildProcess(const std::function<int(int report_fd)>& body) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) GiveUp("make a pipe for a worker; fewer --jobs need fewer");
  words_fd_ = memfd_create("stderr", MFD_CLOEXEC);
  if (words_fd_ < 0) GiveUp("make a file in memory for a worker; fewer --jobs need fewer");
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) GiveUp("start a worker; fewer --jobs need fewer");
  if (pid_ == 0) {
    close(ends[0]);
    Live(body, ends[1], words_fd_, parent);
  }
  close(ends[1]);
  report_fd_ = ends[0];
}

ChildProcess::~ChildProcess() {
  if (pid_ >= 0) {
    Signal(SIGKILL);
    Wait();
  }
  close(report_fd_);
  close(words_fd_);
}

bool ChildProcess::Receive(std::string& to) {
  char buffer[16 << 10];
  ssize_t count = 0;
  do {
    count = read(report_fd_, buffer, sizeof buffer);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  to.append(buffer, static_cast<size_t>(count));
  return true;
}

bool ChildProcess::ReceiveAll(double seconds_max, std::string& to,
                              const std::function<void()>& on_more) {
  const double began = MonotonicSeconds();
  bool ran_away = false;
  while (true) {
    pollfd polled{report_fd_, POLLIN, 0};
    poll(&polled, 1, kPollMsec);
    if (polled.revents != 0) {
      if (!Receive(to)) return ran_away;
      if (on_more) on_more();
    }
    if (!ran_away && MonotonicSeconds() - began > seconds_max) {
      ran_away = true;
      Signal(SIGKILL);
    }
  }
}

void ChildProcess::Signal(int number) const {
  if (pid_ >= 0) kill(pid_, number);
}

int ChildProcess::Wait() {
  CHECK(pid_ >= 0);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) CHECK(errno == EINTR);
  pid_ = -1;
  return status;
}

std::string ChildProcess::LastWords() const {
  const off_t end = lseek(words_fd_, 0, SEEK_END);
  if (end <= 0) return {};
  const off_t from = std::max<off_t>(0, end - kLastWordsBytesMax);
  std::string words(static_cast<size_t>(end - from), '\0');
  const ssize_t count = pread(words_fd_, words.data(), words.size(), from);
  words.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return words;
}

void Report(int report_fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(report_fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void ForgetWords() {
  const int ignored = ftruncate(STDERR_FILENO, 0);
  static_cast<void>(ignored);
}

}  // namespace kiban::suites
