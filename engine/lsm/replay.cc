#include "engine/lsm/replay.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/write_path.h"
#include "engine/wal/reader.h"

namespace kiban::lsm {
namespace {

absl::StatusOr<base::Sequence> AddRecord(const std::string& path, const wal::Record& record,
                                         Replayed& replayed) {
  const base::Sequence expected = replayed.last_sequence + 1;
  if (record.first_sequence != expected) {
    return base::Corruption(
        path, record.offset,
        absl::StrCat("sequence ", record.first_sequence, " where ", expected, " was to come"));
  }
  const absl::StatusOr<base::Sequence> next =
      AddToMemtable(record.payload, expected, *replayed.memtable);
  if (!next.ok()) {
    return base::Corruption(path, record.offset, base::ToStd(next.status().message()));
  }
  replayed.last_sequence = *next - 1;
  return *next;
}

}  // namespace

absl::StatusOr<Replayed> ReplayLogs(engine::FileSystem& files, const std::string& dir,
                                    const std::vector<uint64_t>& live,
                                    base::Sequence last_sequence) {
  Replayed replayed;
  replayed.last_sequence = last_sequence;
  for (const uint64_t number : live) {
    const std::string path = LogPath(dir, number);
    const base::Sequence expected = replayed.last_sequence + 1;
    const auto tail = number == live.back() ? wal::TailRule::kMayBeTorn : wal::TailRule::kWhole;
    ASSIGN_OR_RETURN(const wal::ReplayResult log,
                     wal::Replay(files, path, number, tail, [&](const wal::Record& record) {
                       return AddRecord(path, record, replayed);
                     }));
    if (log.has_header && log.first_sequence != expected) {  // Nor has it a record: AddRecord().
      return base::Corruption(
          path, 0,
          absl::StrCat("begins at ", log.first_sequence, " where ", expected, " was to come"));
    }
    replayed.records += log.records;
    replayed.dropped_bytes += log.dropped_bytes;
  }
  return replayed;
}

absl::StatusOr<bool> HoldsRecords(engine::FileSystem& files, const std::string& dir,
                                  uint64_t number) {
  bool visited = false;
  const absl::StatusOr<wal::ReplayResult> log =
      wal::Replay(files, LogPath(dir, number), number, wal::TailRule::kMayBeTorn,
                  [&](const wal::Record&) -> absl::StatusOr<base::Sequence> {
                    visited = true;
                    return absl::DataLossError("a record");
                  });
  if (visited || absl::IsDataLoss(log.status())) return true;
  if (!log.ok()) return log.status();
  // Behind a good header even what is invalid may have been a record once.
  return log->has_stray_record || (log->has_header && log->dropped_bytes > 0);
}

}  // namespace kiban::lsm
