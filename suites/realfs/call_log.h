// What a process tells of its calls in memory that it shares with its judge, so that being killed
// at any moment takes nothing of it.
//
// Every call has two moments, each stamped with a ticket from one counter: the first is taken
// before the call begins, the second after it has returned. So whatever returned before another
// began has the smaller ticket. A ticket is stored after all that it stands for and is the only
// thing that is read first: a moment that was only half told has none, and the call has not begun,
// or has not returned.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "engine/base/sequence.h"
#include "suites/realfs/stress_plan.h"

namespace kiban::suites {

struct FoundPair {
  uint32_t key = 0;
  ValueOrigin value;
};

struct LoggedCall {
  std::atomic<uint64_t> called{0};  // A ticket; 0: has not begun.
  // What it returned. An error is told as a complaint.
  base::Sequence sequence = 0;  // A mutation's first; a read's state; otherwise 0.
  uint32_t pair_count = 0;      // What was read; of a kGet or kSnapshot none or one.
  std::array<FoundPair, kStressPairsMax> pairs;
  std::atomic<uint64_t> returned{0};  // A ticket; 0: has not returned.
};

// What was read after a recovery, before any other call.
struct LoggedRecovery {
  base::Sequence last_sequence = 0;
  std::array<ValueOrigin, kStressKeys> values;
  std::atomic<bool> is_complete{false};
};

// One process. Lies in zeroed memory that is shared with its children.
struct RoundLog {
  std::atomic<uint64_t> tickets{0};  // The last one given.
  std::atomic<uint64_t> writes{0};   // Calls that writers have begun.
  LoggedRecovery recovery;
  std::array<std::array<LoggedCall, kStressCallsMax>, kStressTasks> calls;  // By task.
  std::array<char, 400> complaint;  // What the process itself found wrong; the first counts.
  std::atomic<bool> has_complaint{false};
};

static_assert(std::atomic<uint64_t>::is_always_lock_free);

// Owns one such piece of memory.
class SharedLog {
 public:
  SharedLog();
  ~SharedLog();
  SharedLog(const SharedLog&) = delete;
  SharedLog& operator=(const SharedLog&) = delete;

  RoundLog& round() { return *round_; }

 private:
  RoundLog* round_;
};

}  // namespace kiban::suites
