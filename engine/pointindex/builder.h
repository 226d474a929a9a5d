// Makes the section of one table while the table is written. The layouts are in format.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/pointindex/format.h"
#include "engine/pointindex/record.h"

namespace kiban::pointindex {

// For tests only; the defaults are what is written.
struct BuilderOptions {
  Layout layout = Layout::kPh3;
  bool is_wide = false;              // PH3: every field has all its bits, whatever the table needs.
  uint32_t seed_count = kSeedCount;  // 0: the search for a perfect hash is given up at once.
};

class Builder {
 public:
  static std::unique_ptr<Builder> Make(const BuilderOptions& options);
  virtual ~Builder() = default;

  // Takes room for as many, before the first. More or fewer may come.
  virtual void Reserve(size_t record_count) = 0;

  // Records come in order, no two alike. What is checked (CHECK) is the order of a key's versions;
  // that of keys the caller has looked at.
  virtual void Add(const Record& record) = 0;

  // The section, to stand at `offset` of the file. None if the table is empty, has too many records
  // or keys of equal hashes, or if the search for a perfect hash was given up: the table is then
  // written without. Ends the builder.
  virtual std::optional<std::string> Finish(uint64_t file_number, uint64_t offset) = 0;
};

}  // namespace kiban::pointindex
