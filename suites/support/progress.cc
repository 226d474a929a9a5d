#include "suites/support/progress.h"

#include <unistd.h>

#include <cstdio>

#include "absl/strings/str_format.h"

namespace kiban::suites {
namespace {

constexpr double kLiveSeconds = 0.2;
constexpr double kLineSeconds = 10;

}  // namespace

std::string ProgressLine(const ProgressState& state) {
  const double rate = state.seconds > 0 ? static_cast<double>(state.seeds_done) / state.seconds : 0;
  std::string line =
      absl::StrFormat("%s  %d/%d seeds  %.0f/s  %d crashes  %d failures", state.suite,
                      state.seeds_done, state.seeds, rate, state.crashes, state.failures);
  if (rate > 0) {
    const auto left = static_cast<double>(state.seeds - state.seeds_done);
    absl::StrAppendFormat(&line, "  %.0f s left", left / rate);
  }
  return line;
}

Progress::Progress() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::Show(const ProgressState& state) {
  if (state.seconds - shown_at_seconds_ < (is_terminal_ ? kLiveSeconds : kLineSeconds)) return;
  shown_at_seconds_ = state.seconds;
  const std::string line = ProgressLine(state);
  std::fprintf(stderr, is_terminal_ ? "\r%s\033[K" : "%s\n", line.c_str());
  shows_line_ = is_terminal_;
}

void Progress::ShowLine(const std::string& line) {
  if (!is_terminal_) return;
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  shows_line_ = true;
}

void Progress::End() {
  if (shows_line_) std::fprintf(stderr, "\r\033[K");
  shows_line_ = false;
  shown_at_seconds_ = 0;
}

}  // namespace kiban::suites
