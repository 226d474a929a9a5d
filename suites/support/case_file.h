// A failure is a file: one life as text, complete in itself, that a person can read and edit.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "suites/support/life.h"
#include "suites/support/plan.h"
#include "suites/support/verdict.h"

namespace kiban::suites {

inline constexpr int kCaseVersion = 1;

// What was tried in vain along one axis of a shrink (shrink_axes.h): to take each of these things
// away, alone. The case then failed in another way or not at all.
struct TriedAxis {
  std::string name;
  std::vector<std::string> things;
  friend bool operator==(const TriedAxis&, const TriedAxis&) = default;
};

struct Case {
  Plan plan;
  Verdict expect =
      Verdict::kHeld;  // What ought to be: held, unless it plants a bug, which it then names.
  // What was seen when it was written.
  Verdict found = Verdict::kHeld;
  std::string signature;
  std::string digest;  // Compared only within one build.
  std::string build;
  std::string revision;
  std::string why;          // Corpora: a sentence on what it was.
  std::string logic_plant;  // The patch of suites/mutants that the program must be built with.
  std::vector<std::string>
      marks;  // What it reached; a corpus entry that no longer does has rotted.
  std::vector<std::string> crash_spans;   // Likewise ...
  std::vector<std::string> formats;       // ... tables that it wrote ...
  std::vector<std::string> format_pairs;  // ... and FormatPair()s.
  // After a power cut: the edge of durability that it lacks, in words (barrier.h); empty: not
  // looked for.
  std::string barrier;
  std::string weakest;                 // The weakest profile in which it fails; empty: unknown.
  std::vector<TriedAxis> certificate;  // That it is minimal; empty: it is not known to be.
};

std::string FormatCase(const Case& c);

// kInvalidArgument: not a case, or not all of it, with the line and what was expected there.
// kUnimplemented: a case of another version, or with something in it that this one does not know.
absl::StatusOr<Case> ParseCaseFile(std::string_view text);

// The same of what AppendPlan() wrote, which does not tell its own end.
absl::StatusOr<Case> ParseCase(std::string_view text);

// The text of a plan alone, as a worker leaves it before the life begins; FormatCase is this and
// more.
void AppendPlan(std::string& to, const Plan& plan);

// The plan of a life that ended with its process: `decisions` is what LifeOptions::on_decision was
// told. Faults that had not struck are left out.
absl::StatusOr<Plan> WithDecisions(Plan plan, std::string_view decisions);

}  // namespace kiban::suites
