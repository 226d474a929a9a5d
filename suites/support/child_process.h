// A forked child of which the parent learns everything, however it ends: a pipe for what it
// reports, and a file for what it says on standard error, which a fatal signal's stack goes to as
// well.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace kiban::suites {

class ChildProcess {
 public:
  // Runs `body` in a child, which leaves with its return value and without running any exit
  // handler. The child dies with its parent.
  explicit ChildProcess(const std::function<int(int report_fd)>& body);
  ~ChildProcess();  // Ends it if it still runs.
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int report_fd() const { return report_fd_; }
  // Reads once; false at the end, which comes when the child has ended.
  bool Receive(std::string& to);
  // All that it reports until it has ended; true if it had to be killed, after `seconds_max`.
  // `on_more`, if it is not null, is called whenever more has come.
  bool ReceiveAll(double seconds_max, std::string& to,
                  const std::function<void()>& on_more = nullptr);
  void Signal(int number) const;
  // Waits for its end; as waitpid() tells it.
  int Wait();
  // What it wrote on standard error; of very much, the end.
  std::string LastWords() const;

 private:
  pid_t pid_ = -1;
  int report_fd_ = -1;
  int words_fd_ = -1;
};

// In the child: all of it, or the child leaves, since nobody listens any more.
void Report(int report_fd, std::string_view bytes);
// In the child: what was said so far explains nothing that is still to come.
void ForgetWords();

}  // namespace kiban::suites
