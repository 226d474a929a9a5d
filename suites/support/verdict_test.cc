#include "suites/support/verdict.h"

#include "gtest/gtest.h"

namespace kiban::suites {
namespace {

TEST(Verdict, HasANameThatIsFound) {
  for (size_t i = 0; i < kVerdictCount; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(FindVerdict(Name(verdict)), verdict);
  }
  EXPECT_EQ(Name(Verdict::kGaveUp), "gave_up");
  EXPECT_FALSE(FindVerdict("fine").has_value());
}

}  // namespace
}  // namespace kiban::suites
