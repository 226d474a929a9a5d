// Goal:   what a case lists of a cut is found again: exactly when it is replayed, and as well as
// can
//         be in a life that was edited before the cut.
// Method: lists and what is owed, written out.
#include "sim/faults/fate_match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kiban::sim {
namespace {

// The text of the fate that was found for each, "" for none.
std::vector<std::string> Found(const std::vector<ListedFate>& listed,
                               const std::vector<std::string>& owed, FateMatch match) {
  std::vector<std::string> texts;
  for (const ListedFate* const fate : FindFates(listed, owed, match).fates) {
    texts.push_back(fate == nullptr ? "" : fate->text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(FateMatch, ExactlyIsByTheWholeText) {
  const std::vector<ListedFate> listed = {{.text = "page wal@1:switch.T2#3 0 v2", .kept = false},
                                          {.text = "add sst@1:flush.F1#1 db/000003.sst"}};
  const Texts owed = {"page wal@1:switch.T2#3 0 v1", "page wal@1:switch.T2#3 0 v2"};
  const FatesFound found = FindFates(listed, owed, FateMatch::kExact);
  EXPECT_EQ(found.fates[0], nullptr);
  EXPECT_EQ(found.fates[1], &listed[0]);
  EXPECT_EQ(found.not_owed, 1u);
  EXPECT_EQ(found.first_not_owed, listed[1].text);
}

TEST(FateMatch, AlikeTakesTheLastOfAKindFirst) {
  const std::vector<ListedFate> listed = {{.text = "page wal@1:switch.T2#3 0 v7"},
                                          {.text = "page wal@1:switch.T2#3 0 v8"}};
  const Texts owed = {"page wal@1:open.O7#1 0 v1", "size wal@1:open.O7#1 72 v1",
                      "page wal@1:open.O7#1 0 v2", "page wal@1:open.O7#1 0 v3"};
  EXPECT_EQ(Found(listed, owed, FateMatch::kAlike),
            (Texts{"", "", listed[0].text, listed[1].text}));
  EXPECT_EQ(Found(listed, owed, FateMatch::kExact), (Texts{"", "", "", ""}));
}

TEST(FateMatch, AlikePrefersANamesakeThenThePageThenTheKind) {
  const std::vector<ListedFate> listed = {{.text = "page LOG@1:toy.write_new#1 3 v8"},
                                          {.text = "page LOG@1:toy.write_new#1 0 v1"}};
  EXPECT_EQ(Found(listed, {"page LOG@1:toy.write_new#1 0 v1", "page LOG@1:toy.write_new#1 0 v2"},
                  FateMatch::kAlike),
            (Texts{listed[1].text, listed[0].text}));
  EXPECT_EQ(Found(listed, {"page LOG@2:toy.write_new#1 3 v1", "page LOG@2:toy.write_new#1 0 v1"},
                  FateMatch::kAlike),
            (Texts{listed[0].text, listed[1].text}));
}

TEST(FateMatch, NamesOfDifferentKindsAreNotAlike) {
  const std::vector<ListedFate> listed = {{.text = "add sst@2:flush.F1#1 db/000012.sst"}};
  EXPECT_EQ(Found(listed,
                  {"del sst@2:flush.F1#1 db/000012.sst", "add wal@1:open.O7#1 db/000001.wal",
                   "add sst@1:compact.C1#4 db/000007.sst"},
                  FateMatch::kAlike),
            (Texts{"", "", listed[0].text}));
}

}  // namespace
}  // namespace kiban::sim
