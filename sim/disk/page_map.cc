#include "sim/disk/page_map.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/base/check.h"

namespace kiban::sim {
namespace {

bool IsZero(std::byte byte) { return byte == std::byte{0}; }

bool ReadsAsZeros(const Shared<Sector>& sector, uint64_t begin, uint64_t end) {
  return !sector || std::all_of(sector->begin() + begin, sector->begin() + end, IsZero);
}

// Calls `visit(sector, begin, end)` for the part of each sector that lies in [begin, end) of the
// page.
template <typename Visit>
void ForEachSector(uint64_t begin, uint64_t end, Visit visit) {
  while (begin < end) {
    const uint64_t sector = begin / kSectorBytes;
    const uint64_t start = sector * kSectorBytes;
    const uint64_t stop = std::min(end, start + kSectorBytes);
    visit(sector, begin - start, stop - start);
    begin = stop;
  }
}

bool HasBytes(const Page& page, uint64_t begin, uint64_t end) {
  bool found = false;
  ForEachSector(begin, end, [&](uint64_t i, uint64_t from, uint64_t to) {
    found = found || !ReadsAsZeros(page.sectors[i], from, to);
  });
  return found;
}

void ZeroPart(Page& page, uint64_t begin, uint64_t end) {
  ForEachSector(begin, end, [&](uint64_t i, uint64_t from, uint64_t to) {
    if (from == 0 && to == kSectorBytes) {
      page.sectors[i] = Shared<Sector>();
    } else if (!ReadsAsZeros(page.sectors[i], from, to)) {
      std::memset(page.sectors[i].Own().data() + from, 0, to - from);
    }
  });
}

}  // namespace

void Page::Write(uint64_t offset, std::span<const std::byte> data) {
  CHECK(offset + data.size() <= kPageBytes);
  const std::byte* from = data.data();
  ForEachSector(offset, offset + data.size(), [&](uint64_t i, uint64_t begin, uint64_t end) {
    std::memcpy(sectors[i].Own().data() + begin, from, end - begin);
    from += end - begin;
  });
}

bool Page::SectorsDiffer(const Shared<Sector>& a, const Shared<Sector>& b) {
  if (a.get() == b.get()) return false;
  if (!a) return !ReadsAsZeros(b, 0, kSectorBytes);
  if (!b) return !ReadsAsZeros(a, 0, kSectorBytes);
  return *a != *b;
}

const Page* PageMap::Find(uint64_t page) const {
  if (!root_ || !Reaches(page)) return nullptr;
  const Branch* branch = root_.get();
  for (uint32_t level = height_; level > 1; --level) {
    branch = std::get<Branches>(branch->below)[Digit(page, level)].get();
    if (branch == nullptr) return nullptr;
  }
  return std::get<Pages>(branch->below)[Digit(page, 1)].get();
}

PageMap::Branch& PageMap::OwnBranch(Shared<Branch>& place, uint32_t level) {
  const bool is_new = !place;
  Branch& branch = place.Own();
  if (is_new && level > 1) branch.below.emplace<Branches>();
  return branch;
}

Shared<Page>& PageMap::At(uint64_t page) {
  while (height_ == 0 || !Reaches(page)) {
    ++height_;
    if (root_) {
      Shared<Branch> taller;
      std::get<Branches>(OwnBranch(taller, height_).below)[0] = std::move(root_);
      root_ = std::move(taller);
    }
  }
  Branch* branch = &OwnBranch(root_, height_);
  for (uint32_t level = height_; level > 1; --level) {
    Shared<Branch>& place = std::get<Branches>(branch->below)[Digit(page, level)];
    branch = &OwnBranch(place, level - 1);
  }
  return std::get<Pages>(branch->below)[Digit(page, 1)];
}

void PageMap::Read(uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const uint64_t begin = offset % kPageBytes;
    const uint64_t count = std::min<uint64_t>(out.size(), kPageBytes - begin);
    const Page* const page = Find(offset / kPageBytes);
    std::byte* to = out.data();
    ForEachSector(begin, begin + count, [&](uint64_t i, uint64_t from, uint64_t end) {
      if (page == nullptr || !page->sectors[i]) {
        std::memset(to, 0, end - from);
      } else {
        std::memcpy(to, page->sectors[i]->data() + from, end - from);
      }
      to += end - from;
    });
    offset += count;
    out = out.subspan(count);
  }
}

void PageMap::ForEachPage(const Branch& branch, uint32_t level, uint64_t prefix, uint64_t first,
                          const std::function<void(uint64_t, const Page&)>& visit) {
  for (uint64_t digit = 0; digit < kFanout; ++digit) {
    const uint64_t number = (prefix << kFanoutBits) | digit;
    const uint64_t last_page = ((number + 1) << (kFanoutBits * (level - 1))) - 1;
    if (last_page < first) continue;
    if (level == 1) {
      const Shared<Page>& page = std::get<Pages>(branch.below)[digit];
      if (page) visit(number, *page);
    } else {
      const Shared<Branch>& below = std::get<Branches>(branch.below)[digit];
      if (below) ForEachPage(*below, level - 1, number, first, visit);
    }
  }
}

void PageMap::Zero(uint64_t begin_bytes, uint64_t end_bytes) {
  if (!root_ || begin_bytes >= end_bytes) return;
  struct Part {
    uint64_t page, begin, end;
  };
  std::vector<Part>
      parts;  // Found first, changed afterwards: what has nothing to lose stays shared.
  const auto find = [&](uint64_t page, const Page& content) {
    const uint64_t start = page * kPageBytes;
    if (start >= end_bytes) return;
    const uint64_t begin = begin_bytes > start ? begin_bytes - start : 0;
    const uint64_t end = std::min(end_bytes - start, kPageBytes);
    if (HasBytes(content, begin, end)) parts.push_back({page, begin, end});
  };
  ForEachPage(*root_, height_, 0, begin_bytes / kPageBytes, find);
  for (const Part& part : parts) ZeroPart(At(part.page).Own(), part.begin, part.end);
}

}  // namespace kiban::sim
