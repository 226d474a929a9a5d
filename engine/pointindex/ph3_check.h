// Holds a PH3 section to the records of its table, in one walk in order.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/pointindex/ph3_section.h"

namespace kiban::pointindex {

// Each call returns null, or what is wrong. Whatever a section says is compared with what it must
// say before it is followed: no offset in it is trusted.
class Ph3Check {
 public:
  explicit Ph3Check(const Ph3Section& section) : section_(section) {}

  const char* Key(const Record& record);      // The newest version of the next key.
  const char* Version(const Record& record);  // The next version of that key.
  const char* End();

 private:
  const char* BeginGroup(std::string_view anchor);
  const char* CheckVersion(const char* version, const Record& record) const;
  // Whether `bytes` come next in the arena; steps behind them.
  bool TakeFromArena(std::string_view bytes);

  const Ph3Section& section_;
  uint64_t key_count_ = 0;
  uint64_t older_at_ = 0;    // In versions, of all keys.
  uint64_t older_left_ = 0;  // Of this key.
  uint64_t arena_at_ = 0;
  uint64_t suffixes_at_ = 0;  // Of this group, in the arena.
  std::string_view anchor_;   // Of this group, in the arena.
  uint64_t value_base_ = 0;   // Of this group.
};

}  // namespace kiban::pointindex
