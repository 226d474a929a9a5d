// One block in memory, without its crc32: checked once, when it is loaded, and from then on
// believed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/bytes.h"
#include "engine/base/sequence.h"
#include "engine/table/entry.h"
#include "engine/table/format.h"

namespace kiban::table {

// An entry as it stands in a block.
struct RawEntry {
  uint32_t shared_bytes = 0;
  std::string_view suffix;
  std::string_view value;
  uint64_t tag = 0;

  base::Sequence sequence() const { return tag >> kKindBits; }
  Kind kind() const { return static_cast<Kind>(tag & ((1u << kKindBits) - 1)); }
};

// Takes one entry off the front of `from`. False if it is cut short; nothing else is checked.
bool TakeEntry(std::string_view& from, RawEntry& entry);

// What is known of a block once all of it has been looked at.
struct BlockEnds {
  uint64_t entry_count = 0;
  std::string_view first_key;  // In the block.
  base::Sequence first_sequence = 0;
  std::string last_key;
  base::Sequence last_sequence = 0;
};

// Looks at every byte. Null if `block` is as BlockBuilder makes it, otherwise what is wrong.
const char* CheckBlock(std::string_view block, BlockEnds& ends);

// The parts of a block that CheckBlock() has passed.
class BlockView {
 public:
  BlockView() = default;
  explicit BlockView(std::string_view block)
      : block_(block),
        restart_count_(base::LoadLittle<uint32_t>(block.data() + block.size() - 4)),
        entries_bytes_(block.size() - 4 - size_t{4} * restart_count_) {}

  uint32_t restart_count() const { return restart_count_; }
  // The entries from the i-th restart to the end of the block.
  std::string_view From(uint32_t i) const {
    const size_t offset = RestartOffset(i);
    return block_.substr(offset, entries_bytes_ - offset);
  }
  // The entries from the i-th restart to the next.
  std::string_view Run(uint32_t i) const {
    const size_t end = i + 1 < restart_count_ ? RestartOffset(i + 1) : entries_bytes_;
    const size_t offset = RestartOffset(i);
    return block_.substr(offset, end - offset);
  }
  // The last restart whose entry stands before (key, sequence); 0 if none does.
  uint32_t FindRestart(std::string_view key, base::Sequence sequence) const;

 private:
  size_t RestartOffset(uint32_t i) const {
    return base::LoadLittle<uint32_t>(block_.data() + entries_bytes_ + size_t{4} * i);
  }

  std::string_view block_;
  uint32_t restart_count_ = 0;
  size_t entries_bytes_ = 0;
};

// Finds the newest version of `key` with a sequence of at most `at` in a checked block. Copies
// nothing.
bool FindInBlock(std::string_view block, std::string_view key, base::Sequence at, RawEntry& found);

}  // namespace kiban::table
