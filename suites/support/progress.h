// How far a sweep is, on standard error: one live line on a terminal, elsewhere a line every ten
// seconds.
#pragma once

#include <cstdint>
#include <string>

namespace kiban::suites {

struct ProgressState {
  std::string suite;
  uint64_t seeds = 0;
  uint64_t seeds_done = 0;
  uint64_t crashes = 0;
  uint64_t failures = 0;
  double seconds = 0;
};

// "crash  1200/20000 seeds  640/s  4800 crashes  0 failures  29 s left"
std::string ProgressLine(const ProgressState& state);

class Progress {
 public:
  Progress();  // Asks whether standard error is a terminal.
  // Shows `state` if it is time.
  void Show(const ProgressState& state);
  // Shows it at once, on a terminal: what follows is soon done.
  void ShowLine(const std::string& line);
  // Takes the live line away.
  void End();

 private:
  bool is_terminal_;
  double shown_at_seconds_ = 0;
  bool shows_line_ = false;
};

}  // namespace kiban::suites
