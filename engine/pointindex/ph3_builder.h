// Builds a PH3 section (format.h).
//
// Widths are known only once all records are; until then a key takes 20 bytes and its suffix, a
// version 24.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/pointindex/builder.h"
#include "engine/pointindex/ph3_layout.h"
#include "engine/pointindex/record_order.h"

namespace kiban::pointindex {

class Ph3Builder final : public Builder {
 public:
  explicit Ph3Builder(const BuilderOptions& options) : options_(options) {}

  void Reserve(size_t record_count) override;
  void Add(const Record& record) override;
  std::optional<std::string> Finish(uint64_t file_number, uint64_t offset) override;

 private:
  struct Version {
    base::Sequence sequence = 0;
    uint64_t value_offset = 0;  // Of kPut, like value_bytes.
    uint32_t value_bytes = 0;
    Kind kind = Kind::kPut;
  };
  struct Key {
    uint32_t shared_bytes = 0;
    uint32_t suffix_bytes = 0;
    uint32_t version_count = 0;
  };
  struct Group {
    uint64_t arena_offset;
    uint32_t anchor_bytes;
    uint64_t value_base;  // The smallest offset of a value, UINT64_MAX while there is none.
  };

  using Versions = std::span<const Version>;

  void AddKey(const Record& record);
  // Calls visit(key, its numbers, its versions, value_base) for each key in order.
  template <typename Visit>
  void ForEachKey(Visit visit) const;
  Ph3Layout LayoutOf() const;
  void StoreSlots(char* section, const Ph3Layout& layout, const Ph3Parts& parts,
                  uint32_t seed) const;
  void StoreGroups(char* to) const;

  const BuilderOptions options_;
  RecordOrder order_;
  uint64_t record_count_ = 0;
  std::vector<uint64_t> hashes_;  // Of each key.
  std::vector<Key> keys_;
  std::vector<Version> versions_;  // Of all records.
  std::vector<Group> groups_;
  std::string arena_;
};

}  // namespace kiban::pointindex
