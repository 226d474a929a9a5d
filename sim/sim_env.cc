#include "sim/sim_env.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "sim/sim_file.h"

namespace kiban::sim {
namespace {

using base::ToAbsl;
using engine::OpenMode;

constexpr auto kNoSteps = [] { return uint64_t{0}; };

std::string_view ParentOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

absl::Status IsADirectory(std::string_view path) {
  return absl::FailedPreconditionError(absl::StrCat(ToAbsl(path), ": it is a directory"));
}

class SimLock final : public engine::FileLock {
 public:
  SimLock(Machine& machine, InodeId inode) : machine_(machine), inode_(inode), boot_(machine.boot) {
    machine_.disk.Pin(inode_);
  }
  ~SimLock() override {
    if (boot_ != machine_.boot || machine_.dead) return;
    machine_.locks.erase(inode_);
    machine_.disk.Unpin(inode_);
  }

 private:
  Machine& machine_;
  InodeId inode_;
  uint32_t boot_;  // The lock of a process that is gone is nobody's.
};

}  // namespace

absl::Status SimFileSystem::NameCall(
    CallKind kind, std::string_view path, std::string_view other,
    absl::FunctionRef<absl::Status(uint64_t&, std::string&)> work) {
  if (!machine_.BeginCall(kind, kNoSteps).happens) return Machine::GoingDown();
  uint64_t detail = 0;
  std::string said = other.empty() ? "" : absl::StrCat("-> ", ToAbsl(other));
  absl::Status status = work(detail, said);
  const auto describe = [&] {
    return CallText{.path = std::string(path), .detail = std::move(said)};
  };
  const Machine::CallRecord record{kind, base::Hash64(path), base::Hash64(other), detail, describe};
  return machine_.EndCall(record, std::move(status));
}

absl::StatusOr<InodeId> SimFileSystem::OpenInode(std::string_view path, OpenMode mode) {
  absl::StatusOr<InodeId> inode = machine_.disk.Lookup(path);
  if (inode.ok() && mode != OpenMode::kMustCreate && machine_.disk.IsDirectory(*inode)) {
    return IsADirectory(path);
  }
  switch (mode) {
    case OpenMode::kRead:
    case OpenMode::kMustExist:
      return inode;
    case OpenMode::kMustCreate:
      break;
    case OpenMode::kTruncate:
      if (!inode.ok()) break;
      machine_.disk.Truncate(*inode, 0);
      return inode;
  }
  return machine_.disk.Create(path, machine_.NewLabel(path));
}

absl::StatusOr<std::unique_ptr<engine::File>> SimFileSystem::Open(std::string_view path,
                                                                  OpenMode mode) {
  std::unique_ptr<engine::File> file;
  RETURN_IF_ERROR(
      NameCall(CallKind::kOpen, path, {}, [&](uint64_t& detail, std::string&) -> absl::Status {
        detail = static_cast<uint64_t>(mode);
        ASSIGN_OR_RETURN(const InodeId inode, OpenInode(path, mode));
        file =
            std::make_unique<SimFile>(machine_, inode, std::string(path), mode != OpenMode::kRead);
        return absl::OkStatus();
      }));
  return file;
}

absl::Status SimFileSystem::Rename(std::string_view from, std::string_view to) {
  return NameCall(CallKind::kRename, from, to, [&](uint64_t&, std::string&) {
    absl::Status status = machine_.disk.Rename(from, to);
    if (status.ok() && machine_.striker.Planted(Plant::kManifestSyncLate) &&
        KindOfName(from) == "MANIFEST.tmp") {
      machine_.late_sync = *machine_.disk.Lookup(to);
    }
    return status;
  });
}

absl::Status SimFileSystem::Link(std::string_view from, std::string_view to) {
  return NameCall(CallKind::kLink, from, to,
                  [&](uint64_t&, std::string&) { return machine_.disk.Link(from, to); });
}

absl::Status SimFileSystem::Remove(std::string_view path) {
  return NameCall(CallKind::kRemove, path, {}, [&](uint64_t&, std::string&) -> absl::Status {
    ASSIGN_OR_RETURN(const InodeId inode, machine_.disk.Lookup(path));
    if (machine_.disk.IsDirectory(inode)) return IsADirectory(path);
    return machine_.disk.Remove(path);
  });
}

absl::Status SimFileSystem::MakeDir(std::string_view path) {
  return NameCall(CallKind::kMakeDir, path, {}, [&](uint64_t&, std::string&) {
    return machine_.disk.MakeDir(path, machine_.NewLabel(path));
  });
}

absl::StatusOr<std::vector<std::string>> SimFileSystem::List(std::string_view dir) {
  std::vector<std::string> names;
  RETURN_IF_ERROR(
      NameCall(CallKind::kList, dir, {}, [&](uint64_t& detail, std::string& said) -> absl::Status {
        ASSIGN_OR_RETURN(names, machine_.disk.List(dir));
        for (const std::string& name : names) detail = base::Hash64(name, detail);
        if (machine_.teller().listened_to()) said = absl::StrJoin(names, " ");
        return absl::OkStatus();
      }));
  return names;
}

absl::Status SimFileSystem::SyncDir(std::string_view dir) {
  const Striker& striker = machine_.striker;
  const bool to_parent = striker.Planted(Plant::kSyncParentDirectory) && !dir.empty();
  const std::string_view target = to_parent ? ParentOf(dir) : dir;
  const auto steps = [&] { return machine_.disk.SyncDirSteps(target); };
  const Machine::CallFate fate = machine_.BeginCall(CallKind::kSyncDir, steps);
  if (!fate.happens) return Machine::GoingDown();
  absl::Status status;
  if (fate.error != nullptr) {
    // What was owed stays owed, and in doubt.
    fate.error->ghost_pages.emplace();
    machine_.Decided(*fate.error);
    if (!striker.Planted(Plant::kSyncErrorIgnored)) {
      status = absl::UnavailableError(absl::StrCat(ToAbsl(dir), ": the device failed a sync"));
    }
  } else if (!striker.Planted(Plant::kNoDirectorySync)) {
    status = machine_.disk.SyncDir(target, fate.step_limit);
  }
  const auto describe = [&] { return CallText{.path = std::string(dir)}; };
  return machine_.EndCall({CallKind::kSyncDir, base::Hash64(dir), 0, 0, describe},
                          std::move(status));
}

absl::StatusOr<std::unique_ptr<engine::FileLock>> SimFileSystem::Lock(std::string_view path) {
  InodeId locked = 0;
  RETURN_IF_ERROR(NameCall(CallKind::kLock, path, {}, [&](uint64_t&, std::string&) -> absl::Status {
    absl::StatusOr<InodeId> inode = machine_.disk.Lookup(path);
    if (!inode.ok()) inode = machine_.disk.Create(path, machine_.NewLabel(path));
    RETURN_IF_ERROR(inode.status());
    if (machine_.disk.IsDirectory(*inode)) return IsADirectory(path);
    locked = *inode;
    if (machine_.locks.insert(locked).second) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat(ToAbsl(path), ": somebody holds the lock"));
  }));
  return std::make_unique<SimLock>(machine_, locked);
}

base::Ticks SimClock::MonotonicNow() {
  if (!machine_.BeginCall(CallKind::kClock, kNoSteps).happens) return machine_.now;
  const auto describe = [] { return CallText{.detail = "monotonic"}; };
  static_cast<void>(
      machine_.EndCall({CallKind::kClock, 0, machine_.now, 0, describe}, absl::OkStatus()));
  return machine_.now;
}

// An offset apart from monotonic time: nobody may take the one for the other.
base::Ticks SimClock::WallNow() {
  constexpr base::Ticks kEpoch = 1'600'000'000'000'000;
  return kEpoch + MonotonicNow();
}

uint64_t SimRandom::Next() {
  if (!machine_.BeginCall(CallKind::kRandom, kNoSteps).happens) return 0;
  const uint64_t drawn = machine_.DiceHere("engine").Next();
  const auto describe = [] { return CallText{}; };
  static_cast<void>(machine_.EndCall({CallKind::kRandom, 0, drawn, 0, describe}, absl::OkStatus()));
  return drawn;
}

}  // namespace kiban::sim
