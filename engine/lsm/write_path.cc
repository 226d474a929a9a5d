#include "engine/lsm/write_path.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/limits.h"

namespace kiban::lsm {
namespace {

// Numbers the batches and hands them to the file system. Returns how many there are.
absl::StatusOr<uint64_t> AppendToLog(Core& core, std::span<WriteRequest* const> group) {
  uint64_t batch_count = 0;
  base::Sequence next = core.last_sequence.LoadOwn() + 1;
  for (WriteRequest* const request : group) {
    if (request->batch == nullptr) continue;
    const std::string_view payload = request->batch->payload();
    if (payload.size() > core.options.write_buffer_bytes) MARK("memtable.batch_larger_than_buffer");
    RETURN_IF_ERROR(core.log->Add(next, core.durable_through, payload));
    request->first_sequence = next;
    next += request->batch->count();
    ++batch_count;
  }
  if (batch_count == 0) return batch_count;
  if (group.size() == 1) {
    SPAN("write.append");
    RETURN_IF_ERROR(core.log->Flush());
  } else {
    SPAN("group.append");
    RETURN_IF_ERROR(core.log->Flush());
  }
  return batch_count;
}

absl::Status SyncLog(Core& core, std::span<WriteRequest* const> group) {
  if (group.size() == 1) {
    SPAN("write.sync");
    RETURN_IF_ERROR(core.log->Sync());
  } else {
    SPAN("group.sync");
    RETURN_IF_ERROR(core.log->Sync());
  }
  ++core.stats.log_syncs;
  return absl::OkStatus();
}

void MarkSharedSync(std::span<WriteRequest* const> group, uint64_t batch_count) {
  if (batch_count >= 3) MARK("group.of_three_synced");
  const bool all_asked = std::all_of(group.begin(), group.end(),
                                     [](const WriteRequest* request) { return request->sync; });
  if (!all_asked) MARK("group.sync_shared");
}

}  // namespace

absl::Status CheckBatch(const Batch& batch) {
  if (batch.count() == 0) return absl::InvalidArgumentError("empty batch");
  if (batch.longest_key_bytes() > kKeyBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("key of ", batch.longest_key_bytes(), " bytes, at most ", kKeyBytesMax));
  }
  if (batch.payload().size() > kBatchBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("batch of ", batch.payload().size(), " bytes, at most ", kBatchBytesMax));
  }
  return absl::OkStatus();
}

absl::Status CheckSequences(const Core& core, const Batch& batch) {
  if (batch.count() <= base::kSequenceMax - core.last_sequence.LoadOwn()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(core.dir, ": no sequence is left"));
}

absl::Status ApplyGroup(Core& core, std::span<WriteRequest* const> group) {
  ASSIGN_OR_RETURN(const uint64_t batch_count, AppendToLog(core, group));
  const bool sync = std::any_of(group.begin(), group.end(),
                                [](const WriteRequest* request) { return request->sync; });
  if (sync) {
    RETURN_IF_ERROR(SyncLog(core, group));
    MarkSharedSync(group, batch_count);
  }
  base::Sequence last = core.last_sequence.LoadOwn();
  for (const WriteRequest* const request : group) {
    if (request->batch == nullptr) continue;
    const absl::StatusOr<base::Sequence> next =
        AddToMemtable(request->batch->payload(), request->first_sequence, *core.memtable);
    CHECK(next.ok());
    last = *next - 1;
    core.stats.puts += request->batch->count() - request->batch->delete_count();
    core.stats.deletes += request->batch->delete_count();
  }
  if (batch_count > 0) core.last_sequence.Store(last);
  if (sync) core.durable_through = last;
  return absl::OkStatus();
}

absl::StatusOr<base::Sequence> AddToMemtable(std::string_view payload, base::Sequence first,
                                             Memtable& memtable) {
  base::Sequence next = first;
  RETURN_IF_ERROR(DecodeBatch(
      payload, [&](table::Kind kind, std::string_view key, std::string_view value) -> absl::Status {
        if (key.size() > kKeyBytesMax) return absl::DataLossError("batch with too long a key");
        if (next > base::kSequenceMax)
          return absl::DataLossError("batch with too large a sequence");
        memtable.Add({.key = key, .sequence = next++, .kind = kind, .value = value});
        return absl::OkStatus();
      }));
  return next;
}

}  // namespace kiban::lsm
