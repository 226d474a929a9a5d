// Builds a PH2 section (format.h). Kept so that tests can write what readers have to read for ever.
#pragma once

#include <string>
#include <vector>

#include "engine/pointindex/builder.h"
#include "engine/pointindex/record_order.h"

namespace kiban::pointindex {

class Ph2Builder final : public Builder {
 public:
  explicit Ph2Builder(const BuilderOptions& options) : options_(options) {}

  void Reserve(size_t record_count) override;
  void Add(const Record& record) override;
  std::optional<std::string> Finish(uint64_t file_number, uint64_t offset) override;

 private:
  const BuilderOptions options_;
  RecordOrder order_;
  std::vector<uint64_t> hashes_;   // Of each key.
  std::vector<uint64_t> offsets_;  // Of each key in arena_.
  uint64_t record_count_ = 0;
  std::string arena_;
};

}  // namespace kiban::pointindex
