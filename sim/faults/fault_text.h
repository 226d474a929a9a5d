// The text form of faults, as lines of a case.
//
//   plant no-wal-sync
//   cut power before call 1 of flush.F2#3 in boot 2
//     lost page wal@1:switch.T2#3 0 v2
//     torn page wal@1:switch.T2#3 0 v1 sectors 1,2
//     kept add sst@2:flush.F1#3 db/000012.sst
//   recovery-cut kill inside call 2 of open.O5#1 in boot 3 steps 1 cold-cache
//   cut power after operation 57
//   cut power after end
//   cut power before skip 3 of flush.F2 armed 57 latest 80 patience 200       (drawn; not yet
//   found) sync-error at call 1 of flush.F2#3 in boot 2 ghosts 0,1 sync-error skip 4 armed 12
//   (drawn)
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "sim/faults/faults.h"

namespace kiban::sim {

std::string FormatAnchor(const Anchor& anchor);
std::string FormatPlace(const Cut& cut);

// Where and how a cut strikes, without what it kept and lost; then that.
// Each line ends with a newline.
void AppendCutLine(std::string& to, const Cut& cut);
void AppendFates(std::string& to, const Cut& cut);
void AppendText(std::string& to, const Cut& cut);
void AppendText(std::string& to, const SyncError& error);
void AppendText(std::string& to, const FaultPlan& plan);

// Whether a line begins with a word of this grammar.
bool IsFaultLine(std::string_view line);
// Adds what one line says to `plan`. kInvalidArgument says what was expected.
absl::Status ParseFaultLine(std::string_view line, FaultPlan& plan);

}  // namespace kiban::sim
