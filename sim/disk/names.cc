// The half of Disk that makes, moves and takes away names. Everything here changes V and adds to
// what is owed; SyncDir() decides which of that becomes safe.
#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "sim/disk/disk.h"

namespace kiban::sim {
namespace {

absl::Status NotFound(std::string_view path) {
  return absl::NotFoundError(absl::StrCat(base::ToAbsl(path), ": no such file or directory"));
}

absl::Status AlreadyExists(std::string_view path) {
  return absl::AlreadyExistsError(absl::StrCat(base::ToAbsl(path), ": exists"));
}

absl::Status WrongState(std::string_view path, std::string_view what) {
  return absl::FailedPreconditionError(absl::StrCat(base::ToAbsl(path), ": ", base::ToAbsl(what)));
}

absl::Status InvalidPath(std::string_view path) {
  return absl::InvalidArgumentError(absl::StrCat(base::ToAbsl(path), ": not a path"));
}

bool IsName(std::string_view part) {
  constexpr size_t kNameBytesMax = 255;
  return !part.empty() && part.size() <= kNameBytesMax && part != "." && part != ".." &&
         part.find('\0') == part.npos;
}

using SlotKey = std::pair<InodeId, std::string_view>;
SlotKey KeyOf(const Slot& slot) { return {slot.dir, slot.name()}; }

}  // namespace

bool Disk::IsDirectory(InodeId inode) const { return At(inode).is_dir; }

absl::StatusOr<InodeId> Disk::FindDir(std::string_view path) const {
  InodeId dir = kRoot;
  std::string_view rest = path;
  while (!rest.empty()) {
    const size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (!IsName(part) || slash == rest.size() - 1) return InvalidPath(path);
    const auto entry = At(dir).seen.entries.find(part);
    if (entry == At(dir).seen.entries.end()) return NotFound(path);
    dir = entry->second;
    if (!At(dir).is_dir) return WrongState(path, "not a directory");
    rest = slash == rest.npos ? std::string_view() : rest.substr(slash + 1);
  }
  return dir;
}

absl::StatusOr<Disk::Place> Disk::Find(std::string_view path) const {
  const size_t slash = path.rfind('/');
  const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  if (!IsName(name) || slash == 0) return InvalidPath(path);
  absl::StatusOr<InodeId> dir = FindDir(slash == path.npos ? "" : path.substr(0, slash));
  if (!dir.ok()) {
    return dir.status().code() == absl::StatusCode::kInvalidArgument ? InvalidPath(path)
                                                                     : dir.status();
  }
  const auto& entries = At(*dir).seen.entries;
  const auto entry = entries.find(name);
  return Place{*dir, name, entry == entries.end() ? kNoInode : entry->second};
}

absl::StatusOr<Disk::Place> Disk::FindPresent(std::string_view path) const {
  ASSIGN_OR_RETURN(const Place place, Find(path));
  if (place.inode == kNoInode) return NotFound(path);
  return place;
}

absl::StatusOr<InodeId> Disk::Lookup(std::string_view path) const {
  if (path.empty()) return kRoot;
  ASSIGN_OR_RETURN(const Place place, FindPresent(path));
  return place.inode;
}

absl::StatusOr<std::vector<std::string>> Disk::List(std::string_view dir) const {
  ASSIGN_OR_RETURN(const InodeId inode, FindDir(dir));
  std::vector<std::string> names;
  for (const auto& [name, unused] : At(inode).seen.entries) names.push_back(name);
  return names;
}

InodeId Disk::NewInode(const FileLabel& label, bool is_dir) {
  if (free_.empty()) {
    free_.push_back(static_cast<InodeId>(inodes_.size()));
    inodes_.emplace_back();
  }
  const InodeId inode = free_.back();
  free_.pop_back();
  Inode made;
  made.label = label;
  made.label_key = label.Key();
  made.is_dir = is_dir;
  inodes_[inode] = Shared<Inode>(std::move(made));
  return inode;
}

void Disk::Enter(const Place& place, InodeId inode) {
  Own(place.dir).seen.entries.emplace(place.name, inode);
  ++Own(inode).seen_names;
}

void Disk::Leave(const Place& place) {
  auto& entries = Own(place.dir).seen.entries;
  entries.erase(entries.find(place.name));
  --Own(place.inode).seen_names;
}

void Disk::Owe(MicroKind kind, InodeId inode, NameChange names) {
  uint32_t version = 1;
  for (const MicroOp& op : pending_) {
    const bool same = op.kind == kind && op.inode == inode &&
                      op.names->slot.path == names.slot.path &&
                      op.names->from.path == names.from.path;
    if (same) version = op.version + 1;
  }
  ++Own(inode).owed_names;
  pending_.push_back({.kind = kind,
                      .inode = inode,
                      .version = version,
                      .names = Shared<NameChange>(std::move(names))});
}

absl::StatusOr<InodeId> Disk::Make(std::string_view path, const FileLabel& label, bool is_dir) {
  ASSIGN_OR_RETURN(const Place place, Find(path));
  if (place.inode != kNoInode) return AlreadyExists(path);
  const InodeId inode = NewInode(label, is_dir);
  Enter(place, inode);
  Owe(MicroKind::kAdd, inode, {.slot = {place.dir, std::string(path)}, .from = {}});
  return inode;
}

absl::StatusOr<InodeId> Disk::Create(std::string_view path, const FileLabel& label) {
  return Make(path, label, false);
}

absl::Status Disk::MakeDir(std::string_view path, const FileLabel& label) {
  if (path.empty()) return AlreadyExists("the root directory");
  return Make(path, label, true).status();
}

absl::Status Disk::Link(std::string_view from, std::string_view to) {
  ASSIGN_OR_RETURN(const Place source, FindPresent(from));
  ASSIGN_OR_RETURN(const Place target, Find(to));
  if (At(source.inode).is_dir) return WrongState(from, "a directory");
  if (target.inode != kNoInode) return AlreadyExists(to);
  Enter(target, source.inode);
  Owe(MicroKind::kAdd, source.inode, {.slot = {target.dir, std::string(to)}, .from = {}});
  return absl::OkStatus();
}

absl::Status Disk::Remove(std::string_view path) {
  ASSIGN_OR_RETURN(const Place place, FindPresent(path));
  if (!At(place.inode).seen.entries.empty()) return WrongState(path, "not empty");
  Leave(place);
  Owe(MicroKind::kDel, place.inode, {.slot = {place.dir, std::string(path)}, .from = {}});
  return absl::OkStatus();
}

absl::Status Disk::Rename(std::string_view from, std::string_view to) {
  ASSIGN_OR_RETURN(const Place source, FindPresent(from));
  ASSIGN_OR_RETURN(const Place target, Find(to));
  if (source.inode == target.inode)
    return absl::OkStatus();  // Two names of one file, as POSIX has it.
  const bool replaces = target.inode != kNoInode;
  if (replaces && At(target.inode).is_dir) return WrongState(to, "a directory");
  if (At(source.inode).is_dir) {
    // Directories that change parents could form a ring when some of the moves are lost.
    if (source.dir != target.dir) return WrongState(from, "a directory keeps its parent");
    if (replaces) return WrongState(to, "not a directory");
  }
  if (replaces) Leave(target);
  Leave(source);
  Enter(target, source.inode);
  Owe(MicroKind::kRename, source.inode,
      {.slot = {target.dir, std::string(to)}, .from = {source.dir, std::string(from)}});
  return absl::OkStatus();
}

// Which pending operations a SyncDir() of `dir` that returns OK makes safe: those with all their
// names in directories synced since, and those that come along because one of them cannot be kept
// without them. What comes along brings the directory it is in, or a rename would be half done
// without that.
std::vector<bool> Disk::MadeSafeBySyncDir(InodeId dir) const {
  std::vector<bool> made_safe(pending_.size(), false);
  std::set<SlotKey> slots;                      // Each: every earlier change of it is needed.
  std::set<InodeId> emptied;                    // Each: every earlier change in it is needed.
  std::set<InodeId> inhabited;                  // Each: its making is needed.
  for (size_t i = pending_.size(); i-- > 0;) {  // Needs point backwards only.
    const MicroOp& op = pending_[i];
    if (!op.IsName()) continue;
    const Slot& slot = op.names->slot;
    const Slot& from = op.kind == MicroKind::kRename ? op.names->from : slot;
    const bool is_synced = (op.to_synced || slot.dir == dir) && (op.from_synced || from.dir == dir);
    const bool is_needed = slots.contains(KeyOf(slot)) || slots.contains(KeyOf(from)) ||
                           emptied.contains(slot.dir) || emptied.contains(from.dir) ||
                           (op.kind == MicroKind::kAdd && inhabited.contains(op.inode));
    if (!is_synced && !is_needed) continue;
    made_safe[i] = true;
    slots.insert(KeyOf(slot));
    slots.insert(KeyOf(from));
    if (op.kind == MicroKind::kDel && At(op.inode).is_dir) emptied.insert(op.inode);
    if (!is_synced) inhabited.insert(slot.dir);
  }
  return made_safe;
}

uint64_t Disk::SyncDirSteps(std::string_view dir) const {
  const absl::StatusOr<InodeId> inode = FindDir(dir);
  if (!inode.ok()) return 0;
  const std::vector<bool> made_safe = MadeSafeBySyncDir(*inode);
  return static_cast<uint64_t>(std::count(made_safe.begin(), made_safe.end(), true));
}

absl::Status Disk::SyncDir(std::string_view dir, uint64_t step_limit) {
  ASSIGN_OR_RETURN(const InodeId inode, FindDir(dir));
  const std::vector<bool> made_safe = MadeSafeBySyncDir(inode);
  std::vector<MicroOp> rest;
  uint64_t steps = 0;
  for (size_t i = 0; i < pending_.size(); ++i) {
    MicroOp& op = pending_[i];
    if (made_safe[i] && steps < step_limit) {
      ++steps;
      MakeSafe(op);
      continue;
    }
    if (op.kind == MicroKind::kRename && step_limit == kAllSteps) {
      op.from_synced = op.from_synced || op.names->from.dir == inode;
      op.to_synced = op.to_synced || op.names->slot.dir == inode;
    }
    rest.push_back(std::move(op));
  }
  pending_ = std::move(rest);
  Collect();
  return absl::OkStatus();
}

}  // namespace kiban::sim
