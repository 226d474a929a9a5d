// Holds a PH3 section to the records of its table, in one walk in order.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/pointindex/ph3_section.h"
#include "engine/pointindex/slots_ahead.h"

namespace kiban::pointindex {

// Each call returns null, or what is wrong. What a section must say follows from the records alone:
// it is compared and never followed, so no offset in it is trusted. Slots are looked at some keys
// later, when they have arrived.
class Ph3Check {
 public:
  explicit Ph3Check(const Ph3Section& section)
      : section_(section), ahead_(section.hash, section.slots, section.layout.slot_bytes()) {}

  const char* Key(const Record& record);      // The newest version of the next key.
  const char* Version(const Record& record);  // The next version of that key.
  const char* End();

 private:
  // What the slot of a key must hold.
  struct Expected {
    std::array<uint64_t, kPh3KeyFields> key;
    std::array<uint64_t, kPh3VersionFields> newest;
  };

  Expected& last() { return expected_[(key_count_ - 1) % SlotsAhead::kRing]; }
  const char* BeginGroup(std::string_view anchor);
  const char* CheckNextSlot();
  std::array<uint64_t, kPh3VersionFields> NumbersOf(const Record& version) const {
    return section_.layout.VersionNumbers(version.sequence, version.kind, version.place,
                                          value_base_);
  }
  // Whether `bytes` come next in the arena; steps behind them.
  bool TakeFromArena(std::string_view bytes);

  const Ph3Section& section_;
  SlotsAhead ahead_;
  std::array<Expected, SlotsAhead::kRing> expected_;
  uint64_t key_count_ = 0;
  uint64_t checked_ = 0;   // Keys whose slots have been looked at.
  uint64_t older_at_ = 0;  // In versions, of all keys.
  uint64_t arena_at_ = 0;
  uint64_t suffixes_at_ = 0;  // Of this group, in the arena.
  std::string_view anchor_;   // Of this group, in the arena.
  uint64_t value_base_ = 0;   // Of this group.
};

}  // namespace kiban::pointindex
