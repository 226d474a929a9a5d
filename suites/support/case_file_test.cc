// Goal:   a case is complete in itself: what is written reads back as the same life, a person may
// edit
//         it, and what is not a case is refused with the line and what was expected there.
#include "suites/support/case_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/disk/profile.h"
#include "sim/faults/fault_text.h"
#include "suites/support/suite.h"

namespace kiban::suites {
namespace {

using testing::HasSubstr;

Case GeneratedCase(sim::Seed seed) {
  Case c;
  c.plan = FindSuite("crash")->generate(seed, *FindEngine("lsm"), sim::kStrict);
  c.plan.faults.plants.push_back(sim::Plant::kNoWalSync);
  c.expect = Verdict::kViolated;
  c.found = Verdict::kUnavailable;
  c.signature = "unavailable: open refused: open.O2";
  c.marks = {"open.O4", "flush.F5"};
  c.crash_spans = {"open.O2"};
  c.formats = {"ph3", "sst3"};
  c.format_pairs = {"ph3->sst3", "sst3->ph3"};
  c.plan.boots = {{2, {{"write_format", 42}}}, {10, {{"block_bytes", 256}, {"write_format", 3}}}};
  c.build = "g++ 12.2.0 Release";
  c.revision = "ab12cd3";
  c.digest = "00ff";
  c.why = "a sentence with \"quotes\" in it";
  c.logic_plant = "some-patch";
  c.plan.lucks = {1, 3};
  c.plan.schedule = {{.boot = 2, .task = "client-2", .operation = 12, .from = 17, .to = 40},
                     {.boot = 1, .task = "main", .operation = 0, .from = 3, .to = 3}};
  c.certificate = {{"operations", {"7", "23"}}, {"ghosts", {}}};
  c.barrier = "holds if  sync *.wal (write.sync)  comes before  acknowledgement of op 7";
  c.weakest = "strict";
  return c;
}

TEST(CaseFile, ReadsBackWhatItWrites) {
  for (sim::Seed seed = 0; seed < 100; ++seed) {
    const Case c = GeneratedCase(seed);
    const std::string text = FormatCase(c);
    const auto parsed = ParseCaseFile(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->plan.operations, c.plan.operations);
    EXPECT_EQ(parsed->signature, c.signature);
    EXPECT_EQ(parsed->why, c.why);
    EXPECT_EQ(parsed->plan.boots, c.plan.boots);
    EXPECT_EQ(parsed->formats, c.formats);
    EXPECT_EQ(parsed->format_pairs, c.format_pairs);
    EXPECT_EQ(parsed->plan.lucks, c.plan.lucks);
    EXPECT_EQ(parsed->plan.schedule, c.plan.schedule);
    EXPECT_EQ(parsed->certificate, c.certificate);
    EXPECT_EQ(parsed->barrier, c.barrier);
    EXPECT_EQ(parsed->weakest, c.weakest);
    EXPECT_EQ(FormatCase(*parsed), text);
  }
}

TEST(CaseFile, ReadsBackLivesOfManyClients) {
  for (sim::Seed seed = 0; seed < 20; ++seed) {
    const Case c{.plan = FindSuite("concurrent")->generate(seed, *FindEngine("lsm"), sim::kStrict)};
    const auto parsed = ParseCaseFile(FormatCase(c));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->plan.clients, c.plan.clients);
    EXPECT_EQ(parsed->plan.operations, c.plan.operations);
  }
}

TEST(CaseFile, ReadsAPlanAlone) {
  const Case c = GeneratedCase(7);
  std::string text;
  AppendPlan(text, c.plan);
  const auto parsed = ParseCase(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  std::string again;
  AppendPlan(again, parsed->plan);
  EXPECT_EQ(again, text);
}

TEST(CaseFile, RefusesAFileThatWasCutShortAnywhere) {
  const std::string text = FormatCase(GeneratedCase(7));
  const std::string_view whole = std::string_view(text).substr(0, text.size() - 1);  // No newline.
  ASSERT_TRUE(ParseCaseFile(whole).ok());
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_EQ(ParseCaseFile(whole.substr(0, bytes)).status().code(),
              absl::StatusCode::kInvalidArgument)
        << bytes;
  }
  EXPECT_THAT(std::string(ParseCaseFile(whole.substr(0, whole.size() - 4)).status().message()),
              HasSubstr("cut short: expected the line `end`"));
}

TEST(CaseFile, AllowsRemarksBehindItsEndButNothingElse) {
  const std::string text = FormatCase(GeneratedCase(7));
  EXPECT_TRUE(ParseCaseFile(text + "# a stack\n").ok());
  EXPECT_EQ(ParseCaseFile(text + "why not\n").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ParseCaseFile(text + "end\n").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CaseFile, AllowsCommentsAndBlankLines) {
  const auto parsed =
      ParseCase("# mine\n\ncase 1\n  suite crash engine lsm profile strict seed 3\n#\n");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->plan.seed, 3u);
  EXPECT_EQ(parsed->expect, Verdict::kHeld);
}

TEST(CaseFile, SaysWhereItIsGarbledAndWhatWasExpected) {
  const std::string head = "case 1\nsuite crash engine lsm profile strict seed 3\n";
  const struct {
    std::string text;
    const char* says;
  } garbled[] = {
      {"", "empty"},
      {"hello\n", "line 1: expected: case NUMBER"},
      {"case one\n", "line 1: expected: case NUMBER"},
      {"case 1\n", "no line `suite"},
      {"case 1\nsuite\n", "line 2: expected: suite NAME"},
      {"case 1\nsuite crash seed many\n", "line 2: expected: suite NAME"},
      {head + "op 1\n", "line 3: "},
      {head + "op 2 sync\nop 1 sync\n", "line 4: operations are numbered upwards"},
      {head + "op 1 by 2 sync\n", "line 3: `by` needs a line `suite ... clients N` above"},
      {"case 1\nsuite concurrent clients 3\nop 1 sync\n", "line 3: expected `by N` behind the id"},
      {"case 1\nsuite concurrent clients 3\nop 1 by 4 sync\n", "N from 1 to 3"},
      {"case 1\nsuite concurrent clients 3\nop 1 by 1 reopen\n", "a reopen is nobody's own"},
      {"case 1\nsuite concurrent clients 3\nop 1 by 1 snapshot\nop 2 by 3 get \"k\" at 1\n",
       "a snapshot is used by the client that took it, here 1"},
      {"case 1\nsuite concurrent clients 65\n", "line 2: expected: suite NAME"},
      {head + "boot 1 block_bytes=256\n", "line 3: expected: boot NUMBER OPTION=VALUE"},
      {head + "boot many block_bytes=256\n", "line 3: expected: boot NUMBER OPTION=VALUE"},
      {head + "boot 2 small\n", "line 3: expected an option"},
      {head + "boot 2 a=1\nboot 2 a=2\n", "line 4: expected: each boot once"},
      {head + "plant nothing\n", "line 3: expected: plant seam NAME"},
      {head + "cut power\n", "line 3: expected: cut power"},
      {head + "lost size x 1 v1\n", "line 3: kept, lost and torn lines"},
      {head + "expect fine\n", "line 3: expected: expect VERDICT"},
      {head + "end\nop 1 sync\n", "line 3: expected: nothing but remarks"},
      {std::string("\x7f") + "ELF\x01\x02", "line 1: expected: case NUMBER"},
  };
  for (const auto& each : garbled) {
    const auto parsed = ParseCase(each.text);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << each.text;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(each.says));
  }
}

TEST(CaseFile, TellsWhatThisRevisionDoesNotKnowFromWhatIsGarbled) {
  const std::string head = "case 1\nsuite crash engine lsm profile strict seed 3\n";
  for (const std::string& text :
       {std::string("case 2\n"), head + "op 1 fly\nend\n", head + "colour blue\nend\n",
        head + "plant seam no-such-plant\nend\n"}) {
    EXPECT_EQ(ParseCaseFile(text).status().code(), absl::StatusCode::kUnimplemented) << text;
  }
}

TEST(CaseFile, DecisionsTakeThePlaceOfDrawnFaults) {
  Plan plan = GeneratedCase(7).plan;
  ASSERT_GE(plan.faults.cuts.size(), 4u);
  const auto decided = WithDecisions(plan,
                                     "# CHECK failed at a.cc:1: x\n"
                                     "cut power before call 1 of flush.F2#3 in boot 1 listed\n"
                                     "  lost size wal@1:switch.T2#1 10 v1\n");
  ASSERT_TRUE(decided.ok()) << decided.status();
  ASSERT_EQ(decided->faults.cuts.size(), 1u);
  EXPECT_EQ(decided->faults.cuts[0].fates->size(), 1u);
  EXPECT_EQ(decided->operations, plan.operations);
}

}  // namespace
}  // namespace kiban::suites
