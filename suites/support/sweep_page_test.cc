// Goal:   the page of a sweep says what the sweep found and is HTML whatever the engine said.
// Method: results made by hand, hostile ones too. tools/report_test.py reads pages of real sweeps.
#include "suites/support/sweep_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "suites/support/html.h"
#include "suites/support/html_figures.h"

namespace kiban::suites {
namespace {

using testing::HasSubstr;
using testing::Not;

SweepResult ResultOf(const char* suite) {
  SweepResult result;
  result.request.suite = FindSuite(suite);
  result.request.engine = FindEngine("lsm");
  result.request.profile = sim::FindProfile("strict");
  result.request.seeds = 40;
  result.request.provenance.program = "kiban";
  result.tally.seeds = 40;
  result.tally.verdicts[static_cast<size_t>(Verdict::kHeld)] = 40;
  return result;
}

std::string PageOf(const SweepResult& result) {
  return SweepPage(result.request.provenance, {&result, 1});
}

TEST(Html, EscapesTextAndAttributes) {
  EXPECT_EQ(Text("<b a='1'>&\"").text(), "&lt;b a=&#39;1&#39;&gt;&amp;&quot;");
  EXPECT_EQ(Element("p", {{"title", "\"><script>"}}, Text("x")).text(),
            "<p title=\"&quot;&gt;&lt;script&gt;\">x</p>");
}

TEST(Html, ShowsBytesThatAreNoText) {
  EXPECT_EQ(Text("a\tb\nc").text(), "a\tb\nc");
  EXPECT_EQ(Text(std::string_view("\0\x1b[0m\x7f", 6)).text(), "\\x00\\x1b[0m\\x7f");
  EXPECT_EQ(Text("\xc2\x85").text(), "\\xc2\\x85") << "a control character in two bytes";
}

TEST(Html, KeepsWholeUtf8AndNoOther) {
  for (const char* const whole :
       {"\xc3\xa9", "\xe2\x82\xac", "\xed\x9f\xbf", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(Text(whole).text(), whole);
  }
  EXPECT_EQ(Text("\xc3").text(), "\\xc3");
  EXPECT_EQ(Text("\x80").text(), "\\x80");
  EXPECT_EQ(Text("\xc0\xbc").text(), "\\xc0\\xbc") << "'<', longer than it need be";
  EXPECT_EQ(Text("\xe0\x80\xbc").text(), "\\xe0\\x80\\xbc");
  EXPECT_EQ(Text("\xed\xa0\x80").text(), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(Text("\xf4\x90\x80\x80").text(), "\\xf4\\x90\\x80\\x80") << "beyond the last";
  EXPECT_EQ(Text("\xe2\x82<").text(), "\\xe2\\x82&lt;");
}

TEST(Figures, NumbersHaveCommasForPeopleAndNoneForPrograms) {
  EXPECT_EQ(Count("seeds", 1234567).text(),
            "<data value=\"1234567\" data-json=\"seeds\">1,234,567</data>");
  EXPECT_THAT(Count("seeds", 999).text(), HasSubstr(">999<"));
  EXPECT_THAT(Count("seeds", 1000).text(), HasSubstr(">1,000<"));
  EXPECT_THAT(Count("seeds", UINT64_MAX).text(), HasSubstr(">18,446,744,073,709,551,615<"));
}

TEST(Figures, EveryValueButNoneHasABar) {
  const std::string bars =
      BarsOf("c", {{"a", "a", 1'000'000}, {"b", "b", 1}, {"c", "c", 0}}).text();
  EXPECT_THAT(bars, HasSubstr("width:100.0%"));
  EXPECT_THAT(bars, HasSubstr("width:0.6%"));
  EXPECT_THAT(bars, HasSubstr("<td class=\"bar\" aria-hidden=\"true\"></td>"));
}

TEST(Rate, KeepsEveryLifeAndFewStretches) {
  Rate rate;
  uint64_t lives = 0;
  for (int tick = 0; tick < 10'000; ++tick) {
    lives += static_cast<uint64_t>(tick % 7);
    rate.Note(tick * 0.1, lives);
    ASSERT_LE(rate.lives().size(), Rate::kStretchesMax);
  }
  EXPECT_EQ(rate.stretch_seconds(), 32) << "1,000 seconds in at most 60 stretches";
  EXPECT_EQ(std::accumulate(rate.lives().begin(), rate.lives().end(), uint64_t{0}), lives);
  for (size_t i = 0; i + 1 < rate.lives().size(); ++i) {
    EXPECT_NEAR(static_cast<double>(rate.lives()[i]), 960, 20) << i << ": 320 ticks of 3 lives";
  }
}

TEST(Rate, ALongSilenceIsShownAsOne) {
  Rate rate;
  rate.Note(0.1, 5);
  rate.Note(100, 9);
  ASSERT_EQ(rate.stretch_seconds(), 2);
  EXPECT_EQ(rate.lives()[0], 5u);
  EXPECT_EQ(rate.lives()[25], 0u);
  EXPECT_EQ(rate.lives()[50], 4u);
}

TEST(SweepPage, SaysWhatAGreenSweepIs) {
  const std::string page = PageOf(ResultOf("crash"));
  EXPECT_THAT(page, HasSubstr("<h1 class=\"green\">Green: all of 40 lives held</h1>"));
  EXPECT_THAT(page, HasSubstr("floors were not judged: that takes 2,000 seeds unsharded"));
}

TEST(SweepPage, SaysWhyASweepIsRedWithoutAFailure) {
  SweepResult result = ResultOf("crash");
  result.tally.seeds = 2000;
  result.tally.verdicts[static_cast<size_t>(Verdict::kHeld)] = 2000;
  JudgeFloors(result);
  ASSERT_FALSE(result.floors_missed.empty());
  const std::string page = PageOf(result);
  EXPECT_THAT(page, HasSubstr("Red: all of 2,000 lives held, floors missed: "));
  EXPECT_THAT(page, HasSubstr("FLOORS MISSED: span "));
  EXPECT_THAT(page, Not(HasSubstr("were not judged")));
}

TEST(SweepPage, SaysWhatIsMissingAndHowToHaveItAgain) {
  SweepResult result = ResultOf("crash");
  result.tally.verdicts = {38, 2};
  FailureGroup group{.signature = "violated: durable write lost: flush.F2", .count = 2};
  group.written.push_back(
      {.failure = {.seed = 7, .verdict = Verdict::kViolated, .detail = "key \"k\" is gone"},
       .path = "f/crash-7.case",
       .command = "kiban replay f/crash-7.min.case --timeline",
       .shrunk = {.path = "f/crash-7.min.case",
                  .operations_before = 200,
                  .operations = 2,
                  .certified = true,
                  .barrier = "dir-sync db/ comes before rename MANIFEST.tmp",
                  .weakest = "strict",
                  .text = "case 1\nop 1 put \"k\" 10 sync\n"}});
  result.failures.push_back(group);
  const std::string page = PageOf(result);
  for (const char* const part :
       {"<h1 class=\"red\">Red: 2 of 40 lives did not hold</h1>",
        "violated: durable write lost: flush.F2", "key &quot;k&quot; is gone", "f/crash-7.case",
        "f/crash-7.min.case", ", 200 to 2 operations",
        "dir-sync db/ comes before rename MANIFEST.tmp", "Weakest profile",
        "op 1 put &quot;k&quot; 10 sync"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
}

TEST(SweepPage, LetsNoTextBecomeMarkup) {
  const std::string evil = "\"'><script>alert(1)</script></pre>";
  SweepResult result = ResultOf("concurrent");
  result.request.plant = evil;
  result.request.shard = {.index = 1, .count = 2, .source = evil};
  result.request.provenance = {
      .revision = evil, .build = evil, .program = evil, .args = {"sweep", evil}};
  result.harness_error = evil;
  result.not_reached = {evil};
  result.floors_missed = {evil};
  result.tally.counts.marks[evil] = 1;
  result.tally.counts.crash_points[evil] = 1;
  result.tally.counts.format_pairs[evil] = 1;
  FailureGroup group{.signature = evil, .count = 1};
  WrittenCase written{.failure = {.complaint = evil, .detail = evil},
                      .path = evil,
                      .not_written = evil,
                      .command = evil,
                      .shrunk = {.path = evil, .barrier = evil, .text = evil}};
  group.written.push_back(written);
  written.path.clear();
  written.shrunk = {.why_not = evil};
  group.written.push_back(written);
  result.failures.push_back(group);
  const std::string page = PageOf(result);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\"'>")));
}

}  // namespace
}  // namespace kiban::suites
