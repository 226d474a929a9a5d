#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/read_file.h"
#include "engine/lsm/db.h"
#include "engine/lsm/file_names.h"
#include "engine/memory/memory_env.h"
#include "engine/table/reader.h"
#include "tools/golden/checks.h"
#include "tools/golden/formats.h"
#include "tools/golden/text.h"

namespace kiban::tools {
namespace {

using lsm::Cursor;
using lsm::Db;

constexpr char kDir[] = "db";

absl::Status Wrong(std::string_view how, std::string_view key) {
  return absl::InternalError(
      absl::StrCat(base::ToAbsl(how), ": not as expected at key \"", base::ToAbsl(key), "\""));
}

// Everything a handle can read, against the contents that it is to have.
class DatabaseReading {
 public:
  DatabaseReading(const GoldenDatabase& expected, Db& db, GoldenReport& report)
      : expected_(expected), db_(db), report_(report) {}

  absl::Status Run() {
    if (db_.last_sequence() != expected_.last_sequence) {
      return absl::InternalError(absl::StrCat("last sequence ", db_.last_sequence()));
    }
    RETURN_IF_ERROR(Scan());
    RETURN_IF_ERROR(ScanBackward());
    for (const auto& [key, value] : expected_.contents) {
      RETURN_IF_ERROR(Get(key, value));
      const std::string behind = key + '\0';
      if (expected_.contents.count(behind) == 0) RETURN_IF_ERROR(Get(behind, std::nullopt));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Compare(std::string_view how, const Cursor& cursor,
                       const std::pair<const std::string, std::string>& expected) {
    ++report_.reads;
    RETURN_IF_ERROR(cursor.status());
    const bool same =
        cursor.Valid() && cursor.key() == expected.first && cursor.value() == expected.second;
    return same ? absl::OkStatus() : Wrong(how, expected.first);
  }

  absl::Status Scan() {
    const std::unique_ptr<Cursor> cursor = db_.NewCursor({}, nullptr);
    cursor->SeekToFirst();
    for (const auto& each : expected_.contents) {
      RETURN_IF_ERROR(Compare("forward", *cursor, each));
      cursor->Next();
    }
    return cursor->Valid() ? Wrong("forward", cursor->key()) : cursor->status();
  }

  absl::Status ScanBackward() {
    const std::unique_ptr<Cursor> cursor = db_.NewCursor({}, nullptr);
    cursor->SeekToLast();
    for (auto each = expected_.contents.rbegin(); each != expected_.contents.rend(); ++each) {
      RETURN_IF_ERROR(Compare("backward", *cursor, *each));
      cursor->Prev();
    }
    return cursor->Valid() ? Wrong("backward", cursor->key()) : cursor->status();
  }

  absl::Status Get(const std::string& key, const std::optional<std::string>& expected) {
    ++report_.reads;
    ASSIGN_OR_RETURN(const std::optional<std::string> got, db_.Get(key, nullptr));
    return got == expected ? absl::OkStatus() : Wrong("get", key);
  }

  const GoldenDatabase& expected_;
  Db& db_;
  GoldenReport& report_;
};

class DatabaseCheck {
 public:
  DatabaseCheck(const GoldenFolder& folder, GoldenDatabase expected, GoldenReport& report)
      : folder_(folder), expected_(std::move(expected)), report_(report) {}

  absl::Status Run() {
    const std::string dir = lsm::PathIn(folder_.path, kDir);
    ASSIGN_OR_RETURN(const std::vector<std::string> names, folder_.files.List(dir));
    for (const std::string& name : names) {
      ASSIGN_OR_RETURN(files_[name], base::ReadWholeFile(folder_.files, lsm::PathIn(dir, name)));
    }
    RETURN_IF_ERROR(CheckFiles(dir));
    for (size_t i = 0; i < kGoldenFormats.size(); ++i) {
      const GoldenFormat& first = kGoldenFormats[i];
      const GoldenFormat& second = kGoldenFormats[(i + 1) % kGoldenFormats.size()];
      for (const uint64_t cache_bytes : {uint64_t{0}, uint64_t{64} << 10, uint64_t{32} << 20}) {
        const absl::Status lived = Live(first, second, cache_bytes);
        if (lived.ok()) continue;
        return absl::InternalError(absl::StrCat("opened to write ", base::ToAbsl(first.name),
                                                " with a cache of ", cache_bytes,
                                                " bytes: ", lived.message()));
      }
    }
    RETURN_IF_ERROR(GoBack());
    ++report_.databases;
    report_.names_of_databases.insert(folder_.path.substr(folder_.path.rfind('/') + 1));
    return absl::OkStatus();
  }

 private:
  // The tables have the formats that the text says, and its files are there, no others.
  absl::Status CheckFiles(const std::string& dir) const {
    for (const auto& [number, format] : expected_.tables) {
      const GoldenFormat* const golden = FindGoldenFormat(format);
      if (golden == nullptr) return absl::InternalError("a table of no known format");
      ASSIGN_OR_RETURN(
          const auto table,
          table::TableReader::Open(folder_.files, lsm::TablePath(dir, number), number, {}));
      if (table->format() != golden->format) {
        return absl::InternalError(absl::StrCat("table ", number, " is not ", format));
      }
    }
    for (const uint64_t number : expected_.logs) {
      RETURN_IF_ERROR(base::ReadWholeFile(folder_.files, lsm::LogPath(dir, number)).status());
    }
    size_t named = expected_.tables.size() + expected_.logs.size() + 1;
    for (const std::string& name : expected_.leftovers) named += files_.count(name);
    return files_.size() == named ? absl::OkStatus()
                                  : absl::InternalError("it has files that the text does not name");
  }

  absl::Status CopyTo(engine::FileSystem& files) const {
    RETURN_IF_ERROR(files.MakeDir(kDir));
    for (const auto& [name, bytes] : files_) {
      ASSIGN_OR_RETURN(const auto file,
                       files.Open(lsm::PathIn(kDir, name), engine::OpenMode::kMustCreate));
      RETURN_IF_ERROR(file->Append(base::AsBytes(bytes)));
    }
    return absl::OkStatus();
  }

  absl::Status Read(Db& db) { return DatabaseReading(expected_, db, report_).Run(); }

  absl::Status Live(const GoldenFormat& first, const GoldenFormat& second, uint64_t cache_bytes) {
    memory::MemoryEnv env;
    RETURN_IF_ERROR(CopyTo(*env.env().files));
    const lsm::KibanOptions options{.block_cache_bytes = cache_bytes, .create_if_missing = false};
    {
      ASSIGN_OR_RETURN(const auto db, Db::Open(env.env(), kDir, Writing(first, options)));
      RETURN_IF_ERROR(Read(*db));
    }
    ASSIGN_OR_RETURN(const auto db, Db::Open(env.env(), kDir, Writing(second, options)));
    RETURN_IF_ERROR(Read(*db));
    RETURN_IF_ERROR(db->Compact());
    return Read(*db);
  }

  // A reader from before PH3 refuses what it does not know, until all of it has been rewritten.
  absl::Status GoBack() {
    memory::MemoryEnv env;
    RETURN_IF_ERROR(CopyTo(*env.env().files));
    lsm::KibanOptions old{.create_if_missing = false};
    old.for_tests.newest_layout = pointindex::Layout::kPh2;
    bool has_ph3 = false;
    for (const auto& [number, format] : expected_.tables) has_ph3 |= format.starts_with("ph3");
    const absl::Status refused = Db::Open(env.env(), kDir, old).status();
    if (absl::IsUnimplemented(refused) != has_ph3) {
      return absl::InternalError(absl::StrCat("to a reader of PH2: ", refused.message()));
    }
    {
      ASSIGN_OR_RETURN(const auto db, Db::Open(env.env(), kDir, {.create_if_missing = false}));
      RETURN_IF_ERROR(db->Compact());
    }
    ASSIGN_OR_RETURN(const auto db, Db::Open(env.env(), kDir, old));
    return Read(*db);
  }

  const GoldenFolder& folder_;
  const GoldenDatabase expected_;
  GoldenReport& report_;
  std::map<std::string, std::string> files_;
};

}  // namespace

void CheckDatabase(const GoldenFolder& folder, GoldenReport& report) {
  const absl::StatusOr<GoldenDatabase> expected = ParseDatabase(folder.text);
  if (!expected.ok())
    return Complain(report, folder.path, base::ToStd(expected.status().message()));
  const absl::Status status = DatabaseCheck(folder, *expected, report).Run();
  if (!status.ok()) Complain(report, folder.path, base::ToStd(status.message()));
}

}  // namespace kiban::tools
