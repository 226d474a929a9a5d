#include <memory>

#include "engine/base/read_file.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/manifest_format.h"
#include "engine/memory/memory_env.h"
#include "engine/wal/reader.h"
#include "engine/wal/writer.h"
#include "tools/golden/checks.h"
#include "tools/golden/text.h"

namespace kiban::tools {
namespace {

absl::StatusOr<GoldenRecord> Decode(const wal::Record& record) {
  GoldenRecord decoded{.offset = record.offset, .durable_through = record.durable_through};
  base::Sequence sequence = record.first_sequence;
  RETURN_IF_ERROR(lsm::DecodeBatch(
      record.payload, [&](table::Kind kind, std::string_view key, std::string_view value) {
        decoded.operations.push_back({std::string(key), sequence++, kind, std::string(value)});
        return absl::OkStatus();
      }));
  return decoded;
}

absl::Status CheckReplay(const GoldenFolder& folder, const std::string& path,
                         const GoldenLog& expected, GoldenReport& report) {
  size_t seen = 0;
  const auto visit = [&](const wal::Record& record) -> absl::StatusOr<base::Sequence> {
    ASSIGN_OR_RETURN(const GoldenRecord decoded, Decode(record));
    if (seen >= expected.records.size() || !(decoded == expected.records[seen])) {
      return absl::InternalError(absl::StrCat("record ", seen, " is not the expected one"));
    }
    ++seen;
    report.reads += decoded.operations.size();
    return record.first_sequence + decoded.operations.size();
  };
  const absl::StatusOr<wal::ReplayResult> replayed =
      wal::Replay(folder.files, path, expected.number, wal::TailRule::kMayBeTorn, visit);
  if (seen < expected.records.size()) {
    return absl::InternalError(
        absl::StrCat("record ", seen, " is missing: ", replayed.status().message()));
  }
  if (expected.is_damaged) {
    return absl::IsDataLoss(replayed.status()) ? absl::OkStatus()
                                               : absl::InternalError("its damage is not seen");
  }
  RETURN_IF_ERROR(replayed.status());
  if (replayed->has_header != (expected.first_sequence > 0) ||
      replayed->dropped_bytes != expected.dropped_bytes) {
    return absl::InternalError(absl::StrCat("dropped ", replayed->dropped_bytes, " bytes"));
  }
  return absl::OkStatus();
}

absl::Status CheckRewritten(const GoldenFolder& folder, const std::string& path,
                            const GoldenLog& expected) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  ASSIGN_OR_RETURN(const std::unique_ptr<wal::Writer> writer,
                   wal::Writer::Create(files, "log", expected.number, expected.first_sequence));
  lsm::Batch batch;
  for (const GoldenRecord& record : expected.records) {
    batch.Clear();
    for (const GoldenEntry& entry : record.operations) {
      if (entry.kind == table::Kind::kPut) {
        batch.Put(entry.key, entry.value);
      } else {
        batch.Delete(entry.key);
      }
    }
    RETURN_IF_ERROR(writer->Append(record.operations.front().sequence, record.durable_through,
                                   batch.payload()));
  }
  RETURN_IF_ERROR(writer->Close());
  ASSIGN_OR_RETURN(const std::string golden, base::ReadWholeFile(folder.files, path));
  ASSIGN_OR_RETURN(const std::string made, base::ReadWholeFile(files, "log"));
  return golden == made ? absl::OkStatus()
                        : absl::InternalError("today's writer makes other bytes");
}

absl::Status CheckLogAt(const GoldenFolder& folder, const std::string& path,
                        const GoldenLog& expected, GoldenReport& report) {
  RETURN_IF_ERROR(CheckReplay(folder, path, expected, report));
  ++report.logs;
  if (expected.is_damaged || expected.dropped_bytes > 0) return absl::OkStatus();
  RETURN_IF_ERROR(CheckRewritten(folder, path, expected));
  ++report.rewrites;
  return absl::OkStatus();
}

absl::Status CheckManifestAt(const GoldenFolder& folder, const std::string& path,
                             const lsm::Manifest& expected, GoldenReport& report) {
  ASSIGN_OR_RETURN(const std::string golden, base::ReadWholeFile(folder.files, path));
  ASSIGN_OR_RETURN(const lsm::Manifest decoded, lsm::DecodeManifest(path, golden));
  ++report.reads;
  if (!(decoded == expected)) return absl::InternalError("it says something else");
  ++report.manifests;
  if (lsm::EncodeManifest(expected) != golden) {
    return absl::InternalError("today's encoder makes other bytes");
  }
  ++report.rewrites;
  return absl::OkStatus();
}

}  // namespace

void CheckLog(const GoldenFolder& folder, GoldenReport& report) {
  const absl::StatusOr<GoldenLog> expected = ParseLog(folder.text);
  if (!expected.ok())
    return Complain(report, folder.path, base::ToStd(expected.status().message()));
  const std::string path = lsm::LogPath(folder.path, expected->number);
  const absl::Status status = CheckLogAt(folder, path, *expected, report);
  if (!status.ok()) Complain(report, path, base::ToStd(status.message()));
}

void CheckManifest(const GoldenFolder& folder, GoldenReport& report) {
  const absl::StatusOr<lsm::Manifest> expected = ParseManifest(folder.text);
  if (!expected.ok())
    return Complain(report, folder.path, base::ToStd(expected.status().message()));
  const std::string path = lsm::PathIn(folder.path, lsm::kManifestName);
  const absl::Status status = CheckManifestAt(folder, path, *expected, report);
  if (!status.ok()) Complain(report, path, base::ToStd(status.message()));
}

}  // namespace kiban::tools
