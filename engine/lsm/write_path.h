// One batch on its way: log, sync, memtable, visible.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/core.h"
#include "engine/lsm/db.h"

namespace kiban::lsm {

// What can be said before anything is touched: kInvalidArgument or kFailedPrecondition.
absl::Status CheckBatch(const Core& core, const Batch& batch);

// Appends a checked batch to the log, syncs it if asked to, and only then makes it visible. Returns
// its first sequence. After an error it is maybe in the log, and not visible.
absl::StatusOr<base::Sequence> ApplyBatch(Core& core, const Batch& batch, WriteOptions options);

// After OK everything in the log, and so everything acknowledged, survives any power cut.
absl::Status SyncLog(Core& core);

// Adds the operations of a batch's payload to a memtable, from sequence `first` on. Returns the
// sequence behind the last. kDataLoss, without a place, if the payload is not as a Batch writes it;
// the memtable must then be thrown away.
absl::StatusOr<base::Sequence> AddToMemtable(std::string_view payload, base::Sequence first,
                                             Memtable& memtable);

}  // namespace kiban::lsm
