// Builds a PH3 section (format.h).
//
// Widths are known only once all records are; until then a key takes 72 bytes and its suffix, an
// older version 24.
#pragma once

#include <string>
#include <vector>

#include "engine/pointindex/builder.h"
#include "engine/pointindex/ph3_layout.h"
#include "engine/pointindex/record_order.h"

namespace kiban::pointindex {

class Ph3Builder final : public Builder {
 public:
  explicit Ph3Builder(const BuilderOptions& options) : options_(options) {}

  void Add(const Record& record) override;
  std::optional<std::string> Finish(uint64_t file_number, uint64_t offset) override;

 private:
  struct Version {
    base::Sequence sequence;
    uint64_t value_offset;
    uint32_t value_bytes;
    Kind kind;
  };
  struct Key {
    uint64_t suffix_offset;
    uint32_t shared_bytes;
    uint32_t suffix_bytes;
    uint32_t older_first;
    uint32_t older_count;
    Version newest;
  };
  struct Group {
    uint64_t arena_offset;
    uint32_t anchor_bytes;
    uint64_t value_base;  // The smallest offset of a value, UINT64_MAX while there is none.
  };

  void AddKey(const Record& record, const Version& newest);
  std::array<uint64_t, kPh3KeyFields> KeyNumbers(size_t i) const;
  Ph3Layout LayoutOf() const;
  void StoreSlots(char* section, const Ph3Layout& layout, const Ph3Parts& parts,
                  uint32_t seed) const;
  void StoreGroups(char* to) const;
  uint64_t ValueBase(size_t key) const { return groups_[key / kKeysPerGroup].value_base; }

  const BuilderOptions options_;
  RecordOrder order_;
  uint64_t record_count_ = 0;
  std::vector<uint64_t> hashes_;  // Of each key.
  std::vector<Key> keys_;
  std::vector<Version> older_;
  std::vector<Group> groups_;
  std::string arena_;
};

}  // namespace kiban::pointindex
