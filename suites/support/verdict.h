// How a life ends. Only *held* is green.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kiban::suites {

enum class Verdict : uint8_t {
  kHeld,         // Everything read was allowed.
  kViolated,     // Safety: something read is not allowed, or something promised is gone.
  kUnavailable,  // The engine refused what a legal crash left.
  kCrashed,      // CHECK, signal, sanitizer report or run-away in the engine.
  kStuck,        // A dead process that does not run out.
  kGaveUp,       // The step budget ended.
  kBroken,       // The harness itself failed, or the second run diverged.
};
inline constexpr size_t kVerdictCount = 7;

std::string_view Name(Verdict verdict);  // "held", "gave_up", ...
std::optional<Verdict> FindVerdict(std::string_view name);

}  // namespace kiban::suites
