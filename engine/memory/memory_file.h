// A file or directory of a MemoryEnv, and the handles to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/env.h"

namespace kiban::memory {

// Kept alive by its names (entries of directories) and by open handles, which is all that a link
// count and an open count are for.
struct Inode {
  bool is_dir = false;
  std::map<std::string, std::shared_ptr<Inode>, std::less<>> entries;  // Empty unless is_dir.
  std::vector<std::byte> bytes;                                        // Empty if is_dir.
  uint32_t mapping_count = 0;
  bool locked = false;
};

// More than this is "no space": a test that asks for it has lost its way.
inline constexpr uint64_t kFileBytesMax = uint64_t{1} << 30;

std::unique_ptr<engine::File> OpenInode(std::string path, std::shared_ptr<Inode> inode,
                                        bool writable);

}  // namespace kiban::memory
