#include "tools/inspect.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/manifest_format.h"
#include "engine/posix/posix_env.h"
#include "engine/table/inspect.h"
#include "engine/wal/reader.h"

namespace kiban::tools {
namespace {

using engine::FileSystem;
using lsm::FileKind;

constexpr size_t kShownKeyBytes = 32;

std::string Shown(std::string_view key) {
  const std::string text = absl::CHexEscape(base::ToAbsl(key.substr(0, kShownKeyBytes)));
  if (key.size() <= kShownKeyBytes) return absl::StrCat("\"", text, "\"");
  return absl::StrCat("\"", text, "\"... (", key.size(), " bytes)");
}

// Operations of one record; kDataLoss if the payload is not a batch.
absl::StatusOr<uint64_t> CountOperations(std::string_view payload) {
  uint64_t count = 0;
  RETURN_IF_ERROR(lsm::DecodeBatch(payload, [&](auto&&...) {
    ++count;
    return absl::OkStatus();
  }));
  return count;
}

absl::StatusOr<wal::ReplayResult> InspectLog(FileSystem& files, const std::string& path,
                                             uint64_t number, wal::TailRule tail,
                                             std::string& text) {
  absl::StrAppend(&text, path, ": log, segment ", number, "\n");
  uint64_t operations = 0;
  const auto result = wal::Replay(
      files, path, number, tail, [&](const wal::Record& record) -> absl::StatusOr<base::Sequence> {
        const absl::StatusOr<uint64_t> count = CountOperations(record.payload);
        if (!count.ok()) {
          return base::Corruption(path, record.offset, base::ToStd(count.status().message()));
        }
        operations += *count;
        absl::StrAppend(&text, absl::StrFormat("  record at %d: sequence %d, %d operations, "
                                               "%d bytes, durable through %d\n",
                                               record.offset, record.first_sequence, *count,
                                               record.payload.size(), record.durable_through));
        return record.first_sequence + *count;
      });
  if (!result.ok()) return result;
  absl::StrAppend(&text, "  ", result->records, " records, ", operations, " operations, end at ",
                  result->end_offset);
  if (result->dropped_bytes > 0) {
    absl::StrAppend(&text, "; ", result->dropped_bytes, " bytes behind it were never promised");
  }
  text += '\n';
  return result;
}

// A log by itself. A power cut may leave one without a header, and recovery then takes it for
// empty; a person who asks about a file is told that it holds nothing of a log.
absl::Status InspectLoneLog(FileSystem& files, const std::string& path, uint64_t number,
                            std::string& text) {
  ASSIGN_OR_RETURN(const wal::ReplayResult log,
                   InspectLog(files, path, number, wal::TailRule::kMayBeTorn, text));
  if (log.has_header || log.dropped_bytes == 0) return absl::OkStatus();
  return base::Corruption(path, 0, "no header of this segment: no log, or one never synced");
}

void AppendBlock(const table::BlockDescription& block, std::string& text) {
  absl::StrAppend(&text, "  block at ", block.offset, ": ", block.bytes, " bytes, ");
  if (block.status.ok()) {
    absl::StrAppend(&text, block.entry_count, " entries from ", Shown(block.first_key), "\n");
  } else {
    absl::StrAppend(&text, "DAMAGED: ", block.status.message(), "\n");
  }
}

absl::Status InspectTable(FileSystem& files, const std::string& path, uint64_t number, bool blocks,
                          std::string& text) {
  ASSIGN_OR_RETURN(const table::TableDescription table, table::Describe(files, path, number));
  absl::StrAppend(&text, path, ": table, format ", table.version, ", number ", number, "\n");
  absl::StrAppend(&text, "  ", table.entry_count, " entries, keys ", Shown(table.smallest_key),
                  " to ", Shown(table.largest_key), ", sequences ", table.sequence_min, " to ",
                  table.sequence_max, "\n");
  absl::StrAppend(&text, "  ", table.file_bytes, " bytes: data ", table.data_bytes, ", filter ",
                  table.filter_bytes, ", index ", table.index_bytes, "\n");
  absl::StrAppend(&text, "  filter: ", table.filter_key_count, " keys, ", table.filter_bit_count,
                  " bits (", table.filter_bits_per_key, " a key), ", table.filter_probe_count,
                  " probes\n");
  for (const table::BlockDescription& block : table.blocks) {
    if (blocks || !block.status.ok()) AppendBlock(block, text);
  }
  return table.status;
}

absl::StatusOr<lsm::Manifest> InspectManifest(FileSystem& files, const std::string& path,
                                              std::string& text) {
  ASSIGN_OR_RETURN(const std::string bytes, base::ReadWholeFile(files, path));
  ASSIGN_OR_RETURN(lsm::Manifest manifest, lsm::DecodeManifest(path, bytes));
  absl::StrAppend(&text, path, ": manifest, format ", lsm::kManifestFormat, "\n  logs from ",
                  manifest.min_log, ", next file ", manifest.next_file, ", last sequence ",
                  manifest.last_sequence, "\n");
  for (size_t level = 0; level < manifest.levels.size(); ++level) {
    for (const lsm::TableInfo& info : manifest.levels[level]) {
      absl::StrAppend(&text, "  level ", level, ": table ", info.number, ", ", info.size_bytes,
                      " bytes, ", info.entry_count, " entries, ", Shown(info.smallest_key), " to ",
                      Shown(info.largest_key), "\n");
    }
  }
  return manifest;
}

// Goes on behind damage, so that all of it is told; keeps the first.
class Database {
 public:
  Database(FileSystem& files, std::string dir, bool verify, std::string& text)
      : files_(files), dir_(std::move(dir)), verify_(verify), text_(text) {}

  absl::Status Run() {
    ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(dir_));
    for (const std::string& name : names) present_.push_back(lsm::ParseFileName(name));
    const bool has_manifest =
        std::any_of(present_.begin(), present_.end(),
                    [](const lsm::FileName& file) { return file.kind == FileKind::kManifest; });
    if (!has_manifest) {
      return absl::NotFoundError(absl::StrCat(dir_, ": no MANIFEST in it: not a database"));
    }
    ASSIGN_OR_RETURN(const lsm::Manifest manifest,
                     InspectManifest(files_, lsm::PathIn(dir_, lsm::kManifestName), text_));
    Tables(manifest);
    Logs(manifest);
    return damage_;
  }

 private:
  void Note(const absl::Status& status) {
    if (status.ok()) return;
    absl::StrAppend(&text_, "  DAMAGED: ", status.message(), "\n");
    damage_.Update(status);
  }

  void Tables(const lsm::Manifest& manifest) {
    for (const std::vector<lsm::TableInfo>& level : manifest.levels) {
      for (const lsm::TableInfo& info : level) {
        const std::string path = lsm::TablePath(dir_, info.number);
        absl::Status status = InspectTable(files_, path, info.number, verify_, text_);
        if (absl::IsNotFound(status)) {
          status = base::Corruption(path, 0, "named by the manifest, but not there");
        }
        Note(status);
      }
    }
  }

  void Logs(const lsm::Manifest& manifest) {
    std::vector<uint64_t> live;
    for (const lsm::FileName& file : present_) {
      if (file.kind != FileKind::kLog) continue;
      if (file.number >= manifest.min_log) {
        live.push_back(file.number);
      } else {
        absl::StrAppend(&text_, lsm::LogPath(dir_, file.number), ": garbage, its number is below ",
                        manifest.min_log, "\n");
      }
    }
    std::sort(live.begin(), live.end());
    for (const uint64_t number : live) {
      const auto tail = number == live.back() ? wal::TailRule::kMayBeTorn : wal::TailRule::kWhole;
      Note(InspectLog(files_, lsm::LogPath(dir_, number), number, tail, text_).status());
    }
  }

  FileSystem& files_;
  const std::string dir_;
  const bool verify_;
  std::string& text_;
  std::vector<lsm::FileName> present_;
  absl::Status damage_;
};

absl::Status InspectFile(FileSystem& files, const std::string& path, bool verify,
                         std::string& text) {
  const size_t slash = path.rfind('/');
  const lsm::FileName name =
      lsm::ParseFileName(slash == path.npos ? path : std::string_view(path).substr(slash + 1));
  switch (name.kind) {
    case FileKind::kLog:
      return InspectLoneLog(files, path, name.number, text);
    case FileKind::kTable:
      return InspectTable(files, path, name.number, /*blocks=*/true, text);
    case FileKind::kManifest:
    case FileKind::kManifestTemp:
      return InspectManifest(files, path, text).status();
    case FileKind::kLock:
    case FileKind::kForeign:
      break;
  }
  if (files.List(path).ok()) return Database(files, path, verify, text).Run();
  RETURN_IF_ERROR(files.Open(path, engine::OpenMode::kRead).status());
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": its name does not say what it is; give a database directory, MANIFEST, "
                   "or a file named by its number, as 000012.wal or 000013.sst"));
}

}  // namespace

Inspection Inspect(const std::string& path, bool verify) {
  posix::PosixEnv posix("");
  Inspection inspection;
  inspection.status = InspectFile(*posix.env().files, path, verify, inspection.text);
  return inspection;
}

}  // namespace kiban::tools
