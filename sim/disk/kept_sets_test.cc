// Goal:   what DrawKeptSet() draws is legal, reaches every shape, does not depend on anything but
// the keys
//         of the operations, and leaves images that the contract permits.
// Method: thousands of random lives; a model of all states of every page judges the images.
#include "sim/disk/kept_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "engine/base/bytes.h"
#include "sim/disk/disk_test_support.h"

namespace kiban::sim {
namespace {

TEST(DrawKeptSet, IsAlwaysLegalAndReachesEveryShape) {
  std::map<KeptShape, uint64_t> shapes;
  uint64_t torn = 0;
  for (Seed seed = 0; seed < 4000; ++seed) {
    Disk disk(kStrict);
    RandomLife{.steps = 10 + seed % 60, .syncs_fail = true}.Live(disk, Rng(seed));
    const DrawnKeptSet drawn = DrawKeptSet(disk, Rng(seed).Stream("cut"));
    ASSERT_EQ(WhyNotAllowed(kStrict, disk.pending(), drawn.kept), "") << seed;
    ++shapes[drawn.shape];
    for (const Fate& fate : drawn.kept) torn += fate.torn_sectors != 0 ? 1 : 0;
  }
  for (const auto& [shape, count] : shapes) EXPECT_GT(count, 150u) << Name(shape);
  EXPECT_EQ(shapes.size(), 10u);
  EXPECT_GT(shapes[KeptShape::kRandom], 1600u);
  EXPECT_GT(torn, 300u);
}

TEST(DrawKeptSet, DrawsNothingWhereNothingIsOwed) {
  const Disk disk(kStrict);
  EXPECT_TRUE(DrawKeptSet(disk, Rng(1)).kept.empty());
}

TEST(DrawKeptSet, IsTheSameForTheSameLife) {
  for (Seed seed = 0; seed < 100; ++seed) {
    Disk one(kStrict);
    Disk two(kStrict);
    const RandomLife life = {.steps = 80, .syncs_fail = true};
    life.Live(one, Rng(seed));
    life.Live(two, Rng(seed));
    ASSERT_EQ(Pending(one), Pending(two));
    for (size_t i = 0; i < one.pending().size(); ++i) {
      ASSERT_EQ(one.Key(one.pending()[i]), two.Key(two.pending()[i]));
    }
    ASSERT_EQ(DrawKeptSet(one, Rng(seed)).kept, DrawKeptSet(two, Rng(seed)).kept);
  }
}

std::map<std::string, Fate> FatesByText(const Disk& disk, const Rng& rng) {
  const KeptSet kept = DrawKeptSet(disk, rng).kept;
  std::map<std::string, Fate> fates;
  for (size_t i = 0; i < kept.size(); ++i) fates[disk.Describe(disk.pending()[i])] = kept[i];
  return fates;
}

// Files that stand alone: nothing that one of them owes needs anything of another.
TEST(DrawKeptSet, LeavesTheLuckOfOthersAloneWhenAFileIsLeftOut) {
  uint64_t compared = 0;
  for (Seed seed = 0; seed < 300; ++seed) {
    const auto live = [&](Disk& disk, uint32_t left_out) {
      for (uint32_t i = 0; i < 6; ++i) {
        if (i == left_out) continue;
        const FileLabel label = {"f", 1, "test", 1, i + 1};
        const InodeId inode = *disk.Create(std::string(1, static_cast<char>('a' + i)), label);
        disk.WriteAt(inode, 0, base::AsBytes(std::string(1500, 'x')));
        if (i % 2 == 0) disk.WriteAt(inode, 4096, base::AsBytes("y"));
      }
    };
    Disk whole(kStrict);
    Disk part(kStrict);
    live(whole, UINT32_MAX);
    live(part, static_cast<uint32_t>(seed % 6));
    const KeptShape shape = DrawKeptSet(whole, Rng(seed)).shape;
    ASSERT_EQ(shape, DrawKeptSet(part, Rng(seed)).shape);
    const bool depends_on_neighbours =
        shape == KeptShape::kPrefix || shape == KeptShape::kOneLost ||
        shape == KeptShape::kOneKept || shape == KeptShape::kNewestFile;
    if (depends_on_neighbours) continue;
    const auto fates = FatesByText(whole, Rng(seed));
    for (const auto& [text, fate] : FatesByText(part, Rng(seed))) {
      ASSERT_EQ(fate.kept, fates.at(text).kept) << seed << " " << text;
      ++compared;
    }
  }
  EXPECT_GT(compared, 3000u);
}

TEST(DrawKeptSet, PicksTheSameOperationWhenAnotherIsLeftOut) {
  uint64_t same = 0;
  uint64_t lost = 0;
  for (Seed seed = 0; seed < 2000; ++seed) {
    const auto live = [](Disk& disk, uint32_t left_out) {
      for (uint32_t i = 0; i < 10; ++i) {
        if (i == left_out) continue;
        ASSERT_TRUE(disk.MakeDir(std::to_string(i), {"d", 1, "t", 1, i}).ok());
      }
    };
    Disk whole(kStrict);
    Disk part(kStrict);
    live(whole, UINT32_MAX);
    live(part, 4);
    if (DrawKeptSet(whole, Rng(seed)).shape != KeptShape::kOneLost) continue;
    const auto fates = FatesByText(whole, Rng(seed));
    ++lost;
    if (fates.at("add d@1:t#1.4 4").kept) {
      ++same;
      for (const auto& [text, fate] : FatesByText(part, Rng(seed))) {
        ASSERT_EQ(fate, fates.at(text)) << text;
      }
    }
  }
  EXPECT_GT(lost, 50u);
  EXPECT_GT(same * 10, lost * 8);  // Nine of ten times it was not the one that is left out.
}

// Every state that one file was seen in since it was last safe, oldest first.
struct Seen {
  std::vector<std::string> states;
  std::vector<uint64_t> cuts;  // Sizes it was truncated to.
};

// `sector` of `page` as state `i` shows it, zeroed from `cut` on, within `size` bytes of the file.
std::string SectorOf(const Seen& seen, size_t i, uint64_t begin, uint64_t cut, uint64_t size) {
  std::string text(std::min(kSectorBytes, size - begin), '\0');
  for (uint64_t at = 0; at < text.size(); ++at) {
    const uint64_t offset = begin + at;
    if (offset < seen.states[i].size() && offset < cut) text[at] = seen.states[i][offset];
  }
  return text;
}

bool IsMixtureOfNeighbours(const Seen& seen, const std::string& left, uint64_t page) {
  std::vector<uint64_t> cuts = seen.cuts;
  cuts.push_back(UINT64_MAX);
  const auto matches = [&](uint64_t begin, size_t i) {
    const std::string text = left.substr(begin, kSectorBytes);
    return std::any_of(cuts.begin(), cuts.end(), [&](uint64_t cut) {
      return SectorOf(seen, i, begin, cut, left.size()) == text;
    });
  };
  const uint64_t end = std::min<uint64_t>(left.size(), (page + 1) * kPageBytes);
  for (size_t i = 0; i < seen.states.size(); ++i) {
    bool all = true;
    for (uint64_t begin = page * kPageBytes; begin < end; begin += kSectorBytes) {
      all = all && (matches(begin, i) || (i > 0 && matches(begin, i - 1)));
    }
    if (all) return true;
  }
  return false;
}

// Writes in pages one by one, so that neighbouring states of a file are neighbours of its pages as
// well.
void LiveOneFile(Disk& disk, InodeId file, Rng rng, Seen& seen) {
  const auto look = [&] { seen.states.push_back(ReadBytes(disk, file)); };
  look();
  for (uint64_t step = 0; step < 12; ++step) {
    const uint64_t dice = rng.Below(10);
    const uint64_t offset = rng.Below(2) * kPageBytes + rng.Below(4096);
    if (dice == 0) {
      if (offset < disk.Size(file)) seen.cuts.push_back(offset);
      disk.Truncate(file, offset);
    } else if (dice == 1) {
      disk.Allocate(file, offset);
    } else if (dice == 2) {
      disk.Sync(file);
      seen = Seen();
    } else {
      const uint64_t room = kPageBytes - offset % kPageBytes;
      const std::string bytes(rng.Between(1, room), static_cast<char>('a' + step));
      disk.WriteAt(file, offset, base::AsBytes(bytes));
    }
    look();
  }
}

TEST(PowerCut, LeavesEveryPageAsItOnceWasOrAMixtureOfNeighbours) {
  uint64_t changed = 0;
  for (Seed seed = 0; seed < 1500; ++seed) {
    TestDisk t;
    t.MakeSafe("f", "");
    Seen seen;
    LiveOneFile(t.disk, t.Find("f"), Rng(seed).Stream("life"), seen);
    const std::string last = ReadBytes(t.disk, t.Find("f"));
    t.disk.PowerCut(DrawKeptSet(t.disk, Rng(seed)).kept);
    const std::string left = ReadBytes(t.disk, t.Find("f"));
    changed += left != last ? 1 : 0;
    const auto has_size = [&](const std::string& state) { return state.size() == left.size(); };
    ASSERT_TRUE(std::any_of(seen.states.begin(), seen.states.end(), has_size)) << seed;
    for (uint64_t page = 0; page * kPageBytes < left.size(); ++page) {
      ASSERT_TRUE(IsMixtureOfNeighbours(seen, left, page)) << seed << " page " << page;
    }
  }
  EXPECT_GT(changed, 700u);
}

}  // namespace
}  // namespace kiban::sim
