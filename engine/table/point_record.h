// An entry as a point index is told of it.
#pragma once

#include "engine/pointindex/record.h"
#include "engine/table/entry.h"

namespace kiban::table {

// Both numbers are on disk.
static_assert(static_cast<int>(Kind::kDelete) == static_cast<int>(pointindex::Kind::kDelete));
static_assert(static_cast<int>(Kind::kPut) == static_cast<int>(pointindex::Kind::kPut));

// `hash` is that of the key, `value_offset` where its value stands in the file.
inline pointindex::Record PointRecord(const Entry& entry, bool begins_key, uint64_t hash,
                                      uint64_t value_offset) {
  return {.key = entry.key,
          .begins_key = begins_key,
          .hash = hash,
          .sequence = entry.sequence,
          .kind = static_cast<pointindex::Kind>(entry.kind),
          .place = {.offset = value_offset, .bytes = static_cast<uint32_t>(entry.value.size())}};
}

}  // namespace kiban::table
