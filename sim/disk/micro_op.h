// What a file system owes: one call becomes several micro-operations, and a power cut keeps a legal subset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/disk/file_label.h"
#include "sim/disk/page_map.h"

namespace kiban::sim {

using InodeId = uint32_t;

enum class MicroKind : uint8_t {
  kPage,    // New bytes in one cache page.
  kSize,    // The file got longer (append, write past the end, truncate up).
  kShrink,  // The file got shorter; what was behind is gone.
  kAlloc,   // Space reserved; reads as zeros.
  kAdd,     // A name for a file or directory.
  kDel,     // A name taken away.
  kRename,  // Two slots at once.
};

// What a power cut did with one micro-operation.
struct Fate {
  bool kept = false;
  // kPage only, and only if kept: bit i set means that sector i of the page stayed as the version just
  // before left it.
  uint8_t torn_sectors = 0;
  friend bool operator==(const Fate&, const Fate&) = default;
};
using KeptSet = std::vector<Fate>;  // One for each pending micro-operation, in their order.

}  // namespace kiban::sim
