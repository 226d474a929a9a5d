// One file system of one simulated machine: what calls see (V), what is safe (D), and what is owed
// between them (pending micro-operations).
//
// Paths are '/'-separated, relative to the root directory "", which always exists. Every mutating
// call changes V at once and adds micro-operations to pending(); syncs move them to D. The disk
// draws nothing itself and knows no processes, handles or locks: sim_env does. What a power cut
// keeps and which pages a failed sync damages is told to it.
//
// `StepLimit` makes a call stop half way, for a crash inside it: the call's first n steps happen
// and no more. A step of a write is one page, with the size as far as that page reaches (so what a
// kill leaves is a short write); of a sync, one pending micro-operation made safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/disk/file_label.h"
#include "sim/disk/inode.h"
#include "sim/disk/micro_op.h"
#include "sim/disk/profile.h"

namespace kiban::sim {

class Disk {
 public:
  static constexpr uint64_t kAllSteps = UINT64_MAX;

  explicit Disk(const Profile& profile);

  // Names. Errors are those of engine/env.h, with the path. A directory can be renamed within its
  // parent only, and not over anything; Remove() takes an empty one away.
  absl::StatusOr<InodeId> Lookup(std::string_view path) const;
  bool IsDirectory(InodeId inode) const;
  absl::StatusOr<InodeId> Create(std::string_view path, const FileLabel& label);  // kAlreadyExists.
  absl::Status MakeDir(std::string_view path, const FileLabel& label);
  absl::Status Rename(std::string_view from, std::string_view to);
  absl::Status Link(std::string_view from, std::string_view to);
  absl::Status Remove(std::string_view path);
  absl::StatusOr<std::vector<std::string>> List(std::string_view dir) const;  // Sorted.
  absl::Status SyncDir(std::string_view dir, uint64_t step_limit = kAllSteps);

  // An open inode stays readable and writable after its last name is gone; Pin() and Unpin() count.
  void Pin(InodeId inode);
  void Unpin(InodeId inode);
  // False once nothing can reach it any more: it went, with what it still owed.
  bool IsThere(InodeId inode) const;

  // Files. The inode must be a pinned or named file (CHECK).
  uint64_t Size(InodeId inode) const;
  size_t ReadAt(InodeId inode, uint64_t offset, std::span<std::byte> out) const;
  void WriteAt(InodeId inode, uint64_t offset, std::span<const std::byte> data,
               uint64_t step_limit = kAllSteps);
  void Truncate(InodeId inode, uint64_t size_bytes);
  void Allocate(InodeId inode, uint64_t size_bytes);
  void Sync(InodeId inode, uint64_t step_limit = kAllSteps);
  // All that the file with this label owes, even if it has no name and no handle any more.
  void MakeFileSafe(std::string_view label);
  const FileLabel& label(InodeId inode) const;

  // How many steps the call would take now.
  uint64_t WriteSteps(InodeId inode, uint64_t offset, uint64_t bytes) const;
  uint64_t SyncSteps(InodeId inode) const;
  uint64_t SyncDirSteps(std::string_view dir) const;

  // A sync that failed (fault model section 4, ext4-ordered): of the pages that were owed, those
  // for which `damaged` says yes become ghosts (V keeps the new bytes, D the old ones, no longer
  // pending); the others, and the size, are made safe. Writing a ghost page again heals it. Returns
  // how many became ghosts.
  uint64_t FailSync(InodeId inode, const std::function<bool(uint64_t page)>& damaged);
  // What a restart with a cold cache shows: every ghost page reads as D has it.
  void EvictGhosts();
  uint64_t ghost_page_count() const;

  const std::vector<MicroOp>& pending() const;
  uint64_t owed_bytes() const;  // Of pending pages, for timelines.
  // "page wal@1:switch.T2#1 0 v3", "size ... 8192", "add wal@... db/000007.wal", "del ... NAME",
  // "rename ... FROM -> TO": unique among what is pending.
  std::string Describe(const MicroOp& op) const;
  // Keyed by file, kind, page and version; for the draws of a cut.
  uint64_t Key(const MicroOp& op) const;

  // The power goes: `kept` (legal by profile.h, CHECK) decides; D and V become what is left,
  // nothing is pending, no inode is pinned, files without a name are gone.
  void PowerCut(const KeptSet& kept);
  // All processes die, the machine stays up: V and pending stay as they are; pins are gone.
  void Kill();

  const Profile& profile() const { return *profile_; }

  // A copy of the whole state, sharing all bytes: costs what the names cost, not what the files
  // hold.
  std::unique_ptr<Disk> Snapshot() const;

 private:
  struct Place {
    InodeId dir;
    std::string_view name;
    InodeId inode;  // kNoInode: the name is free.
  };
  static constexpr InodeId kRoot = 0;
  static constexpr InodeId kNoInode = UINT32_MAX;

  Disk(const Disk&) = default;  // For Snapshot().

  const Inode& At(InodeId inode) const;
  Inode& Own(InodeId inode);
  const Inode& FileAt(InodeId inode) const;
  Inode& OwnFile(InodeId inode);

  // names.cc
  absl::StatusOr<InodeId> FindDir(std::string_view path) const;
  absl::StatusOr<Place> Find(std::string_view path) const;         // The parent must exist.
  absl::StatusOr<Place> FindPresent(std::string_view path) const;  // The name as well.
  absl::StatusOr<InodeId> Make(std::string_view path, const FileLabel& label, bool is_dir);
  InodeId NewInode(const FileLabel& label, bool is_dir);
  void Enter(const Place& place, InodeId inode);
  void Leave(const Place& place);
  void Owe(MicroKind kind, InodeId inode, NameChange names);
  std::vector<bool> MadeSafeBySyncDir(InodeId dir) const;

  // files.cc
  void WritePage(InodeId inode, Inode& file, uint64_t offset, std::span<const std::byte> data);
  void OweSize(MicroKind kind, InodeId inode, Inode& file, uint64_t size_bytes);

  // disk.cc
  void MakeSafe(const MicroOp& op, uint8_t torn_sectors = 0);
  void MakePageSafe(const MicroOp& op, uint8_t torn_sectors);
  void MakeNameSafe(const MicroOp& op);
  void SetSafeEntry(const Slot& slot, InodeId inode);
  void ReadAsSafe(InodeId inode, Inode& file, uint64_t page);
  std::vector<bool> ReachableInSafe() const;
  void Collect();

  const Profile* profile_;
  std::vector<Shared<Inode>> inodes_;  // By number; null is free.
  std::vector<InodeId> free_;          // Reused from the back.
  std::vector<MicroOp> pending_;
};

}  // namespace kiban::sim
