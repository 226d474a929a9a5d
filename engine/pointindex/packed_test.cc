// Goal:   a part holds exactly the numbers that were stored in it.
// Method: parts in one word and in several; each field off by one, a number too wide for its field
//         whose surplus the next field would account for, a bit set behind the last field.
#include "engine/pointindex/packed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace kiban::pointindex {
namespace {

using Numbers = std::array<uint64_t, 3>;
using Part = PackedPart<3>;

struct Case {
  Part part;
  Numbers numbers;
};

std::vector<Case> Cases() {
  return {{Part::Of({{{100, 3}, {0, 7}, {7, 4}}}), {105, 91, 13}},
          {Part::Of({{{100, 3}, {0, 0}, {7, 61}}}), {107, 0, 7}},
          {Part::Of({{{100, 3}, {0, 56}, {7, 56}}}), {100, 1, 1 << 20}},
          {Part::Of({{{100, 56}, {5, 0}, {7, 13}}}), {100, 5, 8}}};
}

// Whoever reads a part may look at eight bytes from any byte of it.
std::string Stored(const Case& c) {
  std::string bytes(c.part.bytes() + 8, '\0');
  c.part.Store(bytes.data(), c.numbers);
  std::fill(bytes.end() - 8, bytes.end(), '\xff');
  return bytes;
}

TEST(PackedPart, HoldsWhatWasStored) {
  for (const Case& c : Cases()) {
    const std::string bytes = Stored(c);
    EXPECT_TRUE(c.part.Holds(bytes.data(), c.numbers)) << c.part.bits;
    const PackedReader<false> number(bytes.data());
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(number(c.part.fields[i]), c.numbers[i]);
  }
}

TEST(PackedPart, HoldsNothingElse) {
  for (const Case& c : Cases()) {
    const std::string bytes = Stored(c);
    for (size_t i = 0; i < 3; ++i) {
      for (const uint64_t delta : {uint64_t{1}, UINT64_MAX, uint64_t{1} << 56}) {
        Numbers other = c.numbers;
        other[i] += delta;
        EXPECT_FALSE(c.part.Holds(bytes.data(), other)) << c.part.bits << " bits, field " << i;
      }
    }
  }
}

TEST(PackedPart, ANumberTooWideIsNotMadeGoodByTheNext) {
  const Case c = Cases()[0];
  Numbers wide = c.numbers;
  wide[0] += 8;  // As much as its field cannot say, and the least that the next one can.
  wide[1] -= 1;
  EXPECT_FALSE(c.part.Holds(Stored(c).data(), wide));
}

TEST(PackedPart, BitsBehindTheLastFieldAreZeros) {
  for (const Case& c : Cases()) {
    std::string bytes = Stored(c);
    if (c.part.bits % 8 == 0) continue;
    bytes[c.part.bits / 8] = static_cast<char>(bytes[c.part.bits / 8] ^ 1 << c.part.bits % 8);
    EXPECT_FALSE(c.part.Holds(bytes.data(), c.numbers)) << c.part.bits;
    EXPECT_FALSE(c.part.EndsInZeros(bytes.data())) << c.part.bits;
  }
}

}  // namespace
}  // namespace kiban::pointindex
