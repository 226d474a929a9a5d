// The sequences at which somebody still wants to read. Compaction keeps what they can see.
//
// Any tasks. A snapshot takes the newest visible sequence and registers it in one step under the
// lock, so one that is not yet in the list that a compaction works by will not lie below anything
// that was visible when the list was copied. A compaction merges tables, and all that is in tables
// was visible before: the newest version of each key in them is what a later snapshot sees.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "engine/base/atomic.h"
#include "engine/base/sequence.h"
#include "engine/base/sync.h"
#include "engine/lsm/db.h"

namespace kiban::lsm {

class SnapshotList {
 public:
  explicit SnapshotList(engine::Tasks* tasks) : mutex_(tasks, "lsm.snapshots") {}

  // At `last_sequence`. The snapshot holds on to `list`, so that giving it back late is harmless.
  static std::unique_ptr<Snapshot> Take(std::shared_ptr<SnapshotList> list,
                                        const base::Atomic<base::Sequence>& last_sequence);

  // Ascending, without repetition.
  std::vector<base::Sequence> Sequences() const;

  // Whether any of `sequences`, which are ascending, is still live.
  bool HoldsAny(const std::vector<base::Sequence>& sequences) const;

 private:
  class Held;
  using Place = std::multiset<base::Sequence>::iterator;

  mutable base::Mutex mutex_;
  std::multiset<base::Sequence> held_;
};

}  // namespace kiban::lsm
