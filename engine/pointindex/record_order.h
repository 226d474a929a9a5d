// What builders check of a sequence of records.
#pragma once

#include <cstdint>

#include "engine/base/check.h"
#include "engine/pointindex/packed.h"
#include "engine/pointindex/record.h"

namespace kiban::pointindex {

// The order of keys is not looked at again: a table's builder has compared them.
class RecordOrder {
 public:
  void Check(const Record& record) {
    CHECK(record.sequence <= base::kSequenceMax);
    CHECK(record.key.size() <= UINT32_MAX);
    CHECK(record.place.offset < uint64_t{1} << kFieldBitsMax);
    CHECK(record.begins_key || record.sequence < last_sequence_);
    last_sequence_ = record.sequence;
  }

 private:
  base::Sequence last_sequence_ = 0;  // Nothing is below: the first record begins a key.
};

}  // namespace kiban::pointindex
