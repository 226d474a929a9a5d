// Goal:   WhyNotAllowed() says no to exactly the kept sets that the rules forbid, and names the
// rule. Method: one forbidden set for each rule by hand; then, for random lives, every subset of
// what is owed
//         against a naive model that asks of each pair of operations whether one needs the other.
#include "sim/disk/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/disk/disk_test_support.h"

namespace kiban::sim {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;

// One letter for each pending operation: k kept, l lost.
KeptSet Fates(std::string_view letters) {
  KeptSet kept;
  for (const char letter : letters) kept.push_back({.kept = letter == 'k'});
  return kept;
}

std::string Why(const TestDisk& t, const KeptSet& kept) {
  return WhyNotAllowed(kStrict, t.disk.pending(), kept);
}

std::string Why(const TestDisk& t, std::string_view letters) { return Why(t, Fates(letters)); }

std::string Gone(const TestDisk& t, std::string_view letters, size_t index) {
  return WhyGone(kStrict, t.disk.pending(), Fates(letters), index);
}

TEST(WhyGone, NamesTheRuleByWhichEachKindMayBeLost) {
  TestDisk t;
  t.MakeSafe("old", "a");
  t.Make("f");
  t.Write("f", 0, "b");
  t.Remove("old");
  ASSERT_EQ(t.disk.pending().size(), 4u);  // add, page, size, del
  EXPECT_THAT(Gone(t, "llll", 0), StartsWith("D13: "));
  EXPECT_THAT(Gone(t, "llll", 1), StartsWith("D1: "));
  EXPECT_THAT(Gone(t, "llll", 2), StartsWith("D8: "));
  EXPECT_THAT(Gone(t, "llll", 3), StartsWith("D15: "));
  EXPECT_THAT(Gone(t, "kkkk", 0), IsEmpty());
  t.Sync("f");
  EXPECT_THAT(Gone(t, "ll", 0), StartsWith("D13, D14: "));
}

TEST(WhyGone, NamesTheRuleByWhichWhatIsLostTakesMoreWithIt) {
  TestDisk t;
  t.MakeSafe("f", "a");
  t.Write("f", 0, "b");
  t.Write("f", 0, "c");
  EXPECT_THAT(Gone(t, "ll", 0), StartsWith("D1: its file"));
  EXPECT_EQ(Gone(t, "ll", 1), "D1: not without what is lost");
  KeptSet torn = Fates("kk");
  torn[1].torn_sectors = 1;
  EXPECT_THAT(WhyGone(kStrict, t.disk.pending(), torn, 1), StartsWith("D2: "));
}

TEST(Strict, WantsAFateForEachOperation) {
  TestDisk t;
  t.Make("f");
  EXPECT_THAT(Why(t, ""), StartsWith("a fate"));
  EXPECT_THAT(Why(t, "k"), IsEmpty());
}

TEST(Strict, KeepsWritesToOnePageInOrder) {
  TestDisk t;
  t.MakeSafe("f", std::string(5000, 'o'));
  t.Write("f", 0, "a");
  t.Write("f", 4096, "b");
  t.Write("f", 100, "c");
  EXPECT_THAT(Why(t, "llk"), StartsWith("D1: "));
  EXPECT_THAT(Why(t, "lkl"), IsEmpty());
  EXPECT_THAT(Why(t, "klk"), IsEmpty());
}

TEST(Strict, TearsOnlyTheLastVersionAndOnlyWhatItChanged) {
  TestDisk t;
  t.MakeSafe("f", std::string(4096, 'o'));
  t.Write("f", 512, std::string(1024, 'a'));  // Sectors 1 and 2.
  t.Write("f", 0, "b");
  const auto torn = [](uint8_t first, bool second) {
    return KeptSet{{.kept = true, .torn_sectors = first}, {.kept = second}};
  };
  EXPECT_THAT(Why(t, torn(2, false)), IsEmpty());
  EXPECT_THAT(Why(t, torn(4, false)), IsEmpty());
  EXPECT_THAT(Why(t, torn(6, false)), StartsWith("D2: "));  // All of it.
  EXPECT_THAT(Why(t, torn(8, false)), StartsWith("D4: "));
  EXPECT_THAT(Why(t, torn(2, true)), StartsWith("D2: "));
  EXPECT_THAT(Why(t, {{.kept = false, .torn_sectors = 2}, {.kept = false}}), StartsWith("D2: "));
}

TEST(Strict, TearsNothingButPages) {
  TestDisk t;
  t.Make("f");
  EXPECT_THAT(Why(t, {{.kept = true, .torn_sectors = 1}}), StartsWith("D2: "));
}

TEST(Strict, KeepsSizesInOrderAndCutsBeforeWhatIsWrittenBehindThem) {
  TestDisk t;
  t.MakeSafe("f", std::string(9000, 'o'));
  t.disk.Truncate(t.Find("f"), 5000);  // Cuts page 1.
  t.Write("f", 0, "a");                // Page 0: before the cut.
  t.Write("f", 4096, "b");             // Page 1.
  t.disk.Truncate(t.Find("f"), 6000);
  EXPECT_THAT(Why(t, "lkll"), IsEmpty());
  EXPECT_THAT(Why(t, "llkl"), StartsWith("D8: "));
  EXPECT_THAT(Why(t, "lllk"), StartsWith("D8: "));
  EXPECT_THAT(Why(t, "klkl"), IsEmpty());
}

TEST(Strict, KeepsChangesOfOneNameInOrder) {
  TestDisk t;
  t.MakeSafe("f", "x");
  t.Rename("f", "g");
  t.Make("f");
  t.Remove("g");
  EXPECT_THAT(Why(t, "lkl"), StartsWith("D12: "));
  EXPECT_THAT(Why(t, "llk"), StartsWith("D12: "));
  EXPECT_THAT(Why(t, "klk"), IsEmpty());
}

TEST(Strict, KeepsNoNameWithoutItsDirectory) {
  TestDisk t;
  t.MakeDir("d");
  t.Make("d/f");
  t.MakeSafe("g", "x");
  t.MakeDir("e");
  t.Rename("g", "e/g");
  EXPECT_THAT(Why(t, "lkll"), StartsWith("a fate"));  // MakeSafe() made "d" safe as well.
  EXPECT_THAT(Why(t, "klk"), StartsWith("D13: "));    // add d/f, add e, rename into e.
  EXPECT_THAT(Why(t, "lkk"), IsEmpty());
}

TEST(Strict, RemovesNoDirectoryBeforeWhatWasInIt) {
  TestDisk t;
  t.MakeDir("d");
  t.SyncDir("");
  t.MakeSafe("d/f", "x");
  t.Remove("d/f");
  t.Remove("d");
  EXPECT_THAT(Why(t, "lk"), StartsWith("D13: "));
  EXPECT_THAT(Why(t, "kl"), IsEmpty());
}

bool TouchSameSlot(const MicroOp& a, const MicroOp& b) {
  const auto same = [](const Slot& x, const Slot& y) {
    return x.dir == y.dir && x.name() == y.name();
  };
  const NameChange& x = *a.names;
  const NameChange& y = *b.names;
  const bool a_moves = a.kind == MicroKind::kRename;
  const bool b_moves = b.kind == MicroKind::kRename;
  return same(x.slot, y.slot) || (a_moves && same(x.from, y.slot)) ||
         (b_moves && same(x.slot, y.from)) || (a_moves && b_moves && same(x.from, y.from));
}

bool IsInside(const MicroOp& op, InodeId dir) {
  return op.names->slot.dir == dir || (op.kind == MicroKind::kRename && op.names->from.dir == dir);
}

// `later` comes after `earlier` in the program.
bool NeedsDirectly(const MicroOp& later, const MicroOp& earlier) {
  if (later.IsName() != earlier.IsName()) return false;
  if (later.IsName()) {
    return TouchSameSlot(later, earlier) ||
           (earlier.kind == MicroKind::kAdd && IsInside(later, earlier.inode)) ||
           (later.kind == MicroKind::kDel && IsInside(earlier, later.inode));
  }
  if (later.inode != earlier.inode) return false;
  if (later.IsSize()) return earlier.IsSize();
  if (earlier.IsPage()) return earlier.page == later.page;
  return earlier.kind == MicroKind::kShrink && later.page >= earlier.size_bytes / kPageBytes;
}

bool NaivelyAllowed(const std::vector<MicroOp>& pending, const KeptSet& kept) {
  for (size_t i = 0; i < pending.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (kept[i].kept && !kept[j].kept && NeedsDirectly(pending[i], pending[j])) return false;
    }
  }
  return true;
}

TEST(Strict, AgreesWithANaiveModelOnEverySubset) {
  uint64_t allowed = 0;
  uint64_t forbidden = 0;
  for (Seed seed = 0; seed < 600; ++seed) {
    Disk disk(kStrict);
    RandomLife{.steps = 5 + seed % 30}.Live(disk, Rng(seed));
    const size_t count = disk.pending().size();
    if (count > 10) continue;
    for (uint32_t subset = 0; subset < (1u << count); ++subset) {
      KeptSet kept(count);
      for (size_t i = 0; i < count; ++i) kept[i].kept = ((subset >> i) & 1) != 0;
      const bool is_allowed = WhyNotAllowed(kStrict, disk.pending(), kept).empty();
      ASSERT_EQ(is_allowed, NaivelyAllowed(disk.pending(), kept)) << seed << " " << subset;
      ++(is_allowed ? allowed : forbidden);
    }
  }
  EXPECT_GT(allowed, 2000u);
  EXPECT_GT(forbidden, 10'000u);
}

TEST(Profile, IsFoundByName) {
  EXPECT_EQ(FindProfile("strict"), &kStrict);
  EXPECT_EQ(FindProfile("no such"), nullptr);
}

}  // namespace
}  // namespace kiban::sim
