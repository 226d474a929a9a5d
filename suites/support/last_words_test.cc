#include "suites/support/last_words.h"

#include <gtest/gtest.h>

namespace kiban::suites {
namespace {

constexpr int kAborted = 6;          // As waitpid() tells it: killed by SIGABRT,
constexpr int kLeftWithOne = 0x100;  // and left with status 1.

TEST(LastWords, ACheckIsTheComplaintWithoutItsLine) {
  const Death death = ExplainDeath(
      kAborted,
      "engine/lsm/flush.cc:92: CHECK failed: level < kLevelCount\nfatal signal SIGABRT\n");
  EXPECT_EQ(death.complaint, "CHECK failed: level < kLevelCount");
  EXPECT_EQ(death.detail, "engine/lsm/flush.cc:92: CHECK failed: level < kLevelCount");
}

TEST(LastWords, SanitizersAreQuotedWithoutAddresses) {
  EXPECT_EQ(ExplainDeath(kLeftWithOne,
                         "=====\n==71==ERROR: AddressSanitizer: heap-use-after-free on address "
                         "0x602000000010 at pc 0x1\n")
                .complaint,
            "AddressSanitizer: heap-use-after-free");
  EXPECT_EQ(
      ExplainDeath(kLeftWithOne,
                   "a.cc:5:7: runtime error: signed integer overflow: 2147483647 + 1 cannot\n")
          .complaint,
      "UndefinedBehaviorSanitizer: signed integer overflow");
}

TEST(LastWords, WithoutAnExplanationTheWayItEndedCounts) {
  EXPECT_EQ(ExplainDeath(kAborted, "").complaint, "SIGABRT");
  EXPECT_EQ(ExplainDeath(kLeftWithOne, "free(): invalid pointer\n").complaint, "exit status 1");
  EXPECT_EQ(ExplainDeath(kAborted, "free(): invalid pointer\n").detail, "free(): invalid pointer");
}

}  // namespace
}  // namespace kiban::suites
