// What a model says when something may not be.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiban::models {

// `kind`: a few fixed words, one of those below, by which failures are grouped. `detail`, for
// people: the key, the sequence, what promised it, what was found instead.
struct Complaint {
  std::string kind;
  std::string detail;
};
using Judgement = std::optional<Complaint>;  // nullopt: allowed.

// Promises broken by a crash.
inline constexpr std::string_view kDurableWriteLost = "durable write lost";
inline constexpr std::string_view kAcknowledgedWriteLost = "acknowledged write lost";
inline constexpr std::string_view kReadWriteLost = "write lost that was read";
inline constexpr std::string_view kBatchTorn = "batch torn";
inline constexpr std::string_view kLostWriteCameBack = "lost write came back";
// Contents.
inline constexpr std::string_view kFailedWriteVisible = "failed write visible";
inline constexpr std::string_view kKeyMissing = "key missing";
inline constexpr std::string_view kUnexpectedKey = "unexpected key";
inline constexpr std::string_view kUnexpectedValue = "unexpected value";
// The witness.
inline constexpr std::string_view kSequenceReused = "sequence reused";
inline constexpr std::string_view kSequencesOverlap = "sequences overlap";
inline constexpr std::string_view kSequenceOutOfOrder = "sequence out of order";
inline constexpr std::string_view kSequenceSkipped = "sequence skipped";
inline constexpr std::string_view kStateAtNoSequence = "state at no sequence";
inline constexpr std::string_view kReadOfThePast = "read of the past";
inline constexpr std::string_view kReadAtNoSequence = "read at no sequence";
// Not the engine's fault: there are more ways to place what is unknown than the model tries. Never
// green.
inline constexpr std::string_view kUndecided = "undecided";

// Quoted, with \xNN for what is not printable; of long bytes the first 24 and the length.
std::string Quote(std::string_view bytes);

}  // namespace kiban::models
