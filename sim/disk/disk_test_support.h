// What the tests of the disk share: a disk spoken to by path, images as text, and random lives.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/disk/disk.h"
#include "sim/disk/kept_sets.h"
#include "sim/rng.h"

namespace kiban::sim {

// A disk with paths instead of inodes. Anything that cannot be done is a CHECK.
struct TestDisk {
  Disk disk{kStrict};
  uint32_t made = 0;

  FileLabel NextLabel(std::string_view path);
  InodeId Make(std::string_view path);
  void MakeDir(std::string_view path);
  // A file with these bytes, safe with its name.
  void MakeSafe(std::string_view path, std::string_view bytes);
  InodeId Find(std::string_view path) const;
  void Write(std::string_view path, uint64_t offset, std::string_view bytes);
  void Append(std::string_view path, std::string_view bytes);
  void Sync(std::string_view path);
  void SyncDir(std::string_view path);
  void Rename(std::string_view from, std::string_view to);
  void Remove(std::string_view path);
};

// "missing", or runs of equal bytes: "a100 .412" (zeros are dots); "empty".
std::string Read(const Disk& disk, std::string_view path);
std::string ReadBytes(const Disk& disk, InodeId inode);
// Every path with its Read() or its "/", one a line.
std::string Image(const Disk& disk);
std::vector<std::string> Pending(const Disk& disk);

// Every legal kept set without tears, and many drawn ones with them.
std::vector<KeptSet> KeptSets(const Disk& disk);
// What a look at the disk shows after a power cut, over all of KeptSets().
std::set<std::string> AfterPowerCut(const Disk& disk,
                                    const std::function<std::string(const Disk&)>& look);

// A life of `steps` random calls, each drawn by its number alone: leaving one out changes no other.
struct RandomLife {
  uint64_t steps = 30;
  uint64_t left_out = UINT64_MAX;
  bool syncs_fail = false;
  void Live(Disk& disk, const Rng& rng) const;
};

}  // namespace kiban::sim
