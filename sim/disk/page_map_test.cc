// Goal:   a page map reads like a sparse array of zeros, and copies never see each other's writes.
// Method: random writes, cuts and copies against std::string, with copies kept and compared at the
// end.
#include "sim/disk/page_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "sim/rng.h"

namespace kiban::sim {
namespace {

std::string ReadText(const PageMap& map, uint64_t offset, size_t bytes) {
  std::string text(bytes, '?');
  map.Read(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

void WriteText(PageMap& map, uint64_t offset, std::string_view text) {
  while (!text.empty()) {
    const size_t count = std::min<size_t>(text.size(), kPageBytes - offset % kPageBytes);
    map.At(offset / kPageBytes)
        .Own()
        .Write(offset % kPageBytes, base::AsBytes(text.substr(0, count)));
    offset += count;
    text.remove_prefix(count);
  }
}

TEST(PageMap, ReadsLikeAnArrayWhateverIsSharedAndCut) {
  constexpr size_t kBytes = 400'000;  // Three levels of branches.
  for (Seed seed = 0; seed < 20; ++seed) {
    PageMap map;
    std::string model(kBytes, '\0');
    std::vector<std::pair<PageMap, std::string>> copies;
    Rng rng(seed);
    for (int step = 0; step < 200; ++step) {
      const uint64_t reach = rng.Chance(1, 2) ? 9000 : kBytes;
      const uint64_t offset = rng.Below(reach);
      const uint64_t bytes = rng.Below(std::min(kBytes - offset, uint64_t{10'000}) + 1);
      const uint64_t dice = rng.Below(10);
      if (dice == 0) {
        map.Zero(offset, offset + bytes);
        model.replace(offset, bytes, bytes, '\0');
      } else if (dice == 1) {
        map.Zero(offset, UINT64_MAX);
        std::fill(model.begin() + static_cast<ptrdiff_t>(offset), model.end(), '\0');
      } else if (dice == 2 && copies.size() < 8) {
        copies.emplace_back(map, model);
      } else {
        const std::string text(bytes, static_cast<char>('a' + step % 26));
        WriteText(map, offset, text);
        model.replace(offset, bytes, text);
      }
      ASSERT_EQ(ReadText(map, offset, bytes), model.substr(offset, bytes)) << seed << " " << step;
    }
    copies.emplace_back(map, model);
    for (const auto& [copy, text] : copies) ASSERT_TRUE(ReadText(copy, 0, kBytes) == text) << seed;
  }
}

TEST(PageMap, HoldsBytesAtTheFarEnd) {
  PageMap map;
  WriteText(map, UINT64_MAX - 10, "0123456789");
  WriteText(map, 5, "x");
  EXPECT_EQ(ReadText(map, UINT64_MAX - 12, 12), std::string(2, '\0') + "0123456789");
  EXPECT_EQ(ReadText(map, 5, 1), "x");
  EXPECT_EQ(map.Find(77), nullptr);
}

TEST(PageMap, ZeroKeepsVersions) {
  PageMap map;
  WriteText(map, 0, "x");
  map.At(0).Own().version = 7;
  map.Zero(0, UINT64_MAX);
  EXPECT_EQ(map.Find(0)->version, 7u);
  EXPECT_EQ(ReadText(map, 0, 1), std::string(1, '\0'));
}

TEST(Page, SectorsDifferByWhatTheyRead) {
  const Shared<Sector> none;
  const Shared<Sector> zeros(Sector{});
  const Shared<Sector> ones(Sector{std::byte{1}});
  EXPECT_FALSE(Page::SectorsDiffer(none, zeros));
  EXPECT_TRUE(Page::SectorsDiffer(none, ones));
  EXPECT_TRUE(Page::SectorsDiffer(ones, zeros));
  EXPECT_FALSE(Page::SectorsDiffer(ones, Shared<Sector>(Sector{std::byte{1}})));
}

}  // namespace
}  // namespace kiban::sim
