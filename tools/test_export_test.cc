// Goal:   a case becomes a test with a name of its own that expects what ought to be.
// Method: cases made by hand; that what is written compiles and runs is asked by the test `export`.
#include "tools/test_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kiban::tools {
namespace {

using suites::Case;
using suites::Verdict;
using testing::HasSubstr;
using testing::Not;

Case SmallCase() {
  const absl::StatusOr<Case> c = suites::ParseCaseFile(
      "case 1\nsuite crash engine lsm profile strict seed 1\nop 1 put \"k\" 9\n"
      "expect held found violated\nbuild b\nrevision r\ndigest d\nwhy a \"why\"\nend\n");
  CHECK(c.ok());
  return *c;
}

std::string TextOf(const Case& c, const std::string& path = "x.cc") {
  const absl::StatusOr<std::string> text = TestOf(c, path);
  return text.ok() ? *text : std::string(text.status().message());
}

TEST(TestExport, HoldsTheCaseAsTextWithoutItsBuild) {
  const std::string text = TextOf(SmallCase());
  EXPECT_THAT(text, HasSubstr("R\"case(case 1\n"));
  EXPECT_THAT(text, HasSubstr("op 1 put \"k\" 9\n"));
  EXPECT_THAT(text, HasSubstr("why a \"why\"\nend\n)case\";"));
  for (const char* const line : {"\nbuild ", "\nrevision ", "\ndigest "}) {
    EXPECT_THAT(text, Not(HasSubstr(line)));
  }
}

TEST(TestExport, IsNamedAfterItsFile) {
  for (const auto& [path, name] :
       {std::pair{"lost_put_test.cc", "LostPutHolds"},
        std::pair{"a.b/crash-92.min.cc", "Crash92MinHolds"}, std::pair{"/t/A__b.cc", "ABHolds"},
        std::pair{"\xc3\xa9.cc", "Holds"}, std::pair{"x", "XHolds"}}) {
    EXPECT_THAT(TextOf(SmallCase(), path), HasSubstr(std::string("TEST(CrashCase, ") + name + ")"));
  }
}

TEST(TestExport, ExpectsToHoldUnlessABugIsPlanted) {
  Case c = SmallCase();
  EXPECT_THAT(TextOf(c), HasSubstr("report.verdict, Verdict::kHeld)"));
  c.expect = Verdict::kViolated;
  EXPECT_THAT(TextOf(c), HasSubstr("report.verdict, Verdict::kViolated)"));
  EXPECT_THAT(TextOf(c), HasSubstr("TEST(CrashCase, XIsViolated)"));
  c.expect = Verdict::kUnavailable;
  EXPECT_THAT(TextOf(c), HasSubstr("report.verdict, Verdict::kUnavailable)"));
  c.logic_plant = "a_patch";  // Which the tree of the test does not have.
  EXPECT_THAT(TextOf(c), HasSubstr("report.verdict, Verdict::kHeld)"));
}

TEST(TestExport, RefusesWhatNoProcessOfATestSurvives) {
  Case c = SmallCase();
  for (const Verdict verdict :
       {Verdict::kCrashed, Verdict::kStuck, Verdict::kGaveUp, Verdict::kBroken}) {
    c.expect = verdict;
    EXPECT_EQ(TestOf(c, "x.cc").status().code(), absl::StatusCode::kFailedPrecondition);
  }
}

TEST(TestExport, NoTextOfACaseEndsItsStringOrItsSource) {
  Case c = SmallCase();
  c.why = "ends early )case\" and )casee\"; $name \\";
  const std::string text = TextOf(c);
  EXPECT_THAT(text, HasSubstr("R\"caseee("));
  EXPECT_THAT(text, HasSubstr("$name \\\nend\n)caseee\";"));
  c.why = "a \x1b[0m";
  EXPECT_EQ(TestOf(c, "x.cc").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace kiban::tools
