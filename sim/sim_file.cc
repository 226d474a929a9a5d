#include "sim/sim_file.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace kiban::sim {
namespace {

constexpr auto kNoSteps = [] { return uint64_t{0}; };

constexpr uint64_t kFileBytesMax = uint64_t{1} << 44;  // As on ext4 with blocks of 4 KiB.

class CopiedMapping final : public engine::Mapping {
 public:
  explicit CopiedMapping(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  std::span<const std::byte> bytes() const override { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// What a call was about beside its file, for people.
std::string DetailOf(CallKind kind, uint64_t first, uint64_t bytes) {
  switch (kind) {
    case CallKind::kRead:
    case CallKind::kWrite:
      return absl::StrCat(bytes, " bytes at ", first);
    case CallKind::kTruncate:
    case CallKind::kAllocate:
      return absl::StrCat("to ", first, " bytes");
    case CallKind::kSize:
    case CallKind::kMap:
      return absl::StrCat(first, " bytes");
    default:
      return "";
  }
}

}  // namespace

class SimFile::Changing {
 public:
  explicit Changing(SimFile& file) : file_(file) {
    CHECK(!file_.changing_);
    file_.changing_ = true;
  }
  ~Changing() { file_.changing_ = false; }
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;

 private:
  SimFile& file_;
};

SimFile::SimFile(Machine& machine, InodeId inode, std::string path, bool writable)
    : machine_(machine),
      inode_(inode),
      path_(std::move(path)),
      key_(machine.disk.label(inode).Key()),
      boot_(machine.boot),
      writable_(writable) {
  machine_.disk.Pin(inode_);
}

SimFile::~SimFile() {
  if (Mine()) machine_.disk.Unpin(inode_);
}

absl::Status SimFile::Finish(CallKind kind, uint64_t first, uint64_t second, absl::Status status,
                             uint64_t bytes) const {
  const auto describe = [&] {
    return CallText{.path = path_,
                    .detail = DetailOf(kind, first, bytes),
                    .label = machine_.disk.label(inode_).Text()};
  };
  return machine_.EndCall({kind, key_, first, second, describe}, std::move(status));
}

absl::Status SimFile::CheckSize(uint64_t offset, uint64_t bytes) const {
  if (offset <= kFileBytesMax && bytes <= kFileBytesMax - offset) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(path_, ": offset ", offset, ": larger than a file may be"));
}

absl::StatusOr<size_t> SimFile::ReadAt(uint64_t offset, std::span<std::byte> out) {
  CHECK(!closed_);
  if (!machine_.BeginCall(CallKind::kRead, kNoSteps).happens) return Machine::GoingDown();
  const size_t count = machine_.disk.ReadAt(inode_, offset, out);
  const uint64_t hash = machine_.trace.HashOf(base::AsText(out.first(count)), out.size());
  const absl::Status status = Finish(CallKind::kRead, offset, hash, absl::OkStatus(), count);
  if (!status.ok()) return status;
  return count;
}

absl::Status SimFile::Write(uint64_t offset, std::span<const std::byte> data) {
  CHECK(writable_ && !closed_);
  const Changing changing(*this);
  const auto steps = [&] { return machine_.disk.WriteSteps(inode_, offset, data.size()); };
  const Machine::CallFate fate = machine_.BeginCall(CallKind::kWrite, steps);
  if (!fate.happens) return Machine::GoingDown();
  absl::Status status = CheckSize(offset, data.size());
  if (status.ok()) machine_.disk.WriteAt(inode_, offset, data, fate.step_limit);
  return Finish(CallKind::kWrite, offset, machine_.trace.HashOf(base::AsText(data), data.size()),
                std::move(status), data.size());
}

absl::Status SimFile::WriteAt(uint64_t offset, std::span<const std::byte> data) {
  return Write(offset, data);
}

absl::Status SimFile::Append(std::span<const std::byte> data) {
  return Write(Mine() ? machine_.disk.Size(inode_) : 0, data);
}

bool SimFile::SyncLeftOut() const {
  const std::string& kind = machine_.disk.label(inode_).kind;
  const Striker& striker = machine_.striker;
  if (kind == "wal") {
    return striker.Planted(Plant::kNoWalSync) ||
           (striker.Planted(Plant::kNoOldLogSync) && machine_.innermost_span() == "switch.T1");
  }
  if (kind == "sst") return striker.Planted(Plant::kNoTableSync);
  return kind == "MANIFEST.tmp" && striker.Planted(Plant::kManifestSyncLate);
}

// ext4 with ordered data (fault model, section 4): the pages whose write failed are clean with new
// bytes in memory and old ones on disk; everything else of the file is safe; the error is told
// once.
absl::Status SimFile::FailSync(SyncError& error) {
  const bool drawn = !error.ghost_pages.has_value();
  std::vector<uint64_t> ghosts = drawn ? std::vector<uint64_t>{} : *error.ghost_pages;
  Rng dice = machine_.rng.Stream("ghosts").Fork(machine_.luck(), key_);
  const bool all = dice.Chance(1, 2);
  machine_.disk.FailSync(inode_, [&](uint64_t page) {
    if (!drawn) {
      for (const uint64_t ghost : ghosts) {
        if (ghost == page) return true;
      }
      return false;
    }
    Rng page_dice = dice.Fork(page);
    if (!all && !page_dice.Chance(1, 2)) return false;
    ghosts.push_back(page);
    return true;
  });
  error.ghost_pages = std::move(ghosts);
  machine_.Decided(error);
  return absl::UnavailableError(absl::StrCat(path_, ": the device failed a sync"));
}

absl::Status SimFile::Sync(engine::SyncKind sync_kind) {
  CHECK(writable_ && !closed_);
  const Changing changing(*this);
  const auto steps = [&] { return machine_.disk.SyncSteps(inode_); };
  const Machine::CallFate fate = machine_.BeginCall(CallKind::kSync, steps);
  if (!fate.happens) return Machine::GoingDown();
  absl::Status status;
  if (fate.error != nullptr) {
    status = FailSync(*fate.error);
    if (machine_.striker.Planted(Plant::kSyncErrorIgnored)) status = absl::OkStatus();
  } else if (!SyncLeftOut()) {
    machine_.disk.Sync(inode_, fate.step_limit);
  }
  return Finish(CallKind::kSync, static_cast<uint64_t>(sync_kind), 0, std::move(status));
}

absl::Status SimFile::Resize(CallKind kind, uint64_t size_bytes) {
  CHECK(writable_ && !closed_);
  const Changing changing(*this);
  if (!machine_.BeginCall(kind, kNoSteps).happens) return Machine::GoingDown();
  absl::Status status = CheckSize(size_bytes, 0);
  if (!status.ok()) return Finish(kind, size_bytes, 0, std::move(status));
  if (kind == CallKind::kTruncate) {
    machine_.disk.Truncate(inode_, size_bytes);
  } else {
    machine_.disk.Allocate(inode_, size_bytes);
  }
  return Finish(kind, size_bytes, 0, absl::OkStatus());
}

absl::Status SimFile::Truncate(uint64_t size_bytes) {
  return Resize(CallKind::kTruncate, size_bytes);
}

absl::Status SimFile::Allocate(uint64_t size_bytes) {
  return Resize(CallKind::kAllocate, size_bytes);
}

absl::StatusOr<uint64_t> SimFile::Size() const {
  CHECK(!closed_);
  if (!machine_.BeginCall(CallKind::kSize, kNoSteps).happens) return Machine::GoingDown();
  const uint64_t size_bytes = machine_.disk.Size(inode_);
  const absl::Status status = Finish(CallKind::kSize, size_bytes, 0, absl::OkStatus());
  if (!status.ok()) return status;
  return size_bytes;
}

absl::StatusOr<std::unique_ptr<engine::Mapping>> SimFile::Map() {
  CHECK(!closed_);
  if (!machine_.BeginCall(CallKind::kMap, kNoSteps).happens) return Machine::GoingDown();
  std::vector<std::byte> bytes(machine_.disk.Size(inode_));
  machine_.disk.ReadAt(inode_, 0, bytes);
  const uint64_t hash = machine_.trace.HashOf(base::AsText(bytes), bytes.size());
  const absl::Status status = Finish(CallKind::kMap, bytes.size(), hash, absl::OkStatus());
  if (!status.ok()) return status;
  return std::make_unique<CopiedMapping>(std::move(bytes));
}

absl::Status SimFile::Close() {
  CHECK(!std::exchange(closed_, true));
  const Changing changing(*this);
  if (!machine_.BeginCall(CallKind::kClose, kNoSteps).happens) return Machine::GoingDown();
  return Finish(CallKind::kClose, 0, 0, absl::OkStatus());
}

}  // namespace kiban::sim
