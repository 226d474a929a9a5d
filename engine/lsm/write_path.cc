#include "engine/lsm/write_path.h"

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/limits.h"

namespace kiban::lsm {

absl::Status CheckBatch(const Core& core, const Batch& batch) {
  if (batch.count() == 0) return absl::InvalidArgumentError("empty batch");
  if (batch.longest_key_bytes() > kKeyBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("key of ", batch.longest_key_bytes(), " bytes, at most ", kKeyBytesMax));
  }
  if (batch.payload().size() > kBatchBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("batch of ", batch.payload().size(), " bytes, at most ", kBatchBytesMax));
  }
  if (batch.count() > base::kSequenceMax - core.last_sequence) {
    return absl::FailedPreconditionError(absl::StrCat(core.dir, ": no sequence is left"));
  }
  return absl::OkStatus();
}

absl::StatusOr<base::Sequence> ApplyBatch(Core& core, const Batch& batch, WriteOptions options) {
  if (batch.payload().size() > core.options.write_buffer_bytes) {
    MARK("memtable.batch_larger_than_buffer");
  }
  const base::Sequence first = core.last_sequence + 1;
  {
    SPAN("write.append");
    RETURN_IF_ERROR(core.log->Append(first, core.durable_through, batch.payload()));
  }
  if (options.sync) {
    SPAN("write.sync");
    RETURN_IF_ERROR(core.log->Sync());
    ++core.stats.log_syncs;
  }
  const absl::StatusOr<base::Sequence> next = AddToMemtable(batch.payload(), first, *core.memtable);
  CHECK(next.ok());
  core.last_sequence = *next - 1;
  core.stats.puts += batch.count() - batch.delete_count();
  core.stats.deletes += batch.delete_count();
  if (options.sync) core.durable_through = core.last_sequence;
  return first;
}

absl::Status SyncLog(Core& core) {
  SPAN("write.sync");
  RETURN_IF_ERROR(core.log->Sync());
  ++core.stats.log_syncs;
  core.durable_through = core.last_sequence;
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
