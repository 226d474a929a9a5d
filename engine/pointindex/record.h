// What a point index is told of a table and what it tells of a key. A table is not seen from here:
// only its records, in the order in which they stand, and where their values begin.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/hash.h"
#include "engine/base/sequence.h"

namespace kiban::pointindex {

enum class Kind : uint8_t { kDelete = 0, kPut = 1 };

// A value among the sorted blocks of its table, which hold it in one piece.
struct ValuePlace {
  uint64_t offset = 0;  // In the file.
  uint32_t bytes = 0;
  bool operator==(const ValuePlace&) const = default;
};

// What stands for a key: decides slots and fingerprints on disk, so it never changes. A table has
// computed it for its filter anyway.
inline uint64_t KeyHash(std::string_view key) { return base::Hash64(key); }

struct Record {
  std::string_view key;
  bool begins_key = false;  // Not the next version of the key of the record before.
  uint64_t hash = 0;        // KeyHash(key); tests give worse ones.
  base::Sequence sequence = 0;
  Kind kind = Kind::kPut;
  ValuePlace place;  // Not looked at for kDelete.
};

// Fills in the next record, keys ascending by unsigned bytes, versions of one key newest first,
// `begins_key` as it is: whoever has the records knows, and nobody looks again. False at the end.
// The key lives until the next call.
using NextRecord = absl::FunctionRef<absl::StatusOr<bool>(Record&)>;

enum class Found : uint8_t { kNothing, kDelete, kPut };

struct Answer {
  Found found = Found::kNothing;
  base::Sequence sequence = 0;
  ValuePlace place;  // Of kPut.
  bool operator==(const Answer&) const = default;
};

}  // namespace kiban::pointindex
