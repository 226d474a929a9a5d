// One open table. Immutable, shared, safe to use from any task.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/cache/block_cache.h"
#include "engine/env.h"
#include "engine/pointindex/format.h"
#include "engine/table/entry.h"
#include "engine/table/format.h"
#include "engine/table/iterator.h"

namespace kiban::table {

// Where an answer came from.
enum class Tier : uint8_t {
  kCache,  // A block in memory.
  kDisk,   // A block that was read for it.
  kIndex,  // The point index.
};

struct ReaderOptions {
  cache::BlockCache* cache = nullptr;  // May be null; outlives the reader.
  // Use the table's point index, if it has one and `cache` has room for it and all blocks. They are
  // then read and checked when the table is opened.
  bool point_index = false;
  // For tests: a reader from before a layout.
  pointindex::Layout newest_layout = pointindex::Layout::kPh3;
};

// The newest version of a key that a reader at some sequence may see.
struct Found {
  base::Sequence sequence = 0;
  Kind kind = Kind::kPut;
  Tier tier = Tier::kCache;
  std::string value;
};

class TableReader {
 public:
  // Reads and checks footer, index and filter; blocks are read, and checked from first to last
  // entry, on demand. kDataLoss, with file and offset, for anything that is not valid
  // (format.h); kUnimplemented, naming it, for an intact table of a version or with a point
  // index of a layout that is not known. The cache is used under `file_number`.
  static absl::StatusOr<std::shared_ptr<const TableReader>> Open(engine::FileSystem& files,
                                                                 std::string path,
                                                                 uint64_t file_number,
                                                                 const ReaderOptions& options);
  virtual ~TableReader() = default;

  // The newest version of `key` with a sequence of at most `at`; nullopt if there is none.
  virtual absl::StatusOr<std::optional<Found>> Get(std::string_view key,
                                                   base::Sequence at) const = 0;
  // The iterator keeps the reader alive.
  virtual std::unique_ptr<Iterator> NewIterator() const = 0;
  // Reads every block, checks all of them against index, filter, footer and point index, and the
  // order of all entries. Of a resident table the open has done so, and it is not done again.
  virtual absl::Status Verify() const = 0;

  virtual std::string_view smallest_key() const = 0;
  virtual std::string_view largest_key() const = 0;
  virtual base::Sequence smallest_sequence() const = 0;
  virtual base::Sequence largest_sequence() const = 0;
  virtual uint64_t entry_count() const = 0;
  virtual uint64_t file_number() const = 0;
  virtual uint64_t size_bytes() const = 0;
  virtual TableFormat format() const = 0;
  // Blocks and point index are in memory, and the index answers Get().
  virtual bool is_resident() const = 0;
  // Tries again what the cache had no room for when the table was opened: whether it is resident by
  // this call. Others read on meanwhile. After an error, which is damage or the file's, the table
  // reads as before and will not try again. One task at a time.
  virtual absl::StatusOr<bool> TryToBeResident() const = 0;
};

}  // namespace kiban::table
