// The half of Disk that reads and writes files. Everything here changes V and adds to what is owed.
#include <algorithm>
#include <bit>

#include "engine/base/check.h"
#include "sim/disk/disk.h"

namespace kiban::sim {
namespace {

// Bit i for each sector of the page that [offset, offset + bytes) of it touches.
uint8_t SectorsTouched(uint64_t offset, uint64_t bytes) {
  const uint64_t first = offset / kSectorBytes;
  const uint64_t last = (offset + bytes - 1) / kSectorBytes;
  return static_cast<uint8_t>((2u << last) - (1u << first));
}

uint8_t SectorsThatDiffer(const Page& page, const Page* other) {
  uint8_t differ = 0;
  for (size_t i = 0; i < kSectorsPerPage; ++i) {
    const Shared<Sector> there = other == nullptr ? Shared<Sector>() : other->sectors[i];
    if (Page::SectorsDiffer(page.sectors[i], there)) differ |= static_cast<uint8_t>(1u << i);
  }
  return differ;
}

}  // namespace

uint64_t Disk::Size(InodeId inode) const { return FileAt(inode).seen.size_bytes; }

size_t Disk::ReadAt(InodeId inode, uint64_t offset, std::span<std::byte> out) const {
  const Inode::Copy& seen = FileAt(inode).seen;
  if (offset >= seen.size_bytes) return 0;
  const size_t count = std::min<uint64_t>(out.size(), seen.size_bytes - offset);
  seen.pages.Read(offset, out.first(count));
  return count;
}

uint64_t Disk::WriteSteps(InodeId inode, uint64_t offset, uint64_t bytes) const {
  FileAt(inode);
  return bytes == 0 ? 0 : (offset + bytes - 1) / kPageBytes - offset / kPageBytes + 1;
}

void Disk::WriteAt(InodeId inode, uint64_t offset, std::span<const std::byte> data,
                   uint64_t step_limit) {
  CHECK(offset <= UINT64_MAX - data.size());
  Inode& file = OwnFile(inode);
  if (step_limit < WriteSteps(inode, offset, data.size())) {
    const uint64_t end = (offset / kPageBytes + step_limit) * kPageBytes;
    data = data.first(step_limit == 0 ? 0 : end - offset);
  }
  if (data.empty()) return;
  const uint64_t end = offset + data.size();
  while (!data.empty()) {
    const uint64_t count = std::min<uint64_t>(data.size(), kPageBytes - offset % kPageBytes);
    WritePage(inode, file, offset, data.first(count));
    offset += count;
    data = data.subspan(count);
  }
  if (end > file.seen.size_bytes) OweSize(MicroKind::kSize, inode, file, end);
}

void Disk::WritePage(InodeId inode, Inode& file, uint64_t offset, std::span<const std::byte> data) {
  const uint64_t number = offset / kPageBytes;
  Shared<Page>& page = file.seen.pages.At(number);
  Page& content = page.Own();
  content.Write(offset % kPageBytes, data);
  ++content.version;
  uint8_t changed = SectorsTouched(offset % kPageBytes, data.size());
  const auto ghost = std::lower_bound(file.ghosts.begin(), file.ghosts.end(), number);
  if (ghost != file.ghosts.end() && *ghost == number) {
    // The page is dirty again as a whole, with the bytes that an earlier sync failed to write.
    changed |= SectorsThatDiffer(content, file.safe.pages.Find(number));
    file.ghosts.erase(ghost);
  }
  pending_.push_back({.kind = MicroKind::kPage,
                      .changed_sectors = changed,
                      .inode = inode,
                      .version = content.version,
                      .page = number,
                      .content = page});
}

void Disk::OweSize(MicroKind kind, InodeId inode, Inode& file, uint64_t size_bytes) {
  file.seen.size_bytes = size_bytes;
  pending_.push_back(
      {.kind = kind, .inode = inode, .version = ++file.size_version, .size_bytes = size_bytes});
}

void Disk::Truncate(InodeId inode, uint64_t size_bytes) {
  Inode& file = OwnFile(inode);
  if (size_bytes > file.seen.size_bytes) OweSize(MicroKind::kSize, inode, file, size_bytes);
  if (size_bytes >= file.seen.size_bytes) return;
  file.seen.pages.Zero(size_bytes, UINT64_MAX);
  // Pages that are gone entirely hold nothing that could differ from D once the cut is safe.
  const uint64_t first_gone = size_bytes / kPageBytes + (size_bytes % kPageBytes != 0 ? 1 : 0);
  file.ghosts.erase(std::lower_bound(file.ghosts.begin(), file.ghosts.end(), first_gone),
                    file.ghosts.end());
  OweSize(MicroKind::kShrink, inode, file, size_bytes);
}

void Disk::Allocate(InodeId inode, uint64_t size_bytes) {
  Inode& file = OwnFile(inode);
  if (size_bytes <= file.seen.size_bytes) return;  // Space within the size is not modelled here.
  OweSize(MicroKind::kAlloc, inode, file, size_bytes);
}

const FileLabel& Disk::label(InodeId inode) const { return At(inode).label; }

uint64_t Disk::owed_bytes() const {
  uint64_t sectors = 0;
  for (const MicroOp& op : pending_) {
    sectors += static_cast<uint64_t>(std::popcount(op.changed_sectors));
  }
  return sectors * kSectorBytes;
}

}  // namespace kiban::sim
