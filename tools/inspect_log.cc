#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/lsm/batch.h"
#include "engine/wal/format.h"
#include "tools/inspect_file.h"

namespace kiban::tools {
namespace {

// Operations of one record; kDataLoss if the payload is not a batch.
absl::StatusOr<uint64_t> CountOperations(const std::string& path, const wal::Record& record) {
  uint64_t count = 0;
  const absl::Status decoded = lsm::DecodeBatch(record.payload, [&](auto&&...) {
    ++count;
    return absl::OkStatus();
  });
  if (decoded.ok()) return count;
  return base::Corruption(path, record.offset, base::ToStd(decoded.message()));
}

class LogInspection {
 public:
  LogInspection(const std::string& path, uint64_t number) : path_(path), number_(number) {
    report_.title = absl::StrCat("log ", number);
  }

  FileReport Run(engine::FileSystem& files, wal::TailRule tail) {
    const absl::Status header = ReadHeader(files);
    if (!header.ok()) {
      report_.Note(path_, "header", header);
      return report_;
    }
    const auto replayed =
        wal::Replay(files, path_, number_, tail,
                    [this](const wal::Record& record) { return AddRecord(record); });
    absl::StrAppend(&report_.title, ", ", Counted(records_, "record", "records"), ", ",
                    Counted(operations_, "operation", "operations"));
    if (!replayed.ok()) {
      const std::string next = has_header_ ? absl::StrCat("record ", records_) : "header";
      report_.Note(path_, next, replayed.status());
    } else if (replayed->dropped_bytes > 0) {
      report_.Add("tail", replayed->end_offset, replayed->dropped_bytes,
                  "no later record testifies for it, recovery drops it");
      report_.torn = absl::StrCat("tail, offset ", replayed->end_offset, ": ",
                                  Counted(replayed->dropped_bytes, "byte", "bytes"),
                                  " for which no later record testifies: never synced, or damaged "
                                  "behind the last testimony");
    }
    return report_;
  }

 private:
  absl::Status ReadHeader(engine::FileSystem& files) {
    ASSIGN_OR_RETURN(const std::string bytes, base::ReadWholeFile(files, path_));
    absl::StrAppend(&report_.title, ", ", bytes.size(), " bytes");
    ASSIGN_OR_RETURN(const std::optional<base::Sequence> first_sequence,
                     wal::ReadHeader(path_, number_, bytes));
    has_header_ = first_sequence.has_value();
    if (!has_header_) return absl::OkStatus();
    report_.Add("header", 0, wal::kHeaderBytes,
                absl::StrCat("format ", wal::kFormat, ", segment ", number_, ", first sequence ",
                             *first_sequence));
    return absl::OkStatus();
  }

  absl::StatusOr<base::Sequence> AddRecord(const wal::Record& record) {
    ASSIGN_OR_RETURN(const uint64_t operations, CountOperations(path_, record));
    report_.Add(absl::StrCat("record ", records_), record.offset,
                wal::FrameBytes(record.payload.size()),
                absl::StrCat("sequence ", record.first_sequence, ", ",
                             Counted(operations, "operation", "operations"), ", durable through ",
                             record.durable_through));
    ++records_;
    operations_ += operations;
    return record.first_sequence + operations;
  }

  const std::string& path_;
  const uint64_t number_;
  FileReport report_;
  bool has_header_ = false;
  uint64_t records_ = 0;
  uint64_t operations_ = 0;
};

}  // namespace

FileReport InspectLog(engine::FileSystem& files, const std::string& path, uint64_t number,
                      wal::TailRule tail) {
  return LogInspection(path, number).Run(files, tail);
}

}  // namespace kiban::tools
