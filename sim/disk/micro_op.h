// What a file system owes: one call becomes several micro-operations, and a power cut keeps a legal
// subset.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/disk/page_map.h"
#include "sim/disk/shared.h"

namespace kiban::sim {

using InodeId = uint32_t;

enum class MicroKind : uint8_t {
  kPage,    // New bytes in one cache page.
  kSize,    // The file got longer (append, write past the end, truncate up).
  kShrink,  // The file got shorter; what was behind is gone.
  kAlloc,   // Space reserved beyond the old size; reads as zeros.
  kAdd,     // A name for a file or directory.
  kDel,     // A name taken away.
  kRename,  // Two slots at once.
};

// A place for a name in a directory.
struct Slot {
  InodeId dir = 0;
  std::string path;  // As the caller said it.

  std::string_view name() const {
    const std::string_view whole = path;
    return whole.substr(whole.rfind('/') + 1);  // npos + 1 is 0: all of it.
  }
};

struct NameChange {
  Slot slot;  // Of kRename: the new name.
  Slot from;  // Of kRename only: the old one.
};

struct MicroOp {
  MicroKind kind;
  // kPage: bit i set means that sector i may differ from what the version before left.
  uint8_t changed_sectors = 0;
  // kRename: its directories that were synced since. Both: it is no longer pending.
  bool from_synced = false;
  bool to_synced = false;
  InodeId inode;
  // kPage: of the page. kSize, kShrink, kAlloc: of the file's size. Both count from the making of
  // the file, whatever is synced. Names: the n-th pending operation that would read the same.
  uint32_t version = 1;
  uint64_t page = 0;           // kPage.
  uint64_t size_bytes = 0;     // kSize, kShrink, kAlloc: the new size.
  Shared<Page> content{};      // kPage: the whole page as this write left it.
  Shared<NameChange> names{};  // kAdd, kDel, kRename.

  bool IsName() const { return kind >= MicroKind::kAdd; }
  bool IsPage() const { return kind == MicroKind::kPage; }
  bool IsSize() const { return !IsName() && !IsPage(); }
};

// What a power cut did with one micro-operation.
struct Fate {
  bool kept = false;
  // kPage only, and only if kept: bit i set means that sector i of the page stayed as the version
  // just before left it.
  uint8_t torn_sectors = 0;
  friend bool operator==(const Fate&, const Fate&) = default;
};
using KeptSet = std::vector<Fate>;  // One for each pending micro-operation, in their order.

}  // namespace kiban::sim
