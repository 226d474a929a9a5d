// Batches on their way: log, sync, memtable, visible.
#pragma once

#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/core.h"

namespace kiban::lsm {

// What one call wants done.
struct WriteRequest {
  const Batch* batch = nullptr;  // Null: Sync(), which writes nothing of its own.
  bool sync = false;
  base::Sequence first_sequence = 0;  // Answer: that of the batch.
};

// What can be said before anything is touched: kInvalidArgument.
absl::Status CheckBatch(const Batch& batch);

// Whether the batch's operations can still be numbered, or kFailedPrecondition. The writer's.
absl::Status CheckSequences(const Core& core, const Batch& batch);

// The writer's: puts the checked batches, in their order, into the log with one append, syncs it
// once if anybody asked for it, and only then makes them visible, all at once. After an error each
// is maybe in the log, and none is visible.
absl::Status ApplyGroup(Core& core, std::span<WriteRequest* const> group);

// Adds the operations of a batch's payload to a memtable, from sequence `first` on. Returns the
// sequence behind the last. kDataLoss, without a place, if the payload is not as a Batch writes it;
// the memtable must then be thrown away.
absl::StatusOr<base::Sequence> AddToMemtable(std::string_view payload, base::Sequence first,
                                             Memtable& memtable);

}  // namespace kiban::lsm
