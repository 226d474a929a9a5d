#include "tools/inspect.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_util.h"
#include "engine/lsm/create.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/replay.h"
#include "engine/lsm/table_output.h"
#include "engine/table/reader.h"
#include "tools/inspect_file.h"

namespace kiban::tools {
namespace {

using engine::FileSystem;
using lsm::FileKind;
using lsm::FileName;

// Writes reports down, file by file.
class Writer {
 public:
  explicit Writer(Detail detail) : detail_(detail) {}

  void Add(const std::string& path, const FileReport& report) {
    ++file_count_;
    const std::string_view verdict = !report.unreadable.ok()  ? "UNREADABLE"
                                     : !report.damage.empty() ? "DAMAGED"
                                     : !report.torn.empty()   ? "TORN"
                                                              : "whole";
    AddLine(path, verdict, report.title);
    if (detail_ == Detail::kStructures) {
      for (const Structure& structure : report.structures) {
        AddIndented(LineOf(structure));
        for (const std::string& line : structure.more) AddIndented(absl::StrCat("  ", line));
      }
    }
    for (const std::string& damage : report.damage) {
      AddIndented(absl::StrCat("DAMAGED: ", damage));
      inspection_.damage.push_back(absl::StrCat(path, ": ", damage));
    }
    if (!report.torn.empty()) {
      AddIndented(absl::StrCat("TORN: ", report.torn));
      inspection_.torn.push_back(absl::StrCat(path, ": ", report.torn));
    }
    inspection_.unreadable.Update(report.unreadable);
  }
  // Damage that lies in no structure of one file.
  void AddDamage(const absl::Status& status) {
    if (status.ok()) return;
    if (!absl::IsDataLoss(status)) return inspection_.unreadable.Update(status);
    AddIndented(absl::StrCat("DAMAGED: ", status.message()));
    inspection_.damage.push_back(std::string(status.message()));
  }
  void AddLine(std::string_view path, std::string_view verdict, std::string_view title) {
    absl::StrAppend(&inspection_.text, absl::StrFormat("%s: %s: %s\n", base::ToAbsl(path),
                                                       base::ToAbsl(verdict), base::ToAbsl(title)));
  }

  // The verdict on a directory.
  void AddTotal(std::string_view dir) {
    const size_t damage_count = inspection_.damage.size();
    const std::string files = Counted(file_count_, "file", "files");
    if (!inspection_.unreadable.ok()) {
      AddLine(dir, "UNREADABLE", files);
    } else if (damage_count > 0) {
      AddLine(dir, "DAMAGED",
              absl::StrCat(files, ", damage in ", Counted(damage_count, "place", "places")));
    } else if (!inspection_.torn.empty()) {
      AddLine(dir, "TORN", absl::StrCat(files, ", of which the last log is torn at its end"));
    } else {
      AddLine(dir, "whole", files);
    }
  }
  const Inspection& inspection() const { return inspection_; }

 private:
  void AddIndented(std::string_view line) {
    absl::StrAppend(&inspection_.text, "  ", base::ToAbsl(line), "\n");
  }

  const Detail detail_;
  uint64_t file_count_ = 0;
  Inspection inspection_;
};

class Database {
 public:
  Database(FileSystem& files, std::string dir, Writer& writer)
      : files_(files), dir_(std::move(dir)), writer_(writer) {}

  // kNotFound if there is none.
  absl::Status Run() {
    ASSIGN_OR_RETURN(present_, lsm::ListFiles(files_, dir_));
    std::sort(present_.begin(), present_.end(),
              [](const FileName& a, const FileName& b) { return a.number < b.number; });
    std::optional<lsm::Manifest> manifest;
    if (lsm::Holds(present_, FileKind::kManifest)) {
      const std::string path = lsm::PathIn(dir_, lsm::kManifestName);
      writer_.Add(path, InspectManifest(files_, path, manifest));
    } else {
      const absl::Status missing =
          lsm::ReadOrInventManifest(files_, dir_, present_, {.create_if_missing = false}).status();
      if (!absl::IsDataLoss(missing)) return missing;
      writer_.AddLine(dir_, "DAMAGED", "a database without a MANIFEST");
      writer_.AddDamage(missing);
    }
    if (manifest.has_value()) {
      Tables(*manifest);
      Logs(*manifest);
    } else {
      Strays();
    }
    writer_.AddTotal(dir_);
    return absl::OkStatus();
  }

 private:
  void Tables(const lsm::Manifest& manifest) {
    std::vector<uint64_t> named;
    for (const std::vector<lsm::TableInfo>& level : manifest.levels) {
      for (const lsm::TableInfo& info : level) {
        NamedTable(info);
        named.push_back(info.number);
      }
    }
    for (const FileName& file : present_) {
      if (file.kind == FileKind::kManifestTemp) {
        writer_.AddLine(lsm::PathIn(dir_, lsm::kManifestTempName), "garbage", "never published");
      } else if (file.kind == FileKind::kTable &&
                 std::find(named.begin(), named.end(), file.number) == named.end()) {
        writer_.AddLine(lsm::TablePath(dir_, file.number), "garbage", "no table of MANIFEST");
      }
    }
  }

  void NamedTable(const lsm::TableInfo& info) {
    const std::string path = lsm::TablePath(dir_, info.number);
    FileReport report = InspectTable(files_, path, info.number);
    if (absl::IsNotFound(report.unreadable)) {
      report.unreadable = absl::OkStatus();
      report.Note(path, "table", base::Corruption(path, 0, "named by MANIFEST, but not there"));
    } else if (report.damage.empty() && report.unreadable.ok()) {
      report.Note(path, "table against MANIFEST", CompareWith(info, path));
    }
    writer_.Add(path, report);
  }

  absl::Status CompareWith(const lsm::TableInfo& info, const std::string& path) {
    ASSIGN_OR_RETURN(const auto table, table::TableReader::Open(files_, path, info.number, {}));
    return lsm::CheckTable(path, info, *table);
  }

  void Logs(const lsm::Manifest& manifest) {
    std::vector<uint64_t> live;
    for (const FileName& file : present_) {
      if (file.kind != FileKind::kLog) continue;
      if (file.number >= manifest.min_log) {
        live.push_back(file.number);
      } else {
        writer_.AddLine(lsm::LogPath(dir_, file.number), "garbage",
                        absl::StrCat("logs count from ", manifest.min_log));
      }
    }
    const size_t damage_before = writer_.inspection().damage.size();
    for (const uint64_t number : live) {
      const auto tail = number == live.back() ? wal::TailRule::kMayBeTorn : wal::TailRule::kWhole;
      const std::string path = lsm::LogPath(dir_, number);
      writer_.Add(path, InspectLog(files_, path, number, tail));
    }
    if (writer_.inspection().damage.size() > damage_before) return;
    // Each by itself is whole: do they follow each other, and the tables?
    writer_.AddDamage(lsm::ReplayLogs(files_, dir_, live, manifest.last_sequence).status());
  }

  // Without MANIFEST nobody knows what belongs to the database; what can be told is told.
  void Strays() {
    for (const FileName& file : present_) {
      if (file.kind == FileKind::kTable) {
        const std::string path = lsm::TablePath(dir_, file.number);
        writer_.Add(path, InspectTable(files_, path, file.number));
      } else if (file.kind == FileKind::kLog) {
        const std::string path = lsm::LogPath(dir_, file.number);
        writer_.Add(path, InspectLog(files_, path, file.number, wal::TailRule::kMayBeTorn));
      }
    }
  }

  FileSystem& files_;
  const std::string dir_;
  Writer& writer_;
  std::vector<FileName> present_;  // By number.
};

}  // namespace

Inspection Inspect(FileSystem& files, const std::string& path, Detail detail) {
  Writer writer(detail);
  if (files.List(path).ok()) {
    writer.AddDamage(Database(files, path, writer).Run());
  } else {
    writer.Add(path, InspectFile(files, path));
  }
  return writer.inspection();
}

}  // namespace kiban::tools
