// A file system that lets calls through to another one until it is told to fail: for tests.
//
// Any tasks, if it is given `tasks`. It then passes no sync on: over real files, where no power is
// cut, that would be all that a test waits for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "engine/base/sync.h"
#include "engine/env.h"

namespace kiban::lsm {

enum class CallKind {
  kRead,
  kOpenToRead,
  kCreate,
  kWrite,
  kSync,
  kRename,
  kRemove,
  kMakeDir,
  kSyncDir
};

struct FaultPlan {
  enum class Reach {
    kOnce,     // One call fails, those behind it work.
    kForever,  // As if the process had died in that call.
  };
  enum class Effect { kNone, kAll };  // What the failing call does all the same.

  bool reads = false;    // Which calls are counted: those that read or those that change something.
  uint64_t fail_at = 0;  // The number of the call that fails, from 1; 0: none.
  Reach reach = Reach::kOnce;
  Effect effect = Effect::kNone;
  std::string suffix;  // Only calls on paths that end like this are counted.
};

class FaultyFiles final : public engine::FileSystem {
 public:
  explicit FaultyFiles(engine::FileSystem& inner, engine::Tasks* tasks = nullptr)
      : inner_(inner), passes_syncs_(tasks == nullptr), mutex_(tasks, "faulty_files") {}

  bool passes_syncs() const { return passes_syncs_; }
  // Counts from anew; before, nothing is counted and nobody waits for anybody.
  void Arm(const FaultPlan& plan) {
    const base::MutexLock lock(mutex_);
    plan_ = plan;
    calls_ = 0;
    has_failed_ = false;
    is_armed_.Store(true);
  }
  // While no call is in flight.
  bool has_failed() const { return has_failed_; }
  uint64_t calls() const { return calls_; }
  CallKind failed_kind() const { return failed_kind_; }
  const std::string& failed_path() const { return failed_path_; }

  absl::StatusOr<std::unique_ptr<engine::File>> Open(std::string_view path,
                                                     engine::OpenMode mode) override;
  absl::Status Rename(std::string_view from, std::string_view to) override {
    return Change(CallKind::kRename, from, [&] { return inner_.Rename(from, to); });
  }
  absl::Status Link(std::string_view from, std::string_view to) override {
    return inner_.Link(from, to);
  }
  absl::Status Remove(std::string_view path) override {
    return Change(CallKind::kRemove, path, [&] { return inner_.Remove(path); });
  }
  absl::Status MakeDir(std::string_view path) override {
    return Change(CallKind::kMakeDir, path, [&] { return inner_.MakeDir(path); });
  }
  absl::StatusOr<std::vector<std::string>> List(std::string_view dir) override {
    if (FailsNow(CallKind::kRead, dir)) return Error(dir);
    return inner_.List(dir);
  }
  absl::Status SyncDir(std::string_view dir) override {
    return Change(CallKind::kSyncDir, dir,
                  [&] { return passes_syncs_ ? inner_.SyncDir(dir) : absl::OkStatus(); });
  }
  absl::StatusOr<std::unique_ptr<engine::FileLock>> Lock(std::string_view path) override {
    return inner_.Lock(path);
  }

  enum class Fate { kWorks, kFails, kFailsWithEffect };

  Fate FateOf(CallKind kind, std::string_view path) {
    if (!is_armed_.Load()) return Fate::kWorks;
    const base::MutexLock lock(mutex_);
    const bool is_read = kind == CallKind::kRead || kind == CallKind::kOpenToRead;
    if (is_read != plan_.reads || !path.ends_with(plan_.suffix)) return Fate::kWorks;
    ++calls_;
    const bool is_dead = plan_.reach == FaultPlan::Reach::kForever && calls_ > plan_.fail_at;
    if (plan_.fail_at == 0 || (calls_ != plan_.fail_at && !is_dead)) return Fate::kWorks;
    if (!has_failed_) {
      failed_kind_ = kind;
      failed_path_ = path;
    }
    has_failed_ = true;
    // A dead process changes nothing any more.
    const bool has_effect = plan_.effect == FaultPlan::Effect::kAll && calls_ == plan_.fail_at;
    return has_effect ? Fate::kFailsWithEffect : Fate::kFails;
  }
  bool FailsNow(CallKind kind, std::string_view path) { return FateOf(kind, path) != Fate::kWorks; }
  absl::Status Error(std::string_view path) const {
    return absl::UnavailableError(absl::StrCat(base::ToAbsl(path), ": injected"));
  }
  absl::Status Change(CallKind kind, std::string_view path,
                      const std::function<absl::Status()>& call) {
    const Fate fate = FateOf(kind, path);
    if (fate == Fate::kWorks) return call();
    if (fate == Fate::kFailsWithEffect) (void)call();
    return Error(path);
  }

 private:
  engine::FileSystem& inner_;
  const bool passes_syncs_;
  base::Atomic<bool> is_armed_{false};
  base::Mutex mutex_;  // Guards what follows.
  FaultPlan plan_;
  uint64_t calls_ = 0;
  bool has_failed_ = false;
  CallKind failed_kind_ = CallKind::kRead;
  std::string failed_path_;
};

class FaultyFile final : public engine::File {
 public:
  FaultyFile(FaultyFiles& files, std::string path, std::unique_ptr<engine::File> inner)
      : files_(files), path_(std::move(path)), inner_(std::move(inner)) {}

  absl::StatusOr<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) override {
    if (files_.FailsNow(CallKind::kRead, path_)) return files_.Error(path_);
    return inner_->ReadAt(offset, out);
  }
  absl::Status WriteAt(uint64_t offset, std::span<const std::byte> data) override {
    return files_.Change(CallKind::kWrite, path_, [&] { return inner_->WriteAt(offset, data); });
  }
  absl::Status Append(std::span<const std::byte> data) override {
    return files_.Change(CallKind::kWrite, path_, [&] { return inner_->Append(data); });
  }
  absl::Status Sync(engine::SyncKind kind) override {
    return files_.Change(CallKind::kSync, path_, [&] {
      return files_.passes_syncs() ? inner_->Sync(kind) : absl::OkStatus();
    });
  }
  absl::Status Truncate(uint64_t size_bytes) override { return inner_->Truncate(size_bytes); }
  absl::Status Allocate(uint64_t size_bytes) override { return inner_->Allocate(size_bytes); }
  absl::StatusOr<uint64_t> Size() const override { return inner_->Size(); }
  absl::StatusOr<std::unique_ptr<engine::Mapping>> Map() override { return inner_->Map(); }
  absl::Status Close() override { return inner_->Close(); }

 private:
  FaultyFiles& files_;
  const std::string path_;
  std::unique_ptr<engine::File> inner_;
};

inline absl::StatusOr<std::unique_ptr<engine::File>> FaultyFiles::Open(std::string_view path,
                                                                       engine::OpenMode mode) {
  const bool is_read = mode == engine::OpenMode::kRead;
  const Fate fate = FateOf(is_read ? CallKind::kOpenToRead : CallKind::kCreate, path);
  if (fate == Fate::kFailsWithEffect) (void)inner_.Open(path, mode);
  if (fate != Fate::kWorks) return Error(path);
  ASSIGN_OR_RETURN(std::unique_ptr<engine::File> file, inner_.Open(path, mode));
  return std::make_unique<FaultyFile>(*this, std::string(path), std::move(file));
}

}  // namespace kiban::lsm
