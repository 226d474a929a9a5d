// Goal:   an open finds exactly what a crash may have left, in the order that README.md prescribes,
// and
//         refuses what no crash can leave.
// Method: the files of a life are copied, as a restart would find them, changed by hand, and
// opened.
#include "engine/lsm/recovery.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/lsm/db_for_test.h"
#include "engine/lsm/faulty_files_for_test.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/publish.h"
#include "engine/memory/memory_env.h"
#include "engine/wal/writer.h"

namespace kiban::lsm {
namespace {

constexpr WriteOptions kUnsynced{.sync = false};

KibanOptions LargeBuffer() {
  KibanOptions options = TinyOptions();
  options.write_buffer_bytes = 1u << 20;
  return options;
}

void PutAll(Db& db, const Contents& contents) {
  for (const auto& [key, value] : contents) ASSERT_TRUE(db.Put(key, value, kUnsynced).ok());
}

absl::Status OpenStatus(const engine::Env& env, const KibanOptions& options = TinyOptions()) {
  return Db::Open(env, "db", options).status();
}

bool Exists(const engine::Env& env, const std::string& name) {
  const std::vector<std::string> files = FilesOf(env);
  return std::find(files.begin(), files.end(), name) != files.end();
}

std::map<std::string, std::string> AllBytes(const engine::Env& env) {
  std::map<std::string, std::string> bytes;
  for (const std::string& name : FilesOf(env)) bytes[name] = ReadFile(env, name);
  return bytes;
}

// A log as the write path leaves it.
void WriteLog(const engine::Env& env, uint64_t number, base::Sequence first,
              const std::vector<std::string>& keys) {
  auto log = wal::Writer::Create(*env.files, LogPath("db", number), number, first);
  ASSERT_TRUE(log.ok()) << log.status();
  base::Sequence sequence = first;
  for (const std::string& key : keys) {
    Batch batch;
    batch.Put(key, key);
    ASSERT_TRUE((*log)->Append(sequence++, first - 1, batch.payload()).ok());
  }
}

Manifest ManifestOf(const engine::Env& env) { return ReadManifest(*env.files, "db").value(); }

TEST(Recovery, CreatesWhatIsMissingOnlyIfItMay) {
  memory::MemoryEnv env;
  KibanOptions options = TinyOptions();
  options.create_if_missing = false;
  EXPECT_TRUE(absl::IsNotFound(OpenStatus(env.env(), options)));
  EXPECT_TRUE(env.env().files->List("").value().empty());

  ASSERT_TRUE(env.env().files->MakeDir("db").ok());
  EXPECT_TRUE(absl::IsNotFound(OpenStatus(env.env(), options)));
  EXPECT_TRUE(FilesOf(env.env()).empty());

  EXPECT_EQ(OpenStatus(env.env()), absl::OkStatus());
  EXPECT_EQ(FilesOf(env.env()), (std::vector<std::string>{"000001.wal", "MANIFEST"}));
  EXPECT_EQ(OpenStatus(env.env(), options), absl::OkStatus());
  EXPECT_EQ(Db::Open(env.env(), "db/", options).status(), absl::OkStatus());
  EXPECT_TRUE(absl::IsInvalidArgument(Db::Open(env.env(), "/", options).status()));
}

TEST(Recovery, NeverAppendsToALogThatItHasRead) {
  memory::MemoryEnv env;
  PutAll(*OpenDb(env.env(), LargeBuffer()), {{"a", "1"}});
  const std::unique_ptr<Db> db = OpenDb(env.env(), LargeBuffer());
  // The log was 1; its contents are table 2 now, and log 3 is in use.
  EXPECT_EQ(FilesOf(env.env()), (std::vector<std::string>{"000002.sst", "000003.wal", "MANIFEST"}));
  const Manifest manifest = ManifestOf(env.env());
  EXPECT_EQ(manifest.min_log, 3u);
  EXPECT_EQ(manifest.next_file, 4u);
  EXPECT_EQ(manifest.last_sequence, 1u);
  EXPECT_EQ(db->GetStats().replayed_records, 1u);
  EXPECT_EQ(db->Put("b", "2", kUnsynced).value(), 2u);
}

TEST(Recovery, SweepsWhatNobodyNamesAndLeavesWhatIsForeign) {
  memory::MemoryEnv env;
  PutAll(*OpenDb(env.env(), LargeBuffer()), {{"a", "1"}});
  for (const char* name : {"000077.sst", "MANIFEST.tmp", "000078.sst.bak", "notes.txt", "77.wal"}) {
    WriteFile(env.env(), name, "leftover");
  }
  const std::unique_ptr<Db> db = OpenDb(env.env(), LargeBuffer());
  EXPECT_EQ(FilesOf(env.env()),
            (std::vector<std::string>{"000078.sst", "000078.sst.bak", "000079.wal", "77.wal",
                                      "MANIFEST", "notes.txt"}));
  EXPECT_EQ(ReadAll(*db), (Contents{{"a", "1"}}));
}

TEST(Recovery, NumbersFilesAboveEveryLeftover) {
  memory::MemoryEnv env;
  ASSERT_EQ(OpenStatus(env.env()), absl::OkStatus());
  WriteFile(env.env(), "1234567.sst", "leftover");
  ASSERT_EQ(OpenStatus(env.env()), absl::OkStatus());
  EXPECT_EQ(ManifestOf(env.env()).min_log, 1234568u);
  WriteFile(env.env(), "281474976710655.wal", "");
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenStatus(env.env())));
}

TEST(Recovery, IgnoresALogThatALostRemovalBroughtBack) {
  memory::MemoryEnv env;
  PutAll(*OpenDb(env.env(), LargeBuffer()), {{"a", "1"}, {"b", "1"}});
  const std::string old_log = ReadFile(env.env(), "000001.wal");
  {
    const std::unique_ptr<Db> db = OpenDb(env.env(), LargeBuffer());
    ASSERT_TRUE(db->Delete("a", kUnsynced).ok());
  }
  WriteFile(env.env(), "000001.wal", old_log);
  EXPECT_EQ(ReadAll(*OpenDb(env.env(), LargeBuffer())), (Contents{{"b", "1"}}));
  EXPECT_FALSE(Exists(env.env(), "000001.wal"));
}

TEST(Recovery, TakesALiveLogThatDoesNotExistForEmpty) {
  memory::MemoryEnv env;
  {
    const std::unique_ptr<Db> db = OpenDb(env.env(), LargeBuffer());
    PutAll(*db, {{"a", "1"}});
    ASSERT_TRUE(db->Flush().ok());
  }
  for (const std::string& name : FilesOf(env.env())) {
    ASSERT_TRUE(!name.ends_with(".wal") || env.env().files->Remove("db/" + name).ok());
  }
  EXPECT_EQ(ReadAll(*OpenDb(env.env(), LargeBuffer())), (Contents{{"a", "1"}}));
}

TEST(Recovery, ReplaysTwoLiveLogsInOrder) {
  memory::MemoryEnv env;
  ASSERT_EQ(OpenStatus(env.env()), absl::OkStatus());
  ASSERT_TRUE(env.env().files->Remove("db/000001.wal").ok());
  WriteLog(env.env(), 1, 1, {"a", "b"});
  WriteLog(env.env(), 2, 3, {"c"});
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  EXPECT_EQ(ReadAll(*db), (Contents{{"a", "a"}, {"b", "b"}, {"c", "c"}}));
  EXPECT_EQ(db->last_sequence(), 3u);
  EXPECT_EQ(db->GetStats().level_tables[0], 1u);
}

TEST(Recovery, NeverJumpsAHoleBetweenLogs) {
  memory::MemoryEnv env;
  ASSERT_EQ(OpenStatus(env.env()), absl::OkStatus());
  ASSERT_TRUE(env.env().files->Remove("db/000001.wal").ok());
  WriteLog(env.env(), 1, 1, {"a", "b"});
  WriteLog(env.env(), 2, 4, {"d"});
  EXPECT_TRUE(absl::IsDataLoss(OpenStatus(env.env())));

  // The first of two must end cleanly, although by itself its tail would be nobody's loss.
  ASSERT_TRUE(env.env().files->Remove("db/000002.wal").ok());
  const std::string whole = ReadFile(env.env(), "000001.wal");
  WriteFile(env.env(), "000001.wal", whole.substr(0, whole.size() - 8));
  WriteLog(env.env(), 2, 2, {"b"});
  EXPECT_TRUE(absl::IsDataLoss(OpenStatus(env.env())));
  ASSERT_TRUE(env.env().files->Remove("db/000002.wal").ok());
  EXPECT_EQ(ReadAll(*OpenDb(env.env(), TinyOptions())), (Contents{{"a", "a"}}));
}

TEST(Recovery, RefusesALogThatDoesNotContinueTheTables) {
  for (const base::Sequence first : {1u, 3u}) {
    memory::MemoryEnv env;
    {
      const std::unique_ptr<Db> db = OpenDb(env.env(), LargeBuffer());
      PutAll(*db, {{"a", "1"}});
      ASSERT_TRUE(db->Flush().ok());
    }
    const uint64_t log = ManifestOf(env.env()).min_log;
    ASSERT_TRUE(env.env().files->Remove(LogPath("db", log)).ok());
    WriteLog(env.env(), log, first, {"b"});
    EXPECT_TRUE(absl::IsDataLoss(OpenStatus(env.env()))) << first;
  }
}

TEST(Recovery, CutsATornLogAtEveryByte) {
  memory::MemoryEnv life;
  {
    const std::unique_ptr<Db> db = OpenDb(life.env(), LargeBuffer());
    PutAll(*db, {{"a", "1"}, {"b", "22"}, {"c", "333"}});
  }
  const std::string log = ReadFile(life.env(), "000001.wal");
  size_t contents_seen = 0;
  Contents before;
  for (size_t bytes = 0; bytes <= log.size(); ++bytes) {
    memory::MemoryEnv env;
    life.CopyFilesTo(env);
    WriteFile(env.env(), "000001.wal", log.substr(0, bytes));
    const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
    ASSERT_NE(db, nullptr) << bytes;
    const Contents contents = ReadAll(*db);
    ASSERT_EQ(contents.size(), db->last_sequence());
    ASSERT_TRUE(std::includes(contents.begin(), contents.end(), before.begin(), before.end()));
    contents_seen += contents != before ? 1 : 0;
    before = contents;
  }
  EXPECT_EQ(contents_seen, 3u);
  EXPECT_EQ(before, (Contents{{"a", "1"}, {"b", "22"}, {"c", "333"}}));
}

TEST(Recovery, TouchesNothingIfTheManifestIsGone) {
  for (const bool flushed : {false, true}) {
    memory::MemoryEnv env;
    {
      const std::unique_ptr<Db> db = OpenDb(env.env(), LargeBuffer());
      PutAll(*db, {{"a", "1"}});
      ASSERT_TRUE(!flushed || db->Flush().ok());
    }
    ASSERT_TRUE(env.env().files->Remove("db/MANIFEST").ok());
    const auto before = AllBytes(env.env());
    ASSERT_FALSE(before.empty());
    EXPECT_TRUE(absl::IsDataLoss(OpenStatus(env.env())));
    EXPECT_EQ(AllBytes(env.env()), before);
  }
}

TEST(Recovery, BeginsAnInterruptedCreationAnew) {
  memory::MemoryEnv env;
  ASSERT_TRUE(env.env().files->MakeDir("db").ok());
  WriteFile(env.env(), "MANIFEST.tmp", "torn");
  WriteFile(env.env(), "000001.wal", "");
  WriteFile(env.env(), "000002.wal", std::string(40, '\0'));
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  ASSERT_NE(db, nullptr);
  EXPECT_EQ(ReadAll(*db), Contents{});
  EXPECT_EQ(FilesOf(env.env()), (std::vector<std::string>{"000003.wal", "MANIFEST"}));
}

TEST(Recovery, RefusesATableThatIsMissingOrAnother) {
  memory::MemoryEnv life;
  {
    const std::unique_ptr<Db> db = OpenDb(life.env(), LargeBuffer());
    for (const char* value : {"1", "2"}) {
      PutAll(*db, {{"a", value}});
      ASSERT_TRUE(db->Flush().ok());
    }
  }
  const Manifest manifest = ManifestOf(life.env());
  ASSERT_EQ(manifest.levels[0].size(), 2u);
  const std::string first = TablePath("", manifest.levels[0][0].number).substr(1);
  const std::string second = TablePath("", manifest.levels[0][1].number).substr(1);
  {
    memory::MemoryEnv env;
    life.CopyFilesTo(env);
    ASSERT_TRUE(env.env().files->Remove("db/" + first).ok());
    EXPECT_TRUE(absl::IsDataLoss(OpenStatus(env.env())));
  }
  memory::MemoryEnv env;
  life.CopyFilesTo(env);
  WriteFile(env.env(), first, ReadFile(env.env(), second));
  EXPECT_TRUE(absl::IsDataLoss(OpenStatus(env.env())));
}

// A read error is never taken for the end of a log, nor for a file that is not there.
TEST(Recovery, FailsOnEveryReadErrorAndOpensOnceItIsGone) {
  memory::MemoryEnv life;
  {
    const std::unique_ptr<Db> db = OpenDb(life.env(), LargeBuffer());
    PutAll(*db, {{"a", "1"}, {"b", "2"}});
    ASSERT_TRUE(db->Flush().ok());
    PutAll(*db, {{"c", "3"}});
  }
  uint64_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    memory::MemoryEnv env;
    life.CopyFilesTo(env);
    FaultyFiles files(*env.env().files);
    files.Arm({.reads = true, .fail_at = n});
    const auto db =
        Db::Open({.files = &files, .clock = nullptr, .tasks = nullptr, .random = nullptr}, "db",
                 TinyOptions());
    if (!files.has_failed()) break;
    ASSERT_TRUE(absl::IsUnavailable(db.status())) << n << ": " << db.status();
    ++failures;
    ASSERT_EQ(ReadAll(*OpenDb(env.env(), TinyOptions())),
              (Contents{{"a", "1"}, {"b", "2"}, {"c", "3"}}));
  }
  EXPECT_GT(failures, 5u);
}

}  // namespace
}  // namespace kiban::lsm
