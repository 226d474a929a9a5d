// Goal:   what people are shown of files and databases is what is there, and damage is never called
//         whole and never laid to the wrong structure.
// Method: databases in memory, one for each format of tables, looked at whole and by file; then
//         after a bit of each structure that was shown has been flipped, and after files were lost,
//         put in each other's place or made up.
#include "tools/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/read_file.h"
#include "engine/lsm/db.h"
#include "engine/lsm/file_names.h"
#include "engine/memory/memory_env.h"
#include "tools/golden/formats.h"
#include "tools/inspect_file.h"

namespace kiban::tools {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class InspectTest : public testing::TestWithParam<GoldenFormat> {
 protected:
  // Two tables at level 0, each of several blocks; in the live log four records, the last of which
  // knows the others synced.
  InspectTest() {
    const lsm::KibanOptions options = {
        .block_bytes = 64, .l0_compaction_trigger = 64, .l0_write_stall_trigger = 64};
    auto db = *lsm::Db::Open(env_.env(), "db", Writing(GetParam(), options));
    for (const std::string animal : {"ant", "bee"}) {
      for (char legs = '0'; legs < '9'; ++legs)
        EXPECT_TRUE(db->Put(animal + legs, "buzz", {}).ok());
      EXPECT_TRUE(db->Flush().ok());
    }
    for (const char* const key : {"cat", "dog"}) EXPECT_TRUE(db->Put(key, "purr", {}).ok());
    EXPECT_TRUE(db->Delete("ant0", {.sync = true}).ok());
    EXPECT_TRUE(db->Put("eel", "", {}).ok());
    EXPECT_TRUE(db->Close().ok());
  }

  engine::FileSystem& files() { return *env_.env().files; }
  Inspection Inspected(const std::string& path = "db") {
    return Inspect(files(), path, Detail::kStructures);
  }

  // Those of the database with this ending.
  std::vector<std::string> FilesEndingIn(const std::string& ending) {
    std::vector<std::string> paths;
    const std::vector<std::string> names = *files().List("db");
    for (const std::string& name : names) {
      if (name.ends_with(ending)) paths.push_back("db/" + name);
    }
    return paths;
  }

  std::string Bytes(const std::string& path) { return base::ReadWholeFile(files(), path).value(); }
  void SetBytes(const std::string& path, std::string_view bytes) {
    const auto file = files().Open(path, engine::OpenMode::kTruncate).value();
    ASSERT_TRUE(file->Append(base::AsBytes(bytes)).ok());
  }

  // What the inspections of the database and of the file say while a bit of the file is wrong.
  std::vector<std::string> DamageWithFlipAt(const std::string& path, uint64_t offset) {
    const std::string bytes = Bytes(path);
    std::string changed = bytes;
    changed[offset] = static_cast<char>(changed[offset] ^ 1 << (offset % 8));
    SetBytes(path, changed);
    std::vector<std::string> damage = Inspected().damage;
    EXPECT_EQ(Inspected(path).damage, damage);
    SetBytes(path, bytes);
    return damage;
  }

  // Nothing testifies for the flipped bit: it is told where the log ends now, and nothing is whole.
  void ExpectTornWithFlipAt(const std::string& path, uint64_t offset, uint64_t end) {
    const std::string bytes = Bytes(path);
    std::string changed = bytes;
    changed[offset] = static_cast<char>(changed[offset] ^ 1);
    SetBytes(path, changed);
    const auto is_named = StartsWith(absl::StrCat(path, ": tail, offset ", end, ": "));
    for (const Inspection& each : {Inspected(), Inspected(path)}) {
      ASSERT_THAT(each.torn, ElementsAre(is_named));
      ASSERT_THAT(each.text, HasSubstr(path + ": TORN: "));
      ASSERT_THAT(each.text, testing::Not(HasSubstr(path + ": whole: ")));
      ASSERT_THAT(each.text, testing::Not(HasSubstr("db: whole: ")));
    }
    SetBytes(path, bytes);
  }

  memory::MemoryEnv env_;
};

TEST_P(InspectTest, ADatabaseIsShownWithAllThatBelongsToIt) {
  const Inspection all = Inspected();
  EXPECT_TRUE(all.unreadable.ok()) << all.unreadable;
  EXPECT_THAT(all.damage, IsEmpty()) << all.text;
  EXPECT_THAT(all.text, HasSubstr("2 tables, last sequence 18"));
  EXPECT_THAT(all.text, HasSubstr("\"ant0\""));
  EXPECT_THAT(all.text, HasSubstr("4 records, 4 operations"));
  const bool has_index = GetParam().point_index.has_value();
  EXPECT_EQ(all.text.find("point index") != std::string::npos, has_index) << all.text;
}

TEST_P(InspectTest, AVerdictTakesALineForEachFile) {
  const Inspection all = Inspect(files(), "db", Detail::kFiles);
  EXPECT_THAT(all.damage, IsEmpty());
  EXPECT_EQ(std::count(all.text.begin(), all.text.end(), '\n'), 5) << all.text;
  EXPECT_THAT(all.text, testing::EndsWith("db: whole: 4 files\n"));
}

TEST_P(InspectTest, StructuresFillEachFile) {
  std::optional<lsm::Manifest> manifest;
  std::vector<std::pair<std::string, FileReport>> reports = {
      {"db/MANIFEST", InspectManifest(files(), "db/MANIFEST", manifest)}};
  for (const lsm::TableInfo& table : manifest->levels[0]) {
    const std::string path = lsm::TablePath("db", table.number);
    reports.emplace_back(path, InspectTable(files(), path, table.number));
  }
  const std::string log = lsm::LogPath("db", manifest->min_log);
  reports.emplace_back(log, InspectLog(files(), log, manifest->min_log, wal::TailRule::kMayBeTorn));
  ASSERT_THAT(reports, SizeIs(4));
  for (const auto& [path, report] : reports) {
    EXPECT_THAT(report.damage, IsEmpty());
    uint64_t end = 0;
    for (const Structure& structure : report.structures) {
      EXPECT_EQ(structure.offset, end) << path << ": " << structure.name;
      end += structure.bytes;
    }
    EXPECT_EQ(end, Bytes(path).size()) << path;
  }
}

TEST_P(InspectTest, AFlippedBitOfATableIsLaidToItsStructure) {
  const std::string path = FilesEndingIn(".sst").back();
  const FileReport report = InspectTable(files(), path, lsm::ParseFileName(path.substr(3)).number);
  ASSERT_GE(report.structures.size(), 6u);
  for (const Structure& structure : report.structures) {
    const std::string place = absl::StrCat(path, ": ", structure.name, ", offset ");
    for (uint64_t i = 0; i < structure.bytes; ++i) {
      ASSERT_THAT(DamageWithFlipAt(path, structure.offset + i), ElementsAre(StartsWith(place)));
    }
  }
}

TEST_P(InspectTest, AFlippedBitOfALogIsLaidToItsStructure) {
  const std::string path = FilesEndingIn(".wal").back();
  const FileReport report = InspectLog(files(), path, lsm::ParseFileName(path.substr(3)).number,
                                       wal::TailRule::kMayBeTorn);
  ASSERT_THAT(report.structures, SizeIs(5));
  for (const Structure& structure : report.structures) {
    const std::string place = absl::StrCat(path, ": ", structure.name, ", offset ");
    const bool was_promised = structure.name != "record 3";
    for (uint64_t i = 0; i < structure.bytes; ++i) {
      const std::vector<std::string> damage = DamageWithFlipAt(path, structure.offset + i);
      if (was_promised) {
        ASSERT_THAT(damage, ElementsAre(StartsWith(place)));
      } else {
        ASSERT_THAT(damage, IsEmpty());
        ExpectTornWithFlipAt(path, structure.offset + i, structure.offset);
      }
    }
  }
}

TEST_P(InspectTest, AFlippedBitOfAManifestIsLaidToIt) {
  for (uint64_t i = 0; i < Bytes("db/MANIFEST").size(); ++i) {
    ASSERT_THAT(DamageWithFlipAt("db/MANIFEST", i),
                ElementsAre(StartsWith("db/MANIFEST: manifest, offset ")));
  }
}

TEST_P(InspectTest, DamageHidesNothingElse) {
  const std::string table = FilesEndingIn(".sst").front();
  std::string bytes = Bytes(table);
  bytes[2] ^= 1;
  SetBytes(table, bytes);
  const Inspection all = Inspected();
  EXPECT_THAT(all.damage, SizeIs(1));
  EXPECT_THAT(all.text, HasSubstr("block 1 "));
  EXPECT_THAT(all.text, HasSubstr("4 records, 4 operations"));
}

TEST_P(InspectTest, WithoutAManifestWhatIsThereIsStillShown) {
  std::string bytes = Bytes("db/MANIFEST");
  bytes[30] ^= 1;
  SetBytes("db/MANIFEST", bytes);
  Inspection all = Inspected();
  EXPECT_THAT(all.damage, ElementsAre(StartsWith("db/MANIFEST: manifest, offset ")));
  EXPECT_THAT(all.text, HasSubstr("4 records, 4 operations"));
  EXPECT_THAT(all.text, HasSubstr("\"bee0\""));

  ASSERT_TRUE(files().Remove("db/MANIFEST").ok());
  all = Inspected();
  EXPECT_THAT(all.damage, ElementsAre(HasSubstr("MANIFEST: offset 0: missing")));
  EXPECT_THAT(all.text, HasSubstr("\"bee0\""));
}

TEST_P(InspectTest, ALostOrForeignTableIsDamage) {
  const std::vector<std::string> tables = FilesEndingIn(".sst");
  const std::string bytes = Bytes(tables[0]);
  SetBytes(tables[0], Bytes(tables[1]));  // The checksums cover its number.
  EXPECT_THAT(Inspected().damage, ElementsAre(StartsWith(tables[0] + ": footer, offset ")));
  ASSERT_TRUE(files().Remove(tables[0]).ok());
  EXPECT_THAT(Inspected().damage, ElementsAre(HasSubstr("named by MANIFEST, but not there")));
}

TEST_P(InspectTest, ATableOfWhichManifestSaysOtherwiseIsDamage) {
  lsm::Manifest manifest = *lsm::DecodeManifest("db/MANIFEST", Bytes("db/MANIFEST"));
  --manifest.levels[0][1].entry_count;
  SetBytes("db/MANIFEST", lsm::EncodeManifest(manifest));
  EXPECT_THAT(Inspected().damage, ElementsAre(HasSubstr("table against MANIFEST, offset 0")));
}

TEST_P(InspectTest, ALogThatDoesNotFollowTheTablesIsDamage) {
  lsm::Manifest manifest = *lsm::DecodeManifest("db/MANIFEST", Bytes("db/MANIFEST"));
  ++manifest.last_sequence;
  SetBytes("db/MANIFEST", lsm::EncodeManifest(manifest));
  EXPECT_THAT(Inspected().damage, ElementsAre(HasSubstr("sequence 19 where 20 was to come")));
}

TEST_P(InspectTest, GarbageIsToldFromWhatBelongs) {
  const std::string log = Bytes(FilesEndingIn(".wal").front());
  SetBytes("db/000001.wal", log);
  SetBytes("db/000999.sst", "no table");
  SetBytes("db/notes", "not ours");
  const Inspection all = Inspected();
  EXPECT_THAT(all.damage, IsEmpty());
  EXPECT_THAT(all.text, HasSubstr("db/000001.wal: garbage"));
  EXPECT_THAT(all.text, HasSubstr("db/000999.sst: garbage"));
  EXPECT_THAT(Inspected("db/000999.sst").damage, ElementsAre(HasSubstr("footer, offset ")));
}

TEST_P(InspectTest, NothingIsWritten) {
  const std::vector<std::string> names = *files().List("db");
  memory::MemoryEnv before;
  env_.CopyFilesTo(before);
  ASSERT_TRUE(Inspected().unreadable.ok());
  EXPECT_EQ(*files().List("db"), names);
  for (const std::string& name : names) {
    const std::string path = "db/" + name;
    EXPECT_EQ(Bytes(path), base::ReadWholeFile(*before.env().files, path).value());
  }
}

TEST_P(InspectTest, WhatIsNoneOfOursIsNotGuessedAt) {
  ASSERT_TRUE(files().MakeDir("empty").ok());
  for (const char* const path : {"db/LOCK", "empty", "absent", "db/000777.sst"}) {
    const Inspection inspection = Inspected(path);
    EXPECT_FALSE(inspection.unreadable.ok()) << path;
    EXPECT_THAT(inspection.damage, IsEmpty()) << path;
  }
}

std::string NameOf(const testing::TestParamInfo<GoldenFormat>& format) {
  std::string name(format.param.name);
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Formats, InspectTest, testing::ValuesIn(kGoldenFormats), NameOf);

}  // namespace
}  // namespace kiban::tools
