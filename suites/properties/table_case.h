// A random table for readers to agree on, and the file that it becomes in each format.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/memory/memory_env.h"
#include "engine/pointindex/builder.h"
#include "engine/table/reader.h"
#include "suites/properties/edits.h"
#include "suites/properties/entries.h"

namespace kiban::suites {

// One entry. Beside those of the pool (keys.h) its key may have the fingerprint of others, the hash
// of another, or a prefix of 300 bytes in common with others.
struct EntrySpec {
  uint32_t key = 0;
  uint32_t sequence = 0;
  uint32_t value_bytes = 0;
  bool is_delete = false;
};

struct TableCase {
  std::vector<EntrySpec> specs;
  uint32_t filler_keys = 0;  // More than 1,024: several groups of the point index.
  uint32_t block_bytes = 4096;
  uint32_t restart_interval = 16;
  bool is_wide = false;

  std::vector<OwnedEntry> Entries() const;  // At least one.
  // Of the fillers some, of the others all; and keys that are not there.
  std::vector<std::string> Keys() const;
};

rc::Gen<TableCase> TableCases();
void showValue(const TableCase& c, std::ostream& os);

// Sequences to read at: before, between and behind all that a table may have.
const std::vector<base::Sequence>& ReadSequences();

// The versions of each key, oldest first: what every reader has to say.
class SortedVersions {
 public:
  explicit SortedVersions(const std::vector<OwnedEntry>& entries);
  // The newest version of `key` up to `at`; null: none.
  const OwnedEntry* Find(std::string_view key, base::Sequence at) const;

 private:
  std::map<std::string, std::map<base::Sequence, OwnedEntry>, std::less<>> keys_;
};

// Tables in a directory in memory.
class Tables {
 public:
  static constexpr uint64_t kFile = 12;

  // The bytes of a table of these entries; nothing for `point_index`: format 3.
  std::string Build(const TableCase& c, const std::vector<OwnedEntry>& entries,
                    std::optional<pointindex::BuilderOptions> point_index);
  // A reader of a table of these bytes. The file goes with the next call; an open reader keeps it.
  absl::StatusOr<std::shared_ptr<const table::TableReader>> Open(
      std::string_view bytes, const table::ReaderOptions& options);

 private:
  memory::MemoryEnv env_;
};

// How a table answers: an error, or the newest version up to a sequence.
using LookUp = std::function<absl::StatusOr<std::optional<OwnedEntry>>(const std::string& key,
                                                                       base::Sequence at)>;
LookUp LookUpOf(std::shared_ptr<const table::TableReader> reader);

// What is wrong with an answer that should be `right` (null: nothing is there); `may_fail`: or
// kDataLoss.
std::string WhyNotAnswer(const absl::StatusOr<std::optional<OwnedEntry>>& answer,
                         const OwnedEntry* right, bool may_fail);

// All entries from first to last. `backward`: read from the last on, and turned round.
struct Scanned {
  absl::Status status;
  std::vector<OwnedEntry> entries;
};
Scanned Scan(const table::TableReader& reader, bool backward);

}  // namespace kiban::suites
