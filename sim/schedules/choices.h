// Which steps of which tasks are left to chance. At every other step a task is calm: it goes on
// until it has to wait, is not held up, and wakes who has waited longest. Draws are keyed by task
// and step, so calming one step leaves the luck of the others as it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiban::sim {

// Steps `from` to `to`, both included, of one task of the `boot`-th process, counted from 0 since
// its operation began (0: before its first, or of a task that is no client).
struct DrawnSteps {
  uint32_t boot = 1;
  std::string task;
  uint64_t operation = 0;
  uint64_t from = 0;
  uint64_t to = 0;
  friend bool operator==(const DrawnSteps&, const DrawnSteps&) = default;
};

// Absent: every step is drawn.
using ScheduleChoices = std::optional<std::vector<DrawnSteps>>;

// "schedule calm" and a line "schedule drawn 17..40 of client-2 at operation 12 in boot 1" for
// each; nothing while absent.
void AppendText(std::string& to, const ScheduleChoices& choices);
// Adds what one line says, without its first word.
absl::Status ParseScheduleLine(std::string_view rest, ScheduleChoices& choices);

}  // namespace kiban::sim
