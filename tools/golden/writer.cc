// kiban_golden_writer: makes golden files anew, into a directory of its own, to show how those in
// corpora/golden were made and to make more of them.
#include "engine/wal/writer.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/db.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/manifest_format.h"
#include "engine/memory/memory_env.h"
#include "engine/table/builder.h"
#include "engine/table/reader.h"
#include "suites/support/whole_file.h"
#include "tools/golden/formats.h"
#include "tools/golden/sha256.h"
#include "tools/golden/text.h"

namespace kiban::tools {
namespace {

using table::Kind;

constexpr char kWork[] = "work";

// Puts files where they belong and keeps their sums.
class Output {
 public:
  explicit Output(std::string directory) : directory_(std::move(directory)) {}

  void Add(const std::string& name, std::string_view bytes) {
    const std::filesystem::path path = std::filesystem::path(directory_) / name;
    CHECK(suites::MakeDirectories(path.parent_path().string()).ok());
    CHECK(suites::WriteWhole(path.string(), bytes).ok());
    sums_[name] = Sha256(bytes);
  }
  void AddText(const std::string& folder, std::string_view about, const std::string& text) {
    Add(absl::StrCat(folder, "/expected.txt"), absl::StrCat("# ", base::ToAbsl(about), "\n", text));
  }
  void Finish() {
    std::string text;
    for (const auto& [name, sum] : sums_) absl::StrAppend(&text, sum, "  ", name, "\n");
    Add("SHA256SUMS", text);
  }

 private:
  const std::string directory_;
  std::map<std::string, std::string> sums_;
};

// --- Tables ---

std::string TableBytes(const GoldenTable& table, const GoldenFormat& format) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  const auto builder = table::Builder::Create(files, kWork, table.number,
                                              {.block_bytes = table.block_bytes,
                                               .restart_interval = table.restart_interval,
                                               .filter_bits_per_key = table.filter_bits_per_key,
                                               .point_index = format.point_index})
                           .value();
  for (const GoldenEntry& entry : table.entries) CHECK(builder->Add(entry.view()).ok());
  CHECK(builder->Finish().ok());
  CHECK(builder->Close().ok());
  return base::ReadWholeFile(files, kWork).value();
}

void AddTable(Output& output, const std::string& name, std::string_view about, GoldenTable table,
              const std::vector<std::string_view>& formats) {
  std::sort(table.entries.begin(), table.entries.end(),
            [](const GoldenEntry& a, const GoldenEntry& b) {
              return table::Compare(a.key, a.sequence, b.key, b.sequence) < 0;
            });
  const std::string folder = "table-" + name;
  output.AddText(folder, about, Format(table));
  for (const std::string_view format : formats) {
    const std::string dir = absl::StrCat(folder, "/", base::ToAbsl(format));
    output.Add(lsm::TablePath(dir, table.number), TableBytes(table, *FindGoldenFormat(format)));
  }
}

GoldenTable SmallTable() {
  GoldenTable table{
      .number = 12, .block_bytes = 4096, .restart_interval = 16, .filter_bits_per_key = 10};
  base::Sequence sequence = 0;
  for (const char* const key : {"ant", "bee", "cat", "cow", "dog", "eel", "elk", "emu", "fox"}) {
    table.entries.push_back({key, ++sequence, Kind::kPut, absl::StrCat("the ", key)});
  }
  return table;
}

GoldenTable VersionsTable() {
  GoldenTable table{
      .number = 345678, .block_bytes = 64, .restart_interval = 4, .filter_bits_per_key = 10};
  for (base::Sequence sequence = 100; sequence < 140; ++sequence) {
    const bool is_delete = sequence % 7 == 0;
    table.entries.push_back({"counter", sequence, is_delete ? Kind::kDelete : Kind::kPut,
                             is_delete ? "" : absl::StrCat("now ", sequence)});
  }
  table.entries.push_back({"a", 0, Kind::kPut, "the first sequence"});
  table.entries.push_back({"a", base::kSequenceMax, Kind::kPut, "the last sequence"});
  table.entries.push_back({"gone", 70, Kind::kPut, "was"});
  table.entries.push_back({"gone", 71, Kind::kDelete, ""});
  table.entries.push_back({"never", 72, Kind::kDelete, ""});
  table.entries.push_back({"z", base::kSequenceMax, Kind::kDelete, ""});
  table.entries.push_back({"z", 1, Kind::kPut, ""});
  return table;
}

GoldenTable BinaryTable() {
  GoldenTable table{
      .number = 7, .block_bytes = 128, .restart_interval = 3, .filter_bits_per_key = 5};
  base::Sequence sequence = 40;
  using std::string_literals::operator""s;
  for (const std::string& key :
       {""s, "\0"s, "\0\0"s, "\0\x01"s, "\x7f"s, "\x80"s, "\xff"s, "\xff\0"s, "\xff\xff"s,
        std::string(46, 'f') + "6", std::string(46, 'f'), "k" + std::string(300, 'x'),
        "k" + std::string(300, 'x') + "y"}) {
    table.entries.push_back({key, ++sequence, Kind::kPut, key.substr(0, 5)});
  }
  table.entries.push_back({"long", ++sequence, Kind::kPut, "v" + std::string(900, 'w')});
  table.entries.push_back({"", ++sequence, Kind::kDelete, ""});
  return table;
}

GoldenTable SingleTable() {
  GoldenTable table{
      .number = 1, .block_bytes = 1, .restart_interval = 1, .filter_bits_per_key = 32};
  table.entries.push_back({"", 1, Kind::kPut, ""});
  return table;
}

GoldenTable GroupsTable() {
  GoldenTable table{
      .number = 99, .block_bytes = 4096, .restart_interval = 16, .filter_bits_per_key = 10};
  for (uint64_t i = 0; i < 1100; ++i) {
    table.entries.push_back(
        {absl::StrCat(absl::Dec(i, absl::kZeroPad4)), i + 1, Kind::kPut, std::string(i % 3, 'v')});
  }
  return table;
}

void AddTables(Output& output) {
  const std::vector<std::string_view> all = {"sst3", "ph2", "ph3", "ph3-wide"};
  AddTable(output, "small", "One block, nine keys.", SmallTable(), all);
  AddTable(output, "versions",
           "Forty versions of a key over several blocks; deletes; the extremes of sequences.",
           VersionsTable(), all);
  AddTable(output, "binary", "The empty key, binary keys, keys that no fence holds inline.",
           BinaryTable(), all);
  AddTable(output, "single", "The smallest table: one entry, all of it empty.", SingleTable(), all);
  AddTable(output, "groups", "More keys than one anchor serves.", GroupsTable(), {"sst3", "ph3"});
}

// --- Logs ---

void Append(GoldenLog& log, wal::Writer& writer, base::Sequence durable_through,
            std::vector<GoldenEntry> operations) {
  base::Sequence next =
      log.records.empty() ? log.first_sequence : log.records.back().operations.back().sequence + 1;
  lsm::Batch batch;
  for (GoldenEntry& entry : operations) {
    entry.sequence = next++;
    if (entry.kind == Kind::kPut) {
      batch.Put(entry.key, entry.value);
    } else {
      batch.Delete(entry.key);
    }
  }
  const uint64_t offset = writer.size_bytes();
  CHECK(writer.Append(operations.front().sequence, durable_through, batch.payload()).ok());
  log.records.push_back({offset, durable_through, std::move(operations)});
}

struct MadeLog {
  GoldenLog log;
  std::string bytes;
};

MadeLog FourRecords(uint64_t number, base::Sequence first, base::Sequence durable_through_last) {
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  MadeLog made{.log = {.number = number, .first_sequence = first}};
  const auto writer = wal::Writer::Create(files, kWork, number, first).value();
  Append(made.log, *writer, first - 1, {{"ant", 0, Kind::kPut, "buzz"}});
  Append(made.log, *writer, first - 1,
         {{"", 0, Kind::kPut, "of the empty key"},
          {std::string("\0\xff", 2), 0, Kind::kPut, std::string(70, 'w')},
          {"ant", 0, Kind::kDelete, ""}});
  Append(made.log, *writer, first - 1, {{"bee", 0, Kind::kPut, ""}});
  Append(made.log, *writer, durable_through_last, {{"cat", 0, Kind::kPut, "purr"}});
  made.bytes = base::ReadWholeFile(files, kWork).value();
  return made;
}

void AddLog(Output& output, const std::string& name, std::string_view about, const MadeLog& made) {
  const std::string folder = "log-" + name;
  output.AddText(folder, about, Format(made.log));
  output.Add(lsm::LogPath(folder, made.log.number), made.bytes);
}

// `made` as it is read if it ends where its record `from` begins.
MadeLog EndingAt(MadeLog made, size_t from) {
  made.log.dropped_bytes = made.bytes.size() - made.log.records[from].offset;
  made.log.records.resize(from);
  return made;
}

void AddLogs(Output& output) {
  const MadeLog synced = FourRecords(7, 41, 45);
  const MadeLog unsynced = FourRecords(8, 1, 0);
  AddLog(output, "whole", "Four records, the last of which knows the others synced.", synced);

  MadeLog empty{.log = {.number = 9, .first_sequence = base::kSequenceMax + 1}};
  empty.bytes = [&] {
    memory::MemoryEnv env;
    engine::FileSystem& files = *env.env().files;
    CHECK(wal::Writer::Create(files, kWork, 9, base::kSequenceMax + 1).ok());
    return base::ReadWholeFile(files, kWork).value();
  }();
  AddLog(output, "empty", "A header; no sequence is left for a record.", empty);

  MadeLog torn = synced;
  torn.bytes.resize(torn.bytes.size() - 9);
  AddLog(output, "torn", "The last record is cut short, as a power cut may leave it.",
         EndingAt(torn, 3));

  MadeLog hole = unsynced;
  const uint64_t hole_at = hole.log.records[1].offset;
  std::fill_n(hole.bytes.begin() + static_cast<ptrdiff_t>(hole_at), 24, '\0');
  AddLog(output, "hole", "A hole before records that promise nothing of it: all that is dropped.",
         EndingAt(hole, 1));

  MadeLog lost = synced;
  lost.bytes[lost.log.records[1].offset + 30] ^= 1;
  lost.log.records.resize(1);
  lost.log.is_damaged = true;
  AddLog(output, "lost", "A bit of a record has changed that a later one knows synced.", lost);

  MadeLog headless = unsynced;
  std::fill_n(headless.bytes.begin(), 32, '\0');
  headless.log.first_sequence = 0;
  headless.log.records.clear();
  headless.log.dropped_bytes = headless.bytes.size();
  AddLog(output, "headless", "Nothing was ever synced, and the header is lost: an empty log.",
         headless);
}

// --- Manifests ---

void AddManifest(Output& output, const std::string& name, std::string_view about,
                 const lsm::Manifest& manifest) {
  const std::string folder = "manifest-" + name;
  output.AddText(folder, about, Format(manifest));
  output.Add(lsm::PathIn(folder, lsm::kManifestName), lsm::EncodeManifest(manifest));
}

void AddManifests(Output& output) {
  AddManifest(output, "empty", "A new database.", {.min_log = 1, .next_file = 2});
  lsm::Manifest full{.min_log = 17, .next_file = 4711, .last_sequence = base::kSequenceMax};
  full.levels[0] = {{.number = 9,
                     .size_bytes = 512,
                     .entry_count = 3,
                     .smallest_sequence = 90,
                     .largest_sequence = 92,
                     .smallest_key = "",
                     .largest_key = "zebra"},
                    {.number = 12,
                     .size_bytes = 513,
                     .entry_count = 1,
                     .smallest_sequence = 93,
                     .largest_sequence = base::kSequenceMax,
                     .smallest_key = "ant",
                     .largest_key = "ant"}};
  full.levels[1] = {{.number = 8,
                     .size_bytes = 1u << 20,
                     .entry_count = 4000,
                     .smallest_sequence = 1,
                     .largest_sequence = 70,
                     .smallest_key = "a",
                     .largest_key = std::string("m\0", 2)},
                    {.number = 7,
                     .size_bytes = 1u << 20,
                     .entry_count = 4001,
                     .smallest_sequence = 2,
                     .largest_sequence = 71,
                     .smallest_key = "n",
                     .largest_key = "\xff"}};
  full.levels[6] = {{.number = 4710,
                     .size_bytes = uint64_t{1} << 40,
                     .entry_count = 1u << 31,
                     .smallest_sequence = 1,
                     .largest_sequence = 1,
                     .smallest_key = std::string(100, 'k'),
                     .largest_key = std::string(100, 'k') + "y"}};
  AddManifest(output, "full", "Tables at three levels; the empty key, binary and long ones.", full);
}

// --- Databases ---

// A database in memory, and what it is to hold.
class Making {
 public:
  void Open(const GoldenFormat& format, uint32_t l0_compaction_trigger = 64) {
    db_.reset();
    db_ = lsm::Db::Open(env_.env(), "db",
                        Writing(format, {.block_bytes = 256,
                                         .restart_interval = 4,
                                         .l0_compaction_trigger = l0_compaction_trigger,
                                         .l0_write_stall_trigger = 64,
                                         .level1_bytes = 2048,
                                         .level_multiplier = 2,
                                         .table_bytes = 1024}))
              .value();
  }
  lsm::Db& db() { return *db_; }
  engine::FileSystem& files() { return *env_.env().files; }

  void Put(const std::string& key, const std::string& value, bool sync = false) {
    CHECK(db_->Put(key, value, {.sync = sync}).ok());
    golden_.contents[key] = value;
  }
  void Delete(const std::string& key) {
    CHECK(db_->Delete(key, {}).ok());
    golden_.contents.erase(key);
  }
  // Keys in turn from `from` on, some of them twice while a snapshot keeps the older version.
  void PutMany(uint64_t from, const std::string& value) {
    for (uint64_t i = from; i < from + 24; ++i) Put(Key(i), value);
    const auto snapshot = db_->TakeSnapshot();
    for (uint64_t i = from; i < from + 24; i += 5) Put(Key(i), value + " again");
    for (uint64_t i = from + 3; i < from + 24; i += 7) Delete(Key(i));
    CHECK(db_->Flush().ok());
  }
  void Close() {
    if (db_ == nullptr) return;
    golden_.last_sequence = db_->last_sequence();
    CHECK(db_->Close().ok());
    db_ = nullptr;
  }

  // Leaves what a power cut in the middle of a flush may leave: the log of the frozen memtable and
  // the next, whose last record is torn; a table and a MANIFEST that were never published; a log
  // whose removal was lost.
  void CrashInFlush() {
    CHECK(db_->Sync().ok());
    Close();
    const lsm::Manifest manifest = lsm::DecodeManifest("db/MANIFEST", Bytes("db/MANIFEST")).value();
    Leave("MANIFEST.tmp", Bytes("db/MANIFEST").substr(0, 100));
    Leave("000001.wal", Bytes(lsm::LogPath("db", manifest.min_log)).substr(0, 40));
    const uint64_t log = manifest.next_file;
    Leave(absl::StrCat(absl::Dec(log + 1, absl::kZeroPad6), ".sst"), "not yet a table");

    const base::Sequence synced = golden_.last_sequence;
    {
      const auto writer =
          wal::Writer::Create(files(), lsm::LogPath("db", log), log, synced + 1).value();
      for (const base::Sequence i : {synced + 1, synced + 2}) {
        lsm::Batch batch;
        batch.Put("late", absl::StrCat("in record ", i - synced));
        CHECK(writer->Append(i, synced, batch.payload()).ok());
      }
    }
    golden_.contents["late"] = "in record 1";
    golden_.last_sequence = synced + 1;
    const auto file = files().Open(lsm::LogPath("db", log), engine::OpenMode::kMustExist).value();
    CHECK(file->Truncate(file->Size().value() - 20).ok());
  }

  static std::string Key(uint64_t i) { return absl::StrCat("key", absl::Dec(i, absl::kZeroPad3)); }

  void AddTo(Output& output, const std::string& name, std::string_view about) {
    Close();
    const std::string folder = "database-" + name;
    const std::vector<std::string> names = files().List("db").value();
    for (const std::string& each : names) {
      const lsm::FileName file = lsm::ParseFileName(each);
      if (file.kind == lsm::FileKind::kLock) continue;
      const std::string path = lsm::PathIn("db", each);
      output.Add(absl::StrCat(folder, "/", path), Bytes(path));
      if (IsLeftover(each)) continue;
      if (file.kind == lsm::FileKind::kLog) golden_.logs.push_back(file.number);
      if (file.kind == lsm::FileKind::kTable) {
        golden_.tables[file.number] = FormatOf(files(), path, file.number);
      }
    }
    output.AddText(folder, about, Format(golden_));
  }

 private:
  std::string Bytes(const std::string& path) { return base::ReadWholeFile(files(), path).value(); }
  void Leave(const std::string& name, std::string_view bytes) {
    const auto file = files().Open(lsm::PathIn("db", name), engine::OpenMode::kMustCreate).value();
    CHECK(file->Append(base::AsBytes(bytes)).ok());
    golden_.leftovers.push_back(name);
  }
  bool IsLeftover(const std::string& name) const {
    const std::vector<std::string>& names = golden_.leftovers;
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  static std::string FormatOf(engine::FileSystem& files, const std::string& path, uint64_t number) {
    const auto table = table::TableReader::Open(files, path, number, {}).value();
    const auto format =
        std::find_if(kGoldenFormats.begin(), kGoldenFormats.end(),
                     [&](const GoldenFormat& each) { return each.format == table->format(); });
    return std::string(format->name);
  }

  memory::MemoryEnv env_;
  std::unique_ptr<lsm::Db> db_;
  GoldenDatabase golden_;
};

void AddDatabases(Output& output) {
  Making fresh;
  fresh.Open(*FindGoldenFormat("sst3"));
  fresh.AddTo(output, "new", "A database that was made and closed.");

  for (const GoldenFormat& format : kGoldenFormats) {
    Making making;
    making.Open(format, 3);
    making.Put("", "of the empty key");
    for (const uint64_t from : {0u, 20u, 10u, 30u}) {
      making.PutMany(from, absl::StrCat("from ", from));
    }
    making.Put("last", "synced", /*sync=*/true);
    making.Put("very last", "not synced");
    making.AddTo(output, std::string(format.name),
                 "Two levels of one format, deletes, older versions, a live log.");
  }

  Making crashed;
  crashed.Open(*FindGoldenFormat("ph3"));
  crashed.PutMany(0, "in a table");
  crashed.Put("early", "in the first log");
  crashed.CrashInFlush();
  crashed.AddTo(output, "crashed",
                "What a power cut in a flush may leave: two live logs, leftovers.");

  Making mixed;
  mixed.Open(*FindGoldenFormat("sst3"));
  mixed.PutMany(0, "the oldest");
  CHECK(mixed.db().Compact().ok());
  uint64_t from = 0;
  for (const std::string_view format : {"ph2", "sst3", "ph3", "ph3-wide"}) {
    mixed.Open(*FindGoldenFormat(format));
    mixed.PutMany(from += 9, absl::StrCat("by ", base::ToAbsl(format)));
    mixed.Put("in a log", absl::StrCat("before ", base::ToAbsl(format)));
  }
  mixed.Put(std::string("\0\xff", 2), "binary", /*sync=*/true);
  mixed.Delete("in a log");
  mixed.AddTo(output, "mixed", "Tables of every format over one another, and a live log.");
}

int Write(const std::string& directory) {
  if (std::filesystem::exists(directory)) {
    std::fprintf(stderr, "%s exists: golden files are never written over\n", directory.c_str());
    return 2;
  }
  Output output(directory);
  AddTables(output);
  AddLogs(output);
  AddManifests(output);
  AddDatabases(output);
  output.Finish();
  return 0;
}

}  // namespace
}  // namespace kiban::tools

int main(int argc, char** argv) {
  if (argc == 2) return kiban::tools::Write(argv[1]);
  std::fprintf(stderr, "usage: kiban_golden_writer NEW-DIRECTORY\n");
  return 2;
}
