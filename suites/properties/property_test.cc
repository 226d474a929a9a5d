// Goal:   a property that does not hold is found, shrunk, and found again by the line that is
//         printed.
// Method: a property that is false of some numbers; the line is read the way RapidCheck reads it.
#include "suites/properties/property.h"

#include <gtest/gtest.h>

#include "rapidcheck/detail/Configuration.h"
#include "rapidcheck/detail/TestListenerAdapter.h"

namespace kiban::suites {
namespace {

std::string WhyNotBelow1000(const int& number) {
  return number < 1000 ? "" : std::to_string(number) + " is too large";
}

const rc::Gen<int>& Numbers() {
  static const rc::Gen<int> numbers = rc::gen::inRange(0, 100000);
  return numbers;
}

TEST(Property, TheSmallestFailingCaseIsFound) {
  EXPECT_EQ(SmallestFailing<int>(Numbers(), WhyNotBelow1000), 1000);
}

TEST(Property, NothingIsFoundWhereNothingFails) {
  const WhyNot<int> holds = [](const int&) { return std::string(); };
  EXPECT_EQ(SmallestFailing<int>(Numbers(), holds), std::nullopt);
}

// Were they counted as held, a property of even numbers would have been asked half as often.
TEST(Property, CasesThatAreNotJudgedAreNotCounted) {
  int judged = 0;
  const WhyNot<int> of_even = [&](const int& number) {
    if (number % 2 != 0) return std::string(kNotJudged);
    ++judged;
    return std::string();
  };
  Holds<int>(Numbers(), of_even);
  EXPECT_GE(judged, kCasesMin);
  const WhyNot<int> of_none = [](const int&) { return std::string(kNotJudged); };
  const auto property = rc::detail::toProperty(Asked<int>(Numbers(), of_none));
  rc::detail::TestListenerAdapter silent;
  const auto asked = rc::detail::checkProperty(property, {}, {}, silent, {});
  EXPECT_TRUE(asked.is<rc::detail::GaveUpResult>());
  EXPECT_EQ(SmallestFailing<int>(Numbers(), of_none), std::nullopt);
}

TEST(Property, TheLineRepeatsTheShrunkFailure) {
  const auto property = rc::detail::toProperty(Asked<int>(Numbers(), WhyNotBelow1000));
  rc::detail::TestListenerAdapter silent;
  const auto first = rc::detail::checkProperty(property, {}, {}, silent, {});
  ASSERT_TRUE(first.is<rc::detail::FailureResult>());
  const std::string line = RepeatLine(first.get<rc::detail::FailureResult>().reproduce);
  const std::string begin = "RC_PARAMS=\"";
  ASSERT_EQ(line.substr(0, begin.size()), begin);
  const size_t end = line.find('"', begin.size());
  EXPECT_NE(line.find(" --gtest_filter=Property.TheLineRepeatsTheShrunkFailure", end), line.npos);

  const auto read = rc::detail::configFromString(line.substr(begin.size(), end - begin.size()));
  const rc::detail::TestMetadata metadata{.id = "Property/TheLineRepeatsTheShrunkFailure"};
  const auto again =
      rc::detail::checkProperty(property, metadata, read.testParams, silent, read.reproduce);
  ASSERT_TRUE(again.is<rc::detail::FailureResult>());
  EXPECT_EQ(again.get<rc::detail::FailureResult>().counterExample,
            first.get<rc::detail::FailureResult>().counterExample);
  EXPECT_EQ(again.get<rc::detail::FailureResult>().counterExample.front().second, "1000");
}

}  // namespace
}  // namespace kiban::suites
