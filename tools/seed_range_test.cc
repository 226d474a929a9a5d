#include "tools/seed_range.h"

#include <gtest/gtest.h>

namespace kiban::tools {
namespace {

constexpr SeedRange kOtherwise = {0, 2000};

TEST(Seeds, ANumberMeansSoManyFromZero) { EXPECT_EQ(*ParseSeeds("20000"), (SeedRange{0, 20000})); }

TEST(Seeds, ARangeIncludesBothEnds) {
  EXPECT_EQ(*ParseSeeds("5..9"), (SeedRange{5, 5}));
  EXPECT_EQ(*ParseSeeds("7..7"), (SeedRange{7, 1}));
}

TEST(Seeds, WhatIsNoRangeIsRefused) {
  for (const char* const text : {"", "0", "-1", "+1", " 1", "1 ", "9..5", "1..", "..1", "1...2",
                                 "x", "99999999999999999999", "4611686018427387905"}) {
    EXPECT_FALSE(ParseSeeds(text).ok()) << text;
  }
}

TEST(Seeds, OneSeedBeatsMany) {
  EXPECT_EQ(*ChooseSeeds("20000", "92", std::nullopt, kOtherwise), (SeedRange{92, 1}));
}

TEST(Seeds, FromMovesTheStart) {
  EXPECT_EQ(*ChooseSeeds("50", std::nullopt, "1000", kOtherwise), (SeedRange{1000, 50}));
  EXPECT_EQ(*ChooseSeeds("5..9", std::nullopt, "1000", kOtherwise), (SeedRange{1000, 5}));
  EXPECT_EQ(*ChooseSeeds(std::nullopt, std::nullopt, "7", kOtherwise), (SeedRange{7, 2000}));
  EXPECT_FALSE(ChooseSeeds(std::nullopt, "92", "7", kOtherwise).ok());
}

TEST(TimeBudget, IsANumberAndAUnit) {
  EXPECT_EQ(*ParseTimeBudget("90s"), 90);
  EXPECT_EQ(*ParseTimeBudget("10m"), 600);
  EXPECT_EQ(*ParseTimeBudget("2h"), 7200);
  for (const char* const text : {"", "10", "m", "0s", "-1s", "1.5h", "10 m", "10ms", "1d"}) {
    EXPECT_FALSE(ParseTimeBudget(text).ok()) << text;
  }
}

}  // namespace
}  // namespace kiban::tools
