// Writes and moves of a cursor over one database, and what a sorted map says to each.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "engine/lsm/db.h"

namespace kiban::suites {

enum class CursorStepKind : uint8_t {
  kPut,
  kDelete,
  kFlush,
  kCompact,
  kSnapshot,
  kOpen,  // A cursor, in the place of the one before.
  kFirst,
  kLast,
  kSeek,
  kSeekForPrev,
  kNext,
  kPrev,
};

struct CursorStep {
  CursorStepKind kind = CursorStepKind::kPut;
  uint32_t key = 0;     // In the pool (keys.h). kOpen: where the range begins.
  uint32_t number = 0;  // kPut: bytes of the value. kOpen: end of the range, snapshot.
};

struct CursorScript {
  uint32_t block_bytes = 64;
  uint32_t restart_interval = 1;
  std::vector<CursorStep> steps;
};

// How often the scripts came to what cursors are good for.
struct CursorReach {
  uint64_t moves = 0;
  uint64_t turns = 0;           // From next to prev or back.
  uint64_t absent_targets = 0;  // Of seeks.
  uint64_t off_the_ends = 0;
  uint64_t bounded = 0;          // Moves in a range with an end,
  uint64_t behind_writes = 0;    // of a cursor that later writes must not disturb,
  uint64_t at_snapshots = 0;     // at a snapshot that is not the newest state,
  uint64_t over_tables = 0;      // over three tables or more,
  uint64_t over_levels = 0;      // over tables of two levels.
  uint64_t over_tombstones = 0;  // Keys that were deleted and not put again, when it was opened.
  uint64_t over_versions = 0;    // Keys that were put more than once, when it was opened.
};

using WrapCursor = std::function<std::unique_ptr<lsm::Cursor>(std::unique_ptr<lsm::Cursor>)>;

rc::Gen<CursorScript> CursorScripts();

// Plays a script, with each cursor in the wrapping, and says where it differs from a sorted map.
std::string WhyNotSorted(const CursorScript& script, const WrapCursor& wrap, CursorReach& reach);

void showValue(const CursorScript& script, std::ostream& os);

}  // namespace kiban::suites
