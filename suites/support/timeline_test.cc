// Goal:   a timeline has what mattered, in the words of a person, and never fills more than its
//         part of a screen.
// Method: events by hand; then lives of the toy engine and of the real one, of any length.
#include "suites/support/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "suites/support/life.h"
#include "suites/support/suite.h"

namespace kiban::suites {
namespace {

using sim::Told;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

Told Call(std::string name, std::string path) {
  return {.kind = Told::Kind::kCall,
          .task = "main",
          .span = "step",
          .depth = 1,
          .call = std::move(name),
          .path = std::move(path),
          .result = "ok"};
}

Told Created(const std::string& path, const std::string& label) {
  Told told = Call("open", path);
  told.owes = {"add " + label + " " + path};
  return told;
}

Told Written(const std::string& path, const std::string& label) {
  Told told = Call("write", path);
  told.text = "3 bytes at 0";
  told.owes = {"page " + label + " 0 v1", "size " + label + " 3 v1"};
  return told;
}

Told Synced(const std::string& path, const std::string& label) {
  Told told = Call("sync", path);
  told.label = label;
  return told;
}

Told Note(std::string text) {
  return {.kind = Told::Kind::kNote, .task = "main", .text = std::move(text)};
}

// Without the line that says what its columns are.
std::vector<std::string> Lines(const std::vector<Told>& all) {
  Timeline timeline;
  for (const Told& told : all) timeline.Add(told);
  std::vector<std::string> lines = timeline.Finish();
  lines.erase(lines.begin());
  return lines;
}

TEST(Timeline, FoldsAStepIntoALineAndLeavesOutWhatChangedNothing) {
  EXPECT_THAT(
      Lines({Created("db/1.wal", "wal"), Call("size", "db/1.wal"), Written("db/1.wal", "wal"),
             Call("read", "db/1.wal"), Call("close", "db/1.wal")}),
      ElementsAre(EndsWith("  step           create db/1.wal; write 3 bytes at 0")));
}

TEST(Timeline, ShowsWhateverFails) {
  Told failed = Call("read", "db/1.wal");
  failed.result = "UNAVAILABLE: db/1.wal: broken";
  EXPECT_THAT(Lines({failed}), ElementsAre(EndsWith("read db/1.wal -> UNAVAILABLE")));
}

TEST(Timeline, SaysOfASyncWhatIsSafeAndWhatIsNot) {
  Told sync = Synced("db/1.wal", "wal");
  const std::vector<Told> before = {Created("db/1.wal", "wal"), Written("db/1.wal", "wal")};
  std::vector<Told> left_out = before;
  left_out.push_back(sync);
  EXPECT_THAT(absl::StrJoin(Lines(left_out), " "),
              HasSubstr("sync db/1.wal: NOT SAFE: page 0, size 3 of db/1.wal"));
  std::vector<Told> done = before;
  sync.safe = before[1].owes;
  done.push_back(sync);
  done.push_back(Call("syncdir", "db"));
  EXPECT_THAT(absl::StrJoin(Lines(done), " "),
              AllOf(HasSubstr("sync db/1.wal: safe now: page 0, size 3 of db/1.wal"),
                    HasSubstr("sync directory db: NOT SAFE: add db/1.wal")));
  EXPECT_THAT(Lines({Synced("db/1.wal", "wal")}), ElementsAre(HasSubstr("nothing was owed")));
}

TEST(Timeline, SaysOfAFailedSyncWhatStayedOldOnDisk) {
  Told sync = Synced("db/1.wal", "wal");
  sync.safe = {"size wal 3 v1"};
  sync.damaged = {"page wal 0 v1"};
  EXPECT_THAT(
      absl::StrJoin(Lines({Created("db/1.wal", "wal"), Written("db/1.wal", "wal"), sync}), " "),
      AllOf(HasSubstr("OLD ON DISK"), HasSubstr("page 0 of db/1.wal"), Not(HasSubstr("NOT SAFE"))));
}

TEST(Timeline, SaysOfADirectorySyncWhatWentWithItsFile) {
  const std::vector<Told> before = {Created("db/1.wal", "wal"), Written("db/1.wal", "wal")};
  Told sync = Call("syncdir", "db");
  sync.safe = {"add wal db/1.wal", "del wal db/1.wal"};
  sync.gone = before[1].owes;
  const std::string text =
      absl::StrJoin(Lines({before[0], before[1], sync, Synced("db/1.wal", "wal")}), " ");
  EXPECT_THAT(text, AllOf(HasSubstr("sync directory db: safe now: add db/1.wal; del db/1.wal;"),
                          HasSubstr("gone with its file, never safe: page 0, size 3 of db/1.wal"),
                          Not(HasSubstr("NOT SAFE"))));
}

TEST(Timeline, CallsAFileByTheNameThatItHad) {
  Told rename = Call("rename", "db/tmp");
  rename.text = "-> db/LOG";
  rename.owes = {"rename log db/tmp -> db/LOG"};
  Told sync = Synced("db/tmp", "log");  // By the name by which it was opened.
  Told cut = {.kind = Told::Kind::kCut};
  cut.fates = {{.text = rename.owes[0], .fate = "lost", .rule = "D13: no sync"}};
  Told later = Synced("db/tmp", "log");
  later.safe = {"page log 0 v2"};
  const std::string text = absl::StrJoin(
      Lines({Created("db/tmp", "log"), Written("db/tmp", "log"), rename, sync, cut, later}), "\n");
  EXPECT_THAT(text, HasSubstr("NOT SAFE: page 0, size 3 of db/LOG"));
  EXPECT_THAT(text, HasSubstr("owed and lost (D13: no sync): rename db/tmp -> db/LOG"));
  EXPECT_THAT(text, HasSubstr("safe now: page 0 v2 of db/tmp"));
}

TEST(Timeline, BlamesNoSyncForTheBytesOfAnotherFileThatHadItsName) {
  Told rename = Call("rename", "db/tmp");
  rename.owes = {"rename first db/tmp -> db/LOG"};
  Told sync = Synced("db/tmp", "second");
  const std::vector<Told> before = {Created("db/tmp", "first"), Written("db/tmp", "first"), rename,
                                    Created("db/tmp", "second"), Written("db/tmp", "second")};
  std::vector<Told> done = before;
  sync.safe = before.back().owes;
  done.push_back(sync);
  const std::string text = absl::StrJoin(Lines(done), " ");
  EXPECT_THAT(text, HasSubstr("sync db/tmp: safe now: page 0,"));
  EXPECT_THAT(text, Not(HasSubstr("NOT SAFE")));
}

TEST(Timeline, PutsWhatACallReturnedBehindIt) {
  EXPECT_THAT(Lines({Note("op 1 put \"k\" 8"), Call("write", "f"), Note("  = sequence 1"),
                     Note("op 2 get \"k\""), Note("  = 8 bytes")}),
              ElementsAre(EndsWith("op 1 put \"k\" 8"), EndsWith("write f; = sequence 1"),
                          EndsWith("op 2 get \"k\"; = 8 bytes")));
}

TEST(Timeline, LeavesOutTheOldestStepsFirst) {
  std::vector<Told> all = {{.kind = Told::Kind::kBoot}};
  all.push_back(Note("op 1 flush"));
  for (uint64_t i = 0; i < 500; ++i) {
    all.push_back(Call("remove", "file" + std::to_string(i)));
    all.back().task = i % 2 == 0 ? "main" : "other";
    all.back().event = i;
  }
  const std::vector<std::string> lines = Lines(all);
  EXPECT_THAT(lines, SizeIs(Timeline::kLinesMax - 1));
  EXPECT_EQ(lines[0], "boot 1");
  EXPECT_THAT(lines[1], EndsWith("op 1 flush"));
  EXPECT_THAT(lines[2], StartsWith("... 460 lines, up to event 459, "));
  EXPECT_THAT(lines.back(), EndsWith("file499"));
}

TEST(Timeline, BreaksLongLinesBetweenWhatTheyList) {
  Told cut = {.kind = Told::Kind::kCut};
  for (int i = 0; i < 30; ++i) {
    cut.fates.push_back({.text = "add wal db/00000" + std::to_string(i) + ".wal", .fate = "kept"});
  }
  const std::vector<std::string> lines = Lines({cut});
  EXPECT_GT(lines.size(), 3u);
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), 118u);
    EXPECT_THAT(line, testing::Not(EndsWith(" ")));
  }
  EXPECT_THAT(lines[1], testing::HasSubstr("    add db/"));
}

// Lives as they are drawn, of any length.
TEST(Timeline, FitsItsPartOfAScreenWhateverIsLived) {
  for (const char* const engine : {"lsm", "toy"}) {
    for (sim::Seed seed = 0; seed < 20; ++seed) {
      const Plan plan = FindSuite("crash")->generate(seed, *FindEngine(engine), sim::kStrict);
      Timeline timeline;
      LifeOptions options;
      options.on_event = [&](const Told& told) { timeline.Add(told); };
      const LifeReport watched = RunLife(plan, options);
      EXPECT_EQ(watched.digest, RunLife(plan, {}).digest);
      const std::vector<std::string> lines = timeline.Finish();
      EXPECT_LE(lines.size(), Timeline::kLinesMax);
      for (const std::string& line : lines) EXPECT_LE(line.size(), 120u) << line;
    }
  }
}

}  // namespace
}  // namespace kiban::suites
