// What whoever watches a life is told of it, as it happens: for timelines. Values of texts and
// numbers, so that they can be told on to another process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/ticks.h"

namespace kiban::sim {

// What a cut did with one micro-operation, and the rule of disk/README.md by which it may be gone.
struct ToldFate {
  std::string text;  // As Disk::Describe() says it.
  std::string fate;  // "kept", "lost", "torn".
  std::string rule;  // "D13: ..."; empty if it was kept.
};

struct Told {
  enum class Kind : uint8_t {
    kBoot,
    kSpanEnter,
    kSpanLeave,
    kCall,
    kMark,
    kNote,       // By the program that runs on the machine.
    kJudge,      // By whoever judges it; no event.
    kSyncError,  // The call that fails of it is told next.
    kDeath,
    kCut,  // What is left after a death.
  };
  static constexpr uint64_t kKindCount = 10;

  Kind kind = Kind::kNote;
  // By which Machine options stop before it: the number of its event in the trace, from 0. What is
  // none there has the number of the next.
  uint64_t event = 0;
  uint32_t boot = 1;
  base::Ticks time = 0;
  std::string task;
  std::string span;    // Innermost; empty if none is open.
  uint64_t depth = 0;  // How many spans are open.
  std::string text;    // For people; of a call, its arguments beside the path.
  uint64_t owed_bytes = 0;
  // Calls only.
  std::string call;         // "write" ...
  uint64_t occurrence = 0;  // Where it was made, as sim::Anchor tells it: of its span ...
  uint64_t nth_call = 0;    // ... and in that.
  std::string path;
  std::string label;              // Of the file whose handle was called: names change, this stays.
  std::string result;             // "ok", or the error.
  std::vector<std::string> owes;  // What it left to be made safe, as Disk::Describe() says it ...
  std::vector<std::string> safe;  // ... what it made safe ...
  std::vector<std::string> damaged;  // ... what nobody owes any more, though it is not safe ...
  std::vector<std::string> gone;  // ... and what went unsafe with its file, which nothing reaches.
  // Cuts only.
  std::vector<ToldFate> fates;
};

// One line, without a newline; empty for what is no event.
std::string EventLine(const Told& told);

}  // namespace kiban::sim
