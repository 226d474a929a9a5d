// Reads a case from a file, lives it, and says whether it went as it should.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "suites/support/case_file.h"
#include "suites/support/life.h"

namespace kiban::tools {

// kUnimplemented: this revision cannot read or live the case (another version, an engine, a
// profile, a bug, an option or a word that it lacks). Any other error: it cannot be read at all.
// Both name the file.
absl::StatusOr<suites::Case> LoadCase(const std::string& path);

struct CaseRun {
  suites::Verdict expect;  // Held, if the case needs a patch that this program was not built with.
  suites::LifeReport report;
  int exit_status;
  bool event_came = true;  // That of CaseRunOptions::break_at: the life was that long.
};

struct CaseRunOptions {
  std::function<void(const sim::Told&)> on_event;  // Whoever watches; may be null ...
  bool waits = false;  // ... and may keep the life waiting for as long as it likes.
  // Under a debugger the life is lived in this process, so that it can be stopped in there, and
  // traps before this event.
  std::optional<uint64_t> break_at;
  bool twice = false;  // Lived again and compared; *broken* if it went otherwise.
  std::string image;   // Where the disk at each cut is written; empty: nowhere.
};

// In a process of its own.
CaseRun RunCase(const suites::Case& c, const CaseRunOptions& options);

// For a status of LoadCase().
int ExitStatusOf(const absl::Status& status);
// The worse of two: 2, 1, 125, 0.
int WorseExitStatus(int a, int b);

}  // namespace kiban::tools
