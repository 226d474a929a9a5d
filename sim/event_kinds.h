// Kinds of events in the trace beside those of calls, which are numbered by CallKind.
#pragma once

#include <cstdint>

namespace kiban::sim {

inline constexpr uint64_t kNoteEvent = 100;
inline constexpr uint64_t kMarkEvent = 101;
inline constexpr uint64_t kDeathEvent = 102;
inline constexpr uint64_t kGhostEvent = 103;
inline constexpr uint64_t kFateEvent = 104;
inline constexpr uint64_t kVerdictEvent = 105;
inline constexpr uint64_t kSwitchEvent = 106;  // From one task to another.

}  // namespace kiban::sim
