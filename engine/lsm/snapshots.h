// The sequences at which somebody still wants to read. Compaction keeps what they can see.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "engine/base/sequence.h"
#include "engine/lsm/db.h"

namespace kiban::lsm {

class SnapshotList {
 public:
  // The snapshot holds on to `list`, so that giving it back late is harmless.
  static std::unique_ptr<Snapshot> Take(std::shared_ptr<SnapshotList> list,
                                        base::Sequence sequence);

  // Ascending, without repetition.
  std::vector<base::Sequence> Sequences() const;

 private:
  class Held;
  std::multiset<base::Sequence> held_;
};

}  // namespace kiban::lsm
