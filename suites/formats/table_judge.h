// A table file with damage in it: does anything it answers differ from what was put in?
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/cache/block_cache.h"
#include "engine/table/builder.h"
#include "engine/table/table_test_util.h"
#include "suites/formats/damage.h"

namespace kiban::suites {

// How a table is written, and whether its point index is used to read it.
struct TableForm {
  std::string name;
  table::BuilderOptions options;
  bool is_resident = false;
};

class TableJudge {
 public:
  static constexpr uint64_t kFileNumber = table::TableDir::kFile;

  TableJudge(TableForm form, std::vector<table::OwnedEntry> entries);

  const TableForm& form() const { return form_; }
  const std::string& file() const { return file_; }
  bool has_point_index() const { return form_.options.point_index.has_value(); }

  // What the file consists of, in its order: blocks, point index, filter, index, footer.
  const Part& blocks() const { return parts_.front(); }
  const Part& footer() const { return parts_.back(); }
  const std::vector<Part>& parts() const { return parts_; }
  // Block by block.
  std::vector<Part> EachBlock() const;

  // Opens `file` as the form says and reads everything: each version at each sequence that might
  // tell it from another, keys that are not there, scans both ways, from the ends and from
  // everywhere. Then it verifies.
  Judgement Judge(const std::string& file);

  // The whole file opened, then its bytes replaced on disk, then everything read.
  Judgement JudgeAfterOpening(const std::string& file);

 private:
  absl::StatusOr<std::shared_ptr<const table::TableReader>> Open();
  Judgement JudgeReads(const table::TableReader& table, bool is_verified) const;

  const TableForm form_;
  const std::vector<table::OwnedEntry> entries_;  // In order.
  table::TableDir dir_;
  std::unique_ptr<cache::BlockCache> cache_;  // Outlives its tables.
  std::string file_;
  std::vector<Part> parts_;
};

// Few entries, but one of everything: several versions in several blocks, deletes, no key at all,
// zeros in keys, a key too long for the memory of a fence, values of no and of many bytes.
std::vector<table::OwnedEntry> EntriesOfAllKinds();

}  // namespace kiban::suites
