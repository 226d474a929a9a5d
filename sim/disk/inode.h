// A file or a directory: what calls see of it, what is safe of it, and what keeps it in being.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/disk/file_label.h"
#include "sim/disk/micro_op.h"
#include "sim/disk/page_map.h"

namespace kiban::sim {

struct Inode {
  // One of the two copies of everything: pages and size of a file, or entries of a directory.
  struct Copy {
    PageMap pages;
    uint64_t size_bytes = 0;
    std::map<std::string, InodeId, std::less<>> entries;
  };

  FileLabel label;
  uint64_t label_key = 0;
  bool is_dir = false;
  Copy seen;  // V. Bytes behind the size are zeros.
  // D. Bytes behind the size are those of pages made safe while the size was still owed.
  Copy safe;
  uint32_t size_version = 0;
  // Pages whose write failed (ascending): V has the new bytes, D the old ones, and nothing is owed.
  std::vector<uint64_t> ghosts;

  // When all four are zero, nothing can ever reach it again.
  uint32_t pins = 0;
  uint32_t seen_names = 0;
  uint32_t safe_names = 0;
  uint32_t owed_names = 0;  // Pending name operations about it.

  bool IsReachable() const { return pins + seen_names + safe_names + owed_names > 0; }
};

}  // namespace kiban::sim
