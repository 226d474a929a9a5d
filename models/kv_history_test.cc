#include "models/kv_history.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace kiban::models {
namespace {

// a: 1, 4 deleted; b: 2, 5; c: 3. Told out of order, as several clients would.
KvHistory ThreeKeys() {
  KvHistory history;
  history.Add("b", {5, 0, "b5"});
  history.Add("a", {4, 0, std::nullopt});
  history.Add("a", {1, 0, "a1"});
  history.Add("b", {2, 0, "b2"});
  history.Add("c", {3, 0, ""});
  return history;
}

TEST(KvHistory, HasTheStateAtEverySequence) {
  const KvHistory history = ThreeKeys();
  EXPECT_EQ(history.StateAt(0), (Contents{}));
  EXPECT_EQ(history.StateAt(1), (Contents{{"a", "a1"}}));
  EXPECT_EQ(history.StateAt(3), (Contents{{"a", "a1"}, {"b", "b2"}, {"c", ""}}));
  EXPECT_EQ(history.StateAt(4), (Contents{{"b", "b2"}, {"c", ""}}));
  EXPECT_EQ(history.StateAt(99), (Contents{{"b", "b5"}, {"c", ""}}));
  EXPECT_EQ(history.present(), history.StateAt(99));
}

TEST(KvHistory, ForgetsASuffix) {
  KvHistory history = ThreeKeys();
  const KvHistory::Versions forgotten = history.Forget(3);
  EXPECT_EQ(forgotten.size(), 2u);
  EXPECT_EQ(forgotten.at("b").front().value, "b5");
  EXPECT_EQ(history.present(), (Contents{{"a", "a1"}, {"b", "b2"}, {"c", ""}}));
  EXPECT_EQ(history.present(), history.StateAt(99));
}

TEST(KvHistory, RemovesOneVersion) {
  KvHistory history = ThreeKeys();
  EXPECT_EQ(history.Remove("a", 4), std::nullopt);
  EXPECT_EQ(history.Remove("b", 2), "b2");
  EXPECT_EQ(history.present(), (Contents{{"a", "a1"}, {"b", "b5"}, {"c", ""}}));
}

// Every way in which two maps can differ at one key, and none.
TEST(KvHistory, FindsTheFirstDifference) {
  const KvHistory history = ThreeKeys();
  const Contents same = history.StateAt(3);
  EXPECT_FALSE(history.FirstDifference(3, same).has_value());

  const auto first_key = [&](const Contents& found) {
    const auto difference = history.FirstDifference(3, found);
    return difference.has_value() ? std::string(difference->key) : "none";
  };
  for (const auto& [key, value] : same) {
    Contents found = same;
    found[key] += "x";
    EXPECT_EQ(first_key(found), key);
    found.erase(key);
    EXPECT_EQ(first_key(found), key);
  }
  for (const std::string stranger : {"", "aa", "bb", "d"}) {
    Contents found = same;
    found[stranger] = "x";
    EXPECT_EQ(first_key(found), stranger);
  }
  EXPECT_EQ(history.FirstDifference(4, same)->key, "a");  // Deleted there.
}

}  // namespace
}  // namespace kiban::models
