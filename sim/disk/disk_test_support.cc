#include "sim/disk/disk_test_support.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace kiban::sim {
namespace {

void ListAll(const Disk& disk, const std::string& dir, std::string& text) {
  const auto names = disk.List(dir);
  CHECK(names.ok());
  for (const std::string& name : *names) {
    const std::string path = dir.empty() ? name : absl::StrCat(dir, "/", name);
    const auto inode = disk.Lookup(path);
    CHECK(inode.ok());
    const bool is_dir = disk.IsDirectory(*inode);
    absl::StrAppend(&text, path, is_dir ? "/" : absl::StrCat(" ", Read(disk, path)), "\n");
    if (is_dir) ListAll(disk, path, text);
  }
}

constexpr std::array<std::string_view, 8> kPaths = {"d/a", "d/b", "d/c", "e/a",
                                                    "e/b", "f",   "d",   "e"};

std::string_view DrawPath(Rng& rng, uint64_t count = kPaths.size()) {
  return kPaths[rng.Below(count)];
}

uint64_t DrawOffset(Rng& rng) {
  const uint64_t unit = rng.Chance(1, 2) ? kSectorBytes : kPageBytes;
  return rng.Below(4) * unit + (rng.Chance(1, 2) ? rng.Below(600) : 0);
}

void ChangeFile(Disk& disk, InodeId file, Rng rng, bool syncs_fail) {
  switch (rng.Below(10)) {
    case 0:
      return disk.Truncate(file, DrawOffset(rng));
    case 1:
      return disk.Allocate(file, DrawOffset(rng));
    case 2:
      return disk.Sync(file);
    case 3:
      return syncs_fail ? disk.EvictGhosts() : disk.Sync(file);
    case 4:
      if (syncs_fail) {
        disk.FailSync(file, [&](uint64_t page) { return rng.Fork(page).Chance(1, 2); });
        return;
      }
      [[fallthrough]];
    default: {
      const uint64_t offset = rng.Chance(1, 3) ? disk.Size(file) : DrawOffset(rng);
      const std::string bytes(rng.Between(1, 5000), static_cast<char>(rng.Between('a', 'z')));
      return disk.WriteAt(file, offset, base::AsBytes(bytes));
    }
  }
}

}  // namespace

FileLabel TestDisk::NextLabel(std::string_view path) {
  return {std::string(KindOfName(path)), 1, "test", 1, ++made};
}

InodeId TestDisk::Make(std::string_view path) {
  const auto inode = disk.Create(path, NextLabel(path));
  CHECK(inode.ok());
  return *inode;
}

void TestDisk::MakeDir(std::string_view path) { CHECK(disk.MakeDir(path, NextLabel(path)).ok()); }

void TestDisk::MakeSafe(std::string_view path, std::string_view bytes) {
  Make(path);
  Write(path, 0, bytes);
  Sync(path);
  const size_t slash = path.rfind('/');
  SyncDir(slash == path.npos ? "" : path.substr(0, slash));
}

InodeId TestDisk::Find(std::string_view path) const {
  const auto inode = disk.Lookup(path);
  CHECK(inode.ok());
  return *inode;
}

void TestDisk::Write(std::string_view path, uint64_t offset, std::string_view bytes) {
  disk.WriteAt(Find(path), offset, base::AsBytes(bytes));
}

void TestDisk::Append(std::string_view path, std::string_view bytes) {
  Write(path, disk.Size(Find(path)), bytes);
}

void TestDisk::Sync(std::string_view path) { disk.Sync(Find(path)); }
void TestDisk::SyncDir(std::string_view path) { CHECK(disk.SyncDir(path).ok()); }
void TestDisk::Rename(std::string_view from, std::string_view to) {
  CHECK(disk.Rename(from, to).ok());
}
void TestDisk::Remove(std::string_view path) { CHECK(disk.Remove(path).ok()); }

std::string ReadBytes(const Disk& disk, InodeId inode) {
  std::string bytes(disk.Size(inode), '?');
  const size_t read = disk.ReadAt(inode, 0, std::as_writable_bytes(std::span(bytes)));
  CHECK(read == bytes.size());
  return bytes;
}

std::string Read(const Disk& disk, std::string_view path) {
  const auto inode = disk.Lookup(path);
  if (!inode.ok()) return "missing";
  const std::string bytes = ReadBytes(disk, *inode);
  if (bytes.empty()) return "empty";
  std::string runs;
  for (size_t i = 0; i < bytes.size();) {
    const size_t end = std::min(bytes.find_first_not_of(bytes[i], i), bytes.size());
    absl::StrAppend(&runs, i == 0 ? "" : " ", std::string(1, bytes[i] == 0 ? '.' : bytes[i]),
                    end - i);
    i = end;
  }
  return runs;
}

std::string Image(const Disk& disk) {
  std::string text;
  ListAll(disk, "", text);
  return text;
}

std::vector<std::string> Pending(const Disk& disk) {
  std::vector<std::string> texts;
  for (const MicroOp& op : disk.pending()) texts.push_back(disk.Describe(op));
  return texts;
}

std::vector<KeptSet> KeptSets(const Disk& disk) {
  constexpr uint64_t kDraws = 1000;
  const size_t count = disk.pending().size();
  CHECK(count <= 12);
  std::vector<KeptSet> legal;
  for (uint32_t subset = 0; subset < (1u << count); ++subset) {
    KeptSet kept(count);
    for (size_t i = 0; i < count; ++i) kept[i].kept = ((subset >> i) & 1) != 0;
    if (WhyNotAllowed(kStrict, disk.pending(), kept).empty()) legal.push_back(kept);
  }
  for (uint64_t i = 0; i < kDraws; ++i) legal.push_back(DrawKeptSet(disk, Rng(i)).kept);
  return legal;
}

std::set<std::string> AfterPowerCut(const Disk& disk,
                                    const std::function<std::string(const Disk&)>& look) {
  std::set<std::string> seen;
  for (const KeptSet& kept : KeptSets(disk)) {
    const auto copy = disk.Snapshot();
    copy->PowerCut(kept);
    seen.insert(look(*copy));
  }
  return seen;
}

void RandomLife::Live(Disk& disk, const Rng& life) const {
  for (uint64_t step = 0; step < steps; ++step) {
    if (step == left_out) continue;
    Rng rng = life.Fork(step);
    const std::string_view path = DrawPath(rng);
    const std::string_view other = DrawPath(rng);
    const FileLabel label = {"any", 1, "life", 1, static_cast<uint32_t>(step + 1)};
    const auto inode = disk.Lookup(path);
    const uint64_t dice = rng.Below(20);
    if (dice < 1) {
      disk.Remove(path).IgnoreError();
    } else if (dice < 3) {
      disk.Rename(path, other).IgnoreError();
    } else if (dice < 4) {
      disk.Link(path, other).IgnoreError();
    } else if (dice < 5) {
      disk.SyncDir(path.substr(0, path.find('/') == path.npos ? 0 : 1)).IgnoreError();
    } else if (!inode.ok()) {
      const bool is_dir = path == "d" || path == "e";
      (is_dir ? disk.MakeDir(path, label) : disk.Create(path, label).status()).IgnoreError();
      const auto made = disk.Lookup(path);
      if (made.ok() && !is_dir && rng.Chance(1, 4)) disk.Pin(*made);
    } else if (!disk.IsDirectory(*inode)) {
      ChangeFile(disk, *inode, rng.Fork(1), syncs_fail);
    }
  }
}

}  // namespace kiban::sim
