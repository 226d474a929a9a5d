// Goal:   faults read back from their text are the faults that were written; anything else is
// refused
//         with what was expected.
#include "sim/faults/fault_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_split.h"
#include "engine/base/status_util.h"

namespace kiban::sim {
namespace {

FaultPlan Parsed(const std::string& text) {
  FaultPlan plan;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const absl::Status status = ParseFaultLine(base::ToStd(line), plan);
    EXPECT_TRUE(status.ok()) << line << ": " << status;
  }
  return plan;
}

TEST(FaultText, ReadsBackWhatItWrites) {
  const std::string text =
      "sync-error skip 4 armed 12\n"
      "sync-error at call 1 of flush.F2#3 in boot 2 ghosts 0,1\n"
      "sync-error at call 1 of -#1 in boot 2 ghosts none\n"
      "cut power before call 1 of flush.F2#3 in boot 2 listed\n"
      "  lost page wal@1:switch.T2#3 0 v2\n"
      "  torn page wal@1:switch.T2#3 0 v1 sectors 1,7\n"
      "  kept rename MANIFEST.tmp@1:publish.M1#4 db/MANIFEST.tmp -> db/MANIFEST\n"
      "recovery-cut kill inside call 2 of open.O5#1 in boot 3 steps 1 cold-cache\n"
      "cut power after operation 57\n"
      "cut kill after end warm-cache\n"
      "cut kill before skip 3 of flush.F2 armed 57 latest 80 patience 200\n";
  std::string again;
  AppendText(again, Parsed(text));
  EXPECT_EQ(again, text);
}

TEST(FaultText, SaysWhatItExpected) {
  for (const char* line :
       {"cut", "cut power", "cut power during call 1 of a#1 in boot 1",
        "cut fire before operation 1", "cut power before call x of a#1 in boot 1",
        "cut power before call 1 of a in boot 1", "cut power before operation 1 and more",
        "sync-error", "sync-error at operation 1", "lost page wal@1:a#1 0 v1"}) {
    FaultPlan plan;
    const absl::Status status = ParseFaultLine(line, plan);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << line;
    EXPECT_TRUE(plan.cuts.empty() && plan.sync_errors.empty()) << line;
  }
  FaultPlan plan = Parsed("cut power before operation 1\n");
  EXPECT_FALSE(ParseFaultLine("torn page wal@1:a#1 0 v1", plan).ok());
  EXPECT_FALSE(ParseFaultLine("torn page wal@1:a#1 0 v1 sectors 8", plan).ok());
}

}  // namespace
}  // namespace kiban::sim
