#include "suites/support/verdict.h"

#include "engine/base/check.h"

namespace kiban::suites {

std::string_view Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHeld:
      return "held";
    case Verdict::kViolated:
      return "violated";
    case Verdict::kUnavailable:
      return "unavailable";
    case Verdict::kCrashed:
      return "crashed";
    case Verdict::kStuck:
      return "stuck";
    case Verdict::kGaveUp:
      return "gave_up";
    case Verdict::kBroken:
      return "broken";
  }
  CHECK(false);
}

std::optional<Verdict> FindVerdict(std::string_view name) {
  for (size_t i = 0; i < kVerdictCount; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    if (Name(verdict) == name) return verdict;
  }
  return std::nullopt;
}

}  // namespace kiban::suites
