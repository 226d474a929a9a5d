// A position among ordered entries (entry.h). Memtables, tables and merges of them look alike.
//
// An iterator that is not Valid() has run off an end or has failed: status() tells which, and an
// error sticks. Views in entry() live until the next call that moves the iterator.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/table/entry.h"

namespace kiban::table {

class Iterator {
 public:
  virtual ~Iterator() = default;
  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  // The first entry that does not stand before (key, sequence).
  virtual void Seek(std::string_view key, base::Sequence sequence) = 0;
  // The last entry that stands before (key, sequence).
  virtual void SeekBefore(std::string_view key, base::Sequence sequence) = 0;
  virtual void Next() = 0;                 // Needs Valid().
  virtual void Prev() = 0;                 // Needs Valid().
  virtual const Entry& entry() const = 0;  // Needs Valid().
  virtual absl::Status status() const = 0;
};

}  // namespace kiban::table
