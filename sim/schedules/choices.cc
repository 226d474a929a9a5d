#include "sim/schedules/choices.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_util.h"

namespace kiban::sim {
namespace {

// "17..40"
bool ParseRange(absl::string_view text, DrawnSteps& steps) {
  const std::pair<absl::string_view, absl::string_view> ends =
      absl::StrSplit(text, absl::MaxSplits("..", 1));
  return absl::SimpleAtoi(ends.first, &steps.from) && absl::SimpleAtoi(ends.second, &steps.to) &&
         steps.from <= steps.to;
}

}  // namespace

void AppendText(std::string& to, const ScheduleChoices& choices) {
  if (!choices.has_value()) return;
  to += "schedule calm\n";
  for (const DrawnSteps& steps : *choices) {
    absl::StrAppend(&to, "schedule drawn ", steps.from, "..", steps.to, " of ", steps.task,
                    " at operation ", steps.operation, " in boot ", steps.boot, "\n");
  }
}

absl::Status ParseScheduleLine(std::string_view rest, ScheduleChoices& choices) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(base::ToAbsl(rest), absl::ByAnyChar(" \t"), absl::SkipEmpty());
  if (words.size() == 1 && words[0] == "calm") {
    choices.emplace();
    return absl::OkStatus();
  }
  DrawnSteps steps;
  const bool ok = words.size() == 10 && choices.has_value() && words[0] == "drawn" &&
                  ParseRange(words[1], steps) && words[2] == "of" && words[4] == "at" &&
                  words[5] == "operation" && absl::SimpleAtoi(words[6], &steps.operation) &&
                  words[7] == "in" && words[8] == "boot" && absl::SimpleAtoi(words[9], &steps.boot);
  if (!ok) {
    return absl::InvalidArgumentError(
        "expected: schedule calm, and behind it: schedule drawn N..N of TASK at operation N "
        "in boot N");
  }
  steps.task = std::string(words[3]);
  choices->push_back(std::move(steps));
  return absl::OkStatus();
}

}  // namespace kiban::sim
