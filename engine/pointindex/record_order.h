// Where one key ends and the next begins in a sequence of records, for builders.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/check.h"
#include "engine/pointindex/packed.h"
#include "engine/pointindex/record.h"

namespace kiban::pointindex {

class RecordOrder {
 public:
  // Whether `record` is the newest version of another key than the record before.
  bool BeginsKey(const Record& record) {
    CHECK(record.sequence <= base::kSequenceMax);
    CHECK(record.key.size() <= UINT32_MAX);
    CHECK(record.place.offset < uint64_t{1} << kFieldBitsMax);
    const int order = has_last_ ? record.key.compare(last_key_) : 1;
    CHECK(order >= 0);
    CHECK(order > 0 || record.sequence < last_sequence_);
    has_last_ = true;
    last_sequence_ = record.sequence;
    if (order > 0) last_key_.assign(record.key);
    return order > 0;
  }

 private:
  bool has_last_ = false;
  std::string last_key_;
  base::Sequence last_sequence_ = 0;
};

}  // namespace kiban::pointindex
