// The heart of Disk: what becomes safe, by a sync or by luck at a power cut, and what that leaves.
#include "sim/disk/disk.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace kiban::sim {

Disk::Disk(const Profile& profile) : profile_(&profile) {
  CHECK(NewInode(FileLabel(), true) == kRoot);
  Inode& root = Own(kRoot);
  root.seen_names = 1;  // Nobody gave it one and nobody can take it away.
  root.safe_names = 1;
}

std::unique_ptr<Disk> Disk::Snapshot() const { return std::unique_ptr<Disk>(new Disk(*this)); }

const Inode& Disk::At(InodeId inode) const {
  CHECK(inode < inodes_.size());
  CHECK(inodes_[inode]);
  return *inodes_[inode];
}

Inode& Disk::Own(InodeId inode) {
  At(inode);
  return inodes_[inode].Own();
}

const Inode& Disk::FileAt(InodeId inode) const {
  const Inode& file = At(inode);
  CHECK(!file.is_dir);
  CHECK(file.pins + file.seen_names > 0);
  return file;
}

Inode& Disk::OwnFile(InodeId inode) {
  FileAt(inode);
  return inodes_[inode].Own();
}

void Disk::Pin(InodeId inode) { ++Own(inode).pins; }

void Disk::Unpin(InodeId inode) {
  Inode& file = Own(inode);
  CHECK(file.pins > 0);
  --file.pins;
  if (!file.IsReachable()) Collect();
}

bool Disk::IsThere(InodeId inode) const {
  CHECK(inode < inodes_.size());
  return static_cast<bool>(inodes_[inode]);
}

const std::vector<MicroOp>& Disk::pending() const { return pending_; }

uint64_t Disk::SyncSteps(InodeId inode) const {
  FileAt(inode);
  return static_cast<uint64_t>(
      std::count_if(pending_.begin(), pending_.end(),
                    [inode](const MicroOp& op) { return op.inode == inode && !op.IsName(); }));
}

void Disk::Sync(InodeId inode, uint64_t step_limit) {
  FileAt(inode);
  uint64_t steps = 0;
  std::erase_if(pending_, [&](const MicroOp& op) {
    if (op.inode != inode || op.IsName() || steps == step_limit) return false;
    ++steps;
    MakeSafe(op);
    return true;
  });
}

void Disk::MakeFileSafe(std::string_view label) {
  std::erase_if(pending_, [&](const MicroOp& op) {
    if (op.IsName() || At(op.inode).label.Text() != label) return false;
    MakeSafe(op);
    return true;
  });
}

uint64_t Disk::FailSync(InodeId inode, const std::function<bool(uint64_t)>& damaged) {
  std::vector<uint64_t> pages;
  for (const MicroOp& op : pending_) {
    if (op.inode == inode && op.IsPage()) pages.push_back(op.page);
  }
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  std::erase_if(pages, [&](uint64_t page) { return !damaged(page); });

  const auto is_ghost = [&](uint64_t page) {
    return std::binary_search(pages.begin(), pages.end(), page);
  };
  std::erase_if(pending_, [&](const MicroOp& op) {
    if (op.inode != inode || op.IsName()) return false;
    if (!op.IsPage() || !is_ghost(op.page)) MakeSafe(op);
    return true;
  });
  std::vector<uint64_t>& ghosts = OwnFile(inode).ghosts;
  ghosts.insert(ghosts.end(), pages.begin(), pages.end());
  std::sort(ghosts.begin(), ghosts.end());
  return pages.size();
}

void Disk::EvictGhosts() {
  for (InodeId inode = 0; inode < inodes_.size(); ++inode) {
    if (!inodes_[inode] || inodes_[inode]->ghosts.empty()) continue;
    Inode& file = Own(inode);
    for (const uint64_t page : file.ghosts) ReadAsSafe(inode, file, page);
    file.ghosts.clear();
  }
}

// A ghost page owes no bytes, but cuts made since the sync failed may still be owed: they are seen.
void Disk::ReadAsSafe(InodeId inode, Inode& file, uint64_t page) {
  const Page* const safe = file.safe.pages.Find(page);
  Page& seen = file.seen.pages.At(page).Own();
  seen.sectors = safe == nullptr ? Page().sectors : safe->sectors;
  const uint64_t end = (page + 1) * kPageBytes;
  for (const MicroOp& op : pending_) {
    if (op.inode != inode || op.kind != MicroKind::kShrink) continue;
    file.seen.pages.Zero(std::max(op.size_bytes, page * kPageBytes), end);
  }
}

uint64_t Disk::ghost_page_count() const {
  uint64_t count = 0;
  for (const Shared<Inode>& inode : inodes_) {
    if (inode) count += inode->ghosts.size();
  }
  return count;
}

void Disk::MakeSafe(const MicroOp& op, uint8_t torn_sectors) {
  switch (op.kind) {
    case MicroKind::kPage:
      return MakePageSafe(op, torn_sectors);
    case MicroKind::kSize:
    case MicroKind::kAlloc:
      Own(op.inode).safe.size_bytes = op.size_bytes;
      return;
    case MicroKind::kShrink: {
      Inode::Copy& safe = Own(op.inode).safe;
      safe.size_bytes = op.size_bytes;
      safe.pages.Zero(op.size_bytes, UINT64_MAX);
      return;
    }
    case MicroKind::kAdd:
    case MicroKind::kDel:
    case MicroKind::kRename:
      return MakeNameSafe(op);
  }
  CHECK(false);
}

// The page's earlier versions and the cuts before it are safe already (D1, D8), so it is safe as a
// whole.
void Disk::MakePageSafe(const MicroOp& op, uint8_t torn_sectors) {
  Shared<Page>& safe = Own(op.inode).safe.pages.At(op.page);
  if (torn_sectors == 0) {
    safe = op.content;
    return;
  }
  Page mixture = *op.content;
  for (size_t i = 0; i < kSectorsPerPage; ++i) {
    if (((torn_sectors >> i) & 1) == 0) continue;
    mixture.sectors[i] = safe ? safe->sectors[i] : Shared<Sector>();
  }
  safe = Shared<Page>(std::move(mixture));
}

void Disk::MakeNameSafe(const MicroOp& op) {
  const NameChange& names = *op.names;
  if (op.kind == MicroKind::kRename) SetSafeEntry(names.from, kNoInode);
  SetSafeEntry(names.slot, op.kind == MicroKind::kDel ? kNoInode : op.inode);
  --Own(op.inode).owed_names;
}

void Disk::SetSafeEntry(const Slot& slot, InodeId inode) {
  auto& entries = Own(slot.dir).safe.entries;
  const auto entry = entries.find(slot.name());
  if (entry != entries.end()) {
    --Own(entry->second).safe_names;
    entries.erase(entry);
  } else {
    CHECK(inode != kNoInode);  // Only what is there can be taken away: slots are chains (D12).
  }
  if (inode == kNoInode) return;
  entries.emplace(slot.name(), inode);
  ++Own(inode).safe_names;
}

// Frees what nothing can reach any more, with what it still owed.
void Disk::Collect() {
  const auto is_gone = [&](InodeId inode) {
    return inodes_[inode] && !inodes_[inode]->IsReachable();
  };
  std::vector<InodeId> gone;
  for (InodeId inode = 0; inode < inodes_.size(); ++inode) {
    if (is_gone(inode)) gone.push_back(inode);
  }
  if (gone.empty()) return;
  std::erase_if(pending_, [&](const MicroOp& op) { return is_gone(op.inode); });
  for (const InodeId inode : gone) {
    CHECK(inodes_[inode]->safe.entries.empty());  // A directory goes only after what was in it.
    inodes_[inode] = Shared<Inode>();
    free_.push_back(inode);
  }
}

void Disk::Kill() {
  for (InodeId inode = 0; inode < inodes_.size(); ++inode) {
    if (inodes_[inode] && inodes_[inode]->pins > 0) Own(inode).pins = 0;
  }
  Collect();
}

std::vector<bool> Disk::ReachableInSafe() const {
  std::vector<bool> reachable(inodes_.size(), false);
  std::vector<InodeId> dirs = {kRoot};
  reachable[kRoot] = true;
  while (!dirs.empty()) {
    const InodeId dir = dirs.back();
    dirs.pop_back();
    for (const auto& [name, inode] : At(dir).safe.entries) {
      if (!reachable[inode]) dirs.push_back(inode);  // A file has no entries.
      reachable[inode] = true;
    }
  }
  return reachable;
}

void Disk::PowerCut(const KeptSet& kept) {
  CHECK(WhyNotAllowed(*profile_, pending_, kept).empty());
  for (size_t i = 0; i < pending_.size(); ++i) {
    if (kept[i].kept) MakeSafe(pending_[i], kept[i].torn_sectors);
  }
  pending_.clear();
  const std::vector<bool> reachable = ReachableInSafe();
  free_.clear();
  for (InodeId inode = static_cast<InodeId>(inodes_.size()); inode-- > 0;) {
    if (!reachable[inode]) {
      inodes_[inode] = Shared<Inode>();
      free_.push_back(inode);
      continue;
    }
    Inode& left = Own(inode);
    left.safe.pages.Zero(left.safe.size_bytes, UINT64_MAX);  // D11.
    left.seen = left.safe;
    left.ghosts.clear();
    left.pins = 0;
    left.owed_names = 0;
    left.seen_names = inode == kRoot ? 1 : 0;  // Counted below: names in lost directories are gone.
  }
  for (const Shared<Inode>& dir : inodes_) {
    if (!dir) continue;
    for (const auto& [name, inode] : dir->seen.entries) ++Own(inode).seen_names;
  }
  for (Shared<Inode>& inode : inodes_) {
    if (inode) inode.Own().safe_names = inode->seen_names;
  }
}

}  // namespace kiban::sim
