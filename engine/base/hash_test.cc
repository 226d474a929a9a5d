// Goal:   hashes never change: filters on disk and keyed draws of old cases depend on them.
// Method: values from the published descriptions (XXH3 of libxxhash 0.8, SplitMix64, FNV-1a),
// written down
//         once. If one of these tests fails, the code is wrong and not the test.
#include "engine/base/hash.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/base/hooks.h"

namespace kiban::base {
namespace {

TEST(Hash64, IsXxh3) {
  EXPECT_EQ(Hash64(""), 0x2d06800538d394c2u);
  EXPECT_EQ(Hash64("a"), 0xe6c632b61e964e1fu);
  EXPECT_EQ(Hash64("abc"), 0x78af5f94892f3950u);
}

TEST(Hash64, DependsOnTheSeedAndOnEveryByte) {
  EXPECT_NE(Hash64("abc", 1), Hash64("abc"));
  EXPECT_NE(Hash64(std::string(1000, 'x')), Hash64(std::string(999, 'x') + 'y'));
  EXPECT_NE(Hash64(std::string(1, '\0')), Hash64(std::string(2, '\0')));
}

TEST(Mix64, IsTheFinalizerOfSplitMix64) {
  // The first outputs of SplitMix64 from seed 0: the state grows by the golden ratio.
  EXPECT_EQ(Mix64(0x9e3779b97f4a7c15), 0xe220a8397b1dcdafu);
  EXPECT_EQ(Mix64(0x9e3779b97f4a7c15 * 2), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(Mix64(0x9e3779b97f4a7c15 * 3), 0x06c45d188009454fu);
}

TEST(Label, HashesLikeFnv1a) {
  EXPECT_EQ(Label::Hash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(Label::Hash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(Label::Hash("foobar"), 0x85944171f73967e8u);
}

}  // namespace
}  // namespace kiban::base
