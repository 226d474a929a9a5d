#include "models/complaint.h"

#include <string>

#include "gtest/gtest.h"

namespace kiban::models {
namespace {

using namespace std::string_literals;

TEST(Quote, EscapesWhatIsNotPrintable) {
  EXPECT_EQ(Quote("k07"), "\"k07\"");
  EXPECT_EQ(Quote(""), "\"\"");
  EXPECT_EQ(Quote("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(Quote("\0\xff\n"s), "\"\\x00\\xff\\x0a\"");
}

TEST(Quote, ShowsTheBeginningOfLongBytes) {
  EXPECT_EQ(Quote(std::string(24, 'x')), "\"" + std::string(24, 'x') + "\"");
  EXPECT_EQ(Quote(std::string(90'000, 'x')), "\"" + std::string(24, 'x') + "\"... of 90000 bytes");
}

}  // namespace
}  // namespace kiban::models
