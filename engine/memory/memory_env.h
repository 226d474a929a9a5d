// The seam in memory, without a fault: for unit and property tests, where a file must cost nothing.
//
// Everything is as engine/env.h says, with syncs that have nothing to do. It is used by one task at
// a time, and the mistakes that the seam forbids (a write through kRead, a call after Close(), a
// write under a mapping) are CHECKed.
#pragma once

#include <memory>

#include "engine/env.h"

namespace kiban::memory {

class CountingClock;
class FixedRandom;
class MemoryFileSystem;

class MemoryEnv {
 public:
  MemoryEnv();
  ~MemoryEnv();
  MemoryEnv(const MemoryEnv&) = delete;
  MemoryEnv& operator=(const MemoryEnv&) = delete;

  // Its pointers live as long as this object. The clock counts the calls made to it, chance is the
  // same numbers every time, and there are no tasks.
  engine::Env env();

  // Leaves in `to` what a restart after a kill would find here: names and bytes, no locks and no
  // files that only somebody's handle keeps alive. Nothing that `to` had open changes.
  void CopyFilesTo(MemoryEnv& to) const;

 private:
  std::unique_ptr<MemoryFileSystem> files_;
  std::unique_ptr<CountingClock> clock_;
  std::unique_ptr<FixedRandom> random_;
};

}  // namespace kiban::memory
