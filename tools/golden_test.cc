// Goal:   the golden files say what they always said, and a check of them that passes has looked.
// Method: the real ones; then copies in which a file is lost, added, changed, or whose text tells
//         something else under checksums that hold.
#include "tools/golden.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"
#include "suites/support/whole_file.h"
#include "tools/command_line.h"
#include "tools/golden/sha256.h"
#include "tools/golden/text.h"
#include "tools/inspect.h"
#include "tools/inspect_file.h"

namespace kiban::tools {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr char kGolden[] = KIBAN_GOLDEN;

TEST(Golden, FilesSayWhatTheyAlwaysSaid) {
  const GoldenReport report = CheckGoldenIn(kGolden, true);
  EXPECT_THAT(report.complaints, IsEmpty());
  EXPECT_GE(report.files, 60u);
  EXPECT_GE(report.tables, 18u);  // Of these four formats, sixteen twice.
  EXPECT_GE(report.logs, 6u);
  EXPECT_GE(report.manifests, 2u);
  EXPECT_GE(report.databases, 6u);
  EXPECT_GE(report.rewrites, report.tables + report.manifests + 2);
  EXPECT_GE(report.reads, 10000u);
  RecordProperty("reads", static_cast<int>(report.reads));
}

// A copy that may be spoilt.
class GoldenCopy : public testing::Test {
 protected:
  static constexpr auto kWithAllBelow =
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing;

  GoldenCopy() { std::filesystem::copy(kGolden, dir_, kWithAllBelow); }

  std::string Read(const std::string& name) { return suites::ReadWhole(dir_ + "/" + name).value(); }
  void Write(const std::string& name, std::string_view bytes) {
    ASSERT_TRUE(suites::WriteWhole(dir_ + "/" + name, bytes).ok());
  }
  // Changes a file and has SHA256SUMS agree.
  void WriteUnderTrueSums(const std::string& name, const std::string& bytes) {
    const std::string before = Sha256(Read(name));
    Write(name, bytes);
    Write("SHA256SUMS", absl::StrReplaceAll(Read("SHA256SUMS"), {{before, Sha256(bytes)}}));
  }
  void Edit(const std::string& name, const std::string& from, const std::string& to) {
    const std::string text = Read(name);
    ASSERT_THAT(text, HasSubstr(from));
    WriteUnderTrueSums(name, absl::StrReplaceAll(text, {{from, to}}));
  }
  // Folders whose paths match, and their lines in SHA256SUMS.
  void TakeAway(const std::string& folders) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_)) {
      const std::string path = std::filesystem::relative(entry.path(), dir_).string();
      if (entry.is_directory() && std::regex_match(path, std::regex(folders)))
        paths.push_back(path);
    }
    ASSERT_THAT(paths, testing::Not(IsEmpty()));
    for (const std::string& path : paths) std::filesystem::remove_all(dir_ + "/" + path);
    const std::regex lines("[0-9a-f]+  " + folders + "/[^\n]*\n");
    Write("SHA256SUMS", std::regex_replace(Read("SHA256SUMS"), lines, ""));
  }
  std::vector<std::string> Complaints() { return CheckGoldenIn(dir_, false).complaints; }

  posix::TemporaryDir temporary_ = *posix::TemporaryDir::Make();
  const std::string dir_ = temporary_.path() + "/golden";
};

TEST_F(GoldenCopy, IsAsGoodAsTheOriginal) {
  EXPECT_THAT(Complaints(), IsEmpty());
  EXPECT_EQ(CheckGolden({temporary_.path()}, false), kExitHeld);
  EXPECT_EQ(CheckGolden({dir_ + "/"}, false), kExitHeld);
  EXPECT_EQ(CheckGolden({temporary_.path()}, true), kExitHeld);
}

TEST_F(GoldenCopy, NothingIsNotGolden) {
  std::filesystem::remove_all(dir_);
  std::filesystem::create_directory(dir_);
  EXPECT_THAT(Complaints(), ElementsAre(HasSubstr("/golden/SHA256SUMS: ")));
  EXPECT_EQ(CheckGolden({dir_}, false), kExitFailed);
  Write("SHA256SUMS", "");
  EXPECT_THAT(Complaints(), ElementsAre(HasSubstr("SHA256SUMS: it names no file")));
}

// Not only what SHA256SUMS names: a folder that went together with its lines is missed as well.
TEST_F(GoldenCopy, WhatAllOfItMustHaveIsMissed) {
  const std::map<std::string, std::string> gaps = {
      {"table-.*/ph3-wide", "table of format ph3-wide"},
      {"table-.*/sst3", "table of format sst3"},
      {"database-ph2", "database-ph2"},
      {"log-.*", "log"},
      {"manifest-.*", "manifest"}};
  for (const auto& [folders, what] : gaps) {
    TakeAway(folders);
    EXPECT_THAT(Complaints(), IsEmpty());
    EXPECT_THAT(CheckGoldenIn(dir_, true).complaints,
                ElementsAre(testing::EndsWith(": it has no whole " + what)));
    EXPECT_EQ(CheckGolden({dir_}, true), kExitFailed);
    std::filesystem::copy(kGolden, dir_, kWithAllBelow);
  }
  std::filesystem::remove_all(dir_);
  EXPECT_EQ(CheckGolden({temporary_.path()}, false), kExitHeld);
  EXPECT_EQ(CheckGolden({temporary_.path()}, true), kExitFailed);
}

TEST_F(GoldenCopy, ALostFileIsMissed) {
  std::filesystem::remove(dir_ + "/table-small/ph3/000012.sst");
  EXPECT_THAT(Complaints(), Contains(AllOf(HasSubstr("table-small/ph3/000012.sst: missing"))));
  EXPECT_EQ(CheckGolden({dir_}, false), kExitFailed);
}

TEST_F(GoldenCopy, AChangedFileIsNamed) {
  std::string text = Read("manifest-full/expected.txt");
  Write("manifest-full/expected.txt", text + "# No harm.\n");
  EXPECT_THAT(Complaints(), ElementsAre(HasSubstr("manifest-full/expected.txt: changed")));
}

TEST_F(GoldenCopy, AFileThatNobodyAnswersForIsNamed) {
  Write("table-small/ph3/000013.sst", "new");
  EXPECT_THAT(Complaints(),
              ElementsAre(HasSubstr("table-small/ph3/000013.sst: not in SHA256SUMS")));
}

TEST_F(GoldenCopy, ATableThatHoldsSomethingElseIsFound) {
  Edit("table-versions/expected.txt", "\"now 117\"", "\"now 118\"");
  const std::vector<std::string> complaints = Complaints();
  EXPECT_EQ(complaints.size(), 4u);  // One for each format.
  EXPECT_THAT(complaints, Contains(AllOf(HasSubstr("ph2/345678.sst: forward: expected put"),
                                         HasSubstr("found put \"counter\" 117 \"now 117\""))));
}

TEST_F(GoldenCopy, ATableOfAnotherFormatIsFound) {
  WriteUnderTrueSums("table-small/ph3/000012.sst", Read("table-small/ph2/000012.sst"));
  EXPECT_THAT(Complaints(), ElementsAre(HasSubstr("ph3/000012.sst: of another format")));
}

TEST_F(GoldenCopy, ATableThatIsNoLongerMadeSoIsFound) {
  Edit("table-binary/expected.txt", "restart_interval 3", "restart_interval 4");
  const std::vector<std::string> complaints = Complaints();
  EXPECT_EQ(complaints.size(), 4u);
  EXPECT_THAT(complaints, testing::Each(HasSubstr("today's builder makes other bytes")));
}

TEST_F(GoldenCopy, ALogThatEndsElsewhereIsFound) {
  Edit("log-torn/expected.txt", "dropped", "# dropped");
  EXPECT_THAT(Complaints(), ElementsAre(HasSubstr("log-torn/000007.wal: dropped ")));
}

TEST_F(GoldenCopy, ALogWhoseDamagePassesIsFound) {
  Edit("log-lost/expected.txt", "damaged", "# damaged");
  EXPECT_THAT(Complaints(), ElementsAre(HasSubstr("log-lost/000007.wal: ")));
  Edit("log-whole/expected.txt", "log 7", "log 7\ndamaged");
  EXPECT_THAT(Complaints(), Contains(HasSubstr("log-whole/000007.wal: its damage is not seen")));
}

TEST_F(GoldenCopy, AManifestThatSaysSomethingElseIsFound) {
  Edit("manifest-full/expected.txt", "next_file 4711", "next_file 4712");
  EXPECT_THAT(Complaints(), ElementsAre(HasSubstr("manifest-full/MANIFEST: it says something")));
}

TEST_F(GoldenCopy, ADatabaseThatHoldsSomethingElseIsFound) {
  Edit("database-mixed/expected.txt", "put \"key002\"", "put \"key002x\"");
  EXPECT_THAT(Complaints(), ElementsAre(AllOf(HasSubstr("database-mixed: opened to write sst3"),
                                              HasSubstr("key002x"))));
}

TEST_F(GoldenCopy, ATextThatCannotBeReadIsNamedWithItsLine) {
  Edit("log-whole/expected.txt", "first_sequence 41", "first_sequence forty");
  EXPECT_THAT(Complaints(),
              ElementsAre(AllOf(HasSubstr("log-whole: line 3: "), HasSubstr("a number"))));
}

// What a record says of itself and of those before it, as it is shown.
struct ShownRecord {
  base::Sequence first_sequence = 0;
  base::Sequence durable_through = 0;
};

ShownRecord RecordOf(const Structure& structure) {
  static const std::regex kShown("sequence (\\d+), .* durable through (\\d+)");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(structure.contents, found, kShown)) << structure.contents;
  return {std::stoull(found[1]), std::stoull(found[2])};
}

// Whether a record behind the one at `at` says that the one at `at` was synced.
bool IsTestifiedFor(const std::vector<Structure>& structures, size_t at) {
  if (!structures[at].name.starts_with("record")) return structures[at].name == "header";
  const base::Sequence hole = RecordOf(structures[at]).first_sequence;
  for (size_t i = at + 1; i < structures.size(); ++i) {
    if (!structures[i].name.starts_with("record")) continue;
    if (RecordOf(structures[i]).durable_through >= hole) return true;
  }
  return false;
}

struct FlipCounts {
  uint64_t damage = 0;
  uint64_t torn = 0;
};

// The file as it is, and with a bit in the middle of each of its structures flipped. A log ends
// before a record for which none behind it testifies.
void InspectWithFlips(const std::string& path, FlipCounts& flips) {
  posix::PosixEnv posix("");
  engine::FileSystem& files = *posix.env().files;
  const std::string bytes = suites::ReadWhole(path).value();
  const FileReport report = InspectFile(files, path);
  if (path.find("/log-lost/") != path.npos || path.find("/log-headless/") != path.npos) {
    EXPECT_EQ(report.damage.size(), 1u) << path;
    return;
  }
  EXPECT_THAT(report.damage, IsEmpty()) << path;
  const bool is_log = path.ends_with(".wal");
  for (size_t i = 0; i < report.structures.size(); ++i) {
    const Structure& structure = report.structures[i];
    std::string changed = bytes;
    changed[structure.offset + structure.bytes / 2] ^= 4;
    ASSERT_TRUE(suites::WriteWhole(path, changed).ok());
    const FileReport after = InspectFile(files, path);
    const std::string name = path.ends_with("MANIFEST") ? "manifest" : structure.name;
    if (is_log && !IsTestifiedFor(report.structures, i)) {
      EXPECT_THAT(after.damage, IsEmpty()) << path << " " << name;
      EXPECT_THAT(after.torn, StartsWith(absl::StrCat("tail, offset ", structure.offset, ": ")));
      EXPECT_EQ(after.structures.back().name, "tail");
      EXPECT_EQ(after.structures.back().offset, structure.offset);
      ++flips.torn;
    } else {
      EXPECT_THAT(after.damage, ElementsAre(StartsWith(absl::StrCat(name, ", offset "))))
          << path << " " << name;
      ++flips.damage;
    }
  }
  ASSERT_TRUE(suites::WriteWhole(path, bytes).ok());
}

TEST_F(GoldenCopy, InspectionLaysDamageToItsStructure) {
  FlipCounts flips;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_)) {
    const std::string path = entry.path().string();
    // Leftovers of a crash are to be damaged; below they are inspected with their database.
    if (path.find("/database-crashed/") != path.npos) continue;
    if (path.ends_with(".sst") || path.ends_with(".wal") || path.ends_with("/MANIFEST")) {
      InspectWithFlips(path, flips);
    }
  }
  EXPECT_GE(flips.damage, 300u);
  EXPECT_GE(flips.torn, 10u);
}

TEST_F(GoldenCopy, DatabasesAreInspectedWhole) {
  posix::PosixEnv posix("");
  for (const char* const name : {"new", "sst3", "ph2", "ph3", "ph3-wide", "mixed", "crashed"}) {
    const std::string path = absl::StrCat(dir_, "/database-", name, "/db");
    const Inspection inspection = Inspect(*posix.env().files, path, Detail::kStructures);
    EXPECT_TRUE(inspection.unreadable.ok()) << inspection.unreadable;
    EXPECT_THAT(inspection.damage, IsEmpty()) << inspection.text;
  }
}

TEST_F(GoldenCopy, TextsAreAsTheyWouldBeWritten) {
  const auto without_comment = [](const std::string& text) {
    return text.substr(text.find('\n') + 1);
  };
  std::string text = without_comment(Read("table-binary/expected.txt"));
  EXPECT_EQ(Format(ParseTable(text).value()), text);
  text = without_comment(Read("log-torn/expected.txt"));
  EXPECT_EQ(Format(ParseLog(text).value()), text);
  text = without_comment(Read("manifest-full/expected.txt"));
  EXPECT_EQ(Format(ParseManifest(text).value()), text);
  text = without_comment(Read("database-mixed/expected.txt"));
  EXPECT_EQ(Format(ParseDatabase(text).value()), text);
}

}  // namespace
}  // namespace kiban::tools
