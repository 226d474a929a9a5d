#include "engine/memory/memory_env.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "engine/memory/memory_file.h"

namespace kiban::memory {

namespace {

constexpr size_t kNameBytesMax = 255;  // As on Linux.

absl::Status NotFound(std::string_view path) {
  return absl::NotFoundError(absl::StrCat(base::ToAbsl(path), ": no such file or directory"));
}

absl::Status AlreadyExists(std::string_view path) {
  return absl::AlreadyExistsError(absl::StrCat(base::ToAbsl(path), ": exists"));
}

absl::Status Refused(std::string_view path, std::string_view why) {
  return absl::FailedPreconditionError(absl::StrCat(base::ToAbsl(path), ": ", base::ToAbsl(why)));
}

absl::Status Invalid(std::string_view path, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(base::ToAbsl(path), ": ", base::ToAbsl(why)));
}

absl::StatusOr<std::vector<std::string_view>> Split(std::string_view path) {
  std::vector<std::string_view> names;
  for (std::string_view rest = path; !rest.empty();) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view name = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (name.empty()) continue;
    if (name.size() > kNameBytesMax) return Invalid(path, "name too long");
    if (name.find('\0') != name.npos) return Invalid(path, "name holds a zero byte");
    if (name == "." || name == "..") return Invalid(path, "not a plain path");
    names.push_back(name);
  }
  return names;
}

class MemoryLock final : public engine::FileLock {
 public:
  explicit MemoryLock(std::shared_ptr<Inode> inode) : inode_(std::move(inode)) {
    CHECK(!inode_->locked);
    inode_->locked = true;
  }
  ~MemoryLock() override { inode_->locked = false; }

 private:
  std::shared_ptr<Inode> inode_;
};

// Whether the directory `from` is `to` or lies above it. The tree is walked without recursion.
bool Holds(const Inode& from, const Inode& to) {
  std::vector<const Inode*> open = {&from};
  while (!open.empty()) {
    const Inode* const inode = open.back();
    open.pop_back();
    if (inode == &to) return true;
    for (const auto& [name, child] : inode->entries) open.push_back(child.get());
  }
  return false;
}

}  // namespace

class CountingClock final : public engine::Clock {
 public:
  base::Ticks MonotonicNow() override { return ++now_; }
  base::Ticks WallNow() override { return kWallStart + ++now_; }

 private:
  static constexpr base::Ticks kWallStart = 1'000'000'000'000'000;  // September 2001.
  base::Ticks now_ = 0;
};

class FixedRandom final : public engine::Random {
 public:
  uint64_t Next() override { return base::Mix64(state_ += 0x9e3779b97f4a7c15); }

 private:
  uint64_t state_ = 0;
};

class MemoryFileSystem final : public engine::FileSystem {
 public:
  MemoryFileSystem() { root_->is_dir = true; }

  absl::StatusOr<std::unique_ptr<engine::File>> Open(std::string_view path,
                                                     engine::OpenMode mode) override {
    ASSIGN_OR_RETURN(const Slot slot, Find(path));
    std::shared_ptr<Inode> inode = slot.inode;
    if (inode != nullptr && mode == engine::OpenMode::kMustCreate) return AlreadyExists(path);
    if (inode != nullptr && inode->is_dir) return Refused(path, "is a directory");
    if (inode == nullptr) {
      if (mode == engine::OpenMode::kRead || mode == engine::OpenMode::kMustExist) {
        return NotFound(path);
      }
      inode = std::make_shared<Inode>();
      slot.parent->entries.emplace(slot.name, inode);
    }
    auto file = OpenInode(std::string(path), inode, mode != engine::OpenMode::kRead);
    if (mode == engine::OpenMode::kTruncate) RETURN_IF_ERROR(file->Truncate(0));
    return file;
  }

  absl::Status Rename(std::string_view from, std::string_view to) override {
    ASSIGN_OR_RETURN(const Slot source, Find(from));
    ASSIGN_OR_RETURN(const Slot target, Find(to));
    if (source.inode == nullptr) return NotFound(from);
    if (source.parent == nullptr) return Refused(from, "is the root");
    if (target.parent == nullptr) return Refused(to, "is the root");
    if (source.inode == target.inode) return absl::OkStatus();  // Two names of one file: POSIX.
    if (source.inode->is_dir && Holds(*source.inode, *target.parent)) {
      return Invalid(to, "lies inside what is to be moved");
    }
    if (target.inode != nullptr) RETURN_IF_ERROR(MayReplace(to, *source.inode, *target.inode));
    target.parent->entries.insert_or_assign(target.name, source.inode);
    source.parent->entries.erase(source.name);
    return absl::OkStatus();
  }

  absl::Status Link(std::string_view from, std::string_view to) override {
    ASSIGN_OR_RETURN(const Slot source, Find(from));
    ASSIGN_OR_RETURN(const Slot target, Find(to));
    if (source.inode == nullptr) return NotFound(from);
    if (target.inode != nullptr) return AlreadyExists(to);
    if (source.inode->is_dir) return Refused(from, "is a directory");
    target.parent->entries.emplace(target.name, source.inode);
    return absl::OkStatus();
  }

  absl::Status Remove(std::string_view path) override {
    ASSIGN_OR_RETURN(const Slot slot, Find(path));
    if (slot.inode == nullptr) return NotFound(path);
    if (slot.inode->is_dir) return Refused(path, "is a directory");
    slot.parent->entries.erase(slot.name);
    return absl::OkStatus();
  }

  absl::Status MakeDir(std::string_view path) override {
    ASSIGN_OR_RETURN(const Slot slot, Find(path));
    if (slot.inode != nullptr) return AlreadyExists(path);
    auto inode = std::make_shared<Inode>();
    inode->is_dir = true;
    slot.parent->entries.emplace(slot.name, std::move(inode));
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<std::string>> List(std::string_view dir) override {
    ASSIGN_OR_RETURN(const std::shared_ptr<Inode> inode, FindDir(dir));
    std::vector<std::string> names;
    for (const auto& [name, child] : inode->entries) names.push_back(name);
    return names;
  }

  absl::Status SyncDir(std::string_view dir) override { return FindDir(dir).status(); }

  absl::StatusOr<std::unique_ptr<engine::FileLock>> Lock(std::string_view path) override {
    ASSIGN_OR_RETURN(const Slot slot, Find(path));
    std::shared_ptr<Inode> inode = slot.inode;
    if (inode == nullptr) {
      inode = std::make_shared<Inode>();
      slot.parent->entries.emplace(slot.name, inode);
    }
    if (inode->is_dir) return Refused(path, "is a directory");
    if (inode->locked) return Refused(path, "locked");
    return std::make_unique<MemoryLock>(std::move(inode));
  }

  void CopyTo(MemoryFileSystem& to) const {
    CHECK(&to != this);
    std::map<const Inode*, std::shared_ptr<Inode>>
        copies;  // For look-up only: files with two names.
    std::vector<std::pair<const Inode*, Inode*>> open;
    to.root_ = std::make_shared<Inode>();
    to.root_->is_dir = true;
    open.emplace_back(root_.get(), to.root_.get());
    while (!open.empty()) {
      const auto [source, target] = open.back();
      open.pop_back();
      for (const auto& [name, child] : source->entries) {
        std::shared_ptr<Inode>& copy = copies[child.get()];
        if (copy == nullptr) {
          copy = std::make_shared<Inode>();
          copy->is_dir = child->is_dir;
          copy->bytes = child->bytes;
          open.emplace_back(child.get(), copy.get());
        }
        target->entries.emplace(name, copy);
      }
    }
  }

 private:
  // Where a path leads. `inode` is null if its last name is not there; `parent` only for the root.
  struct Slot {
    std::shared_ptr<Inode> parent;
    std::string name;
    std::shared_ptr<Inode> inode;
  };

  absl::StatusOr<Slot> Find(std::string_view path) const {
    ASSIGN_OR_RETURN(const std::vector<std::string_view> names, Split(path));
    Slot slot{.parent = nullptr, .name = "", .inode = root_};
    for (const std::string_view name : names) {
      if (slot.inode == nullptr) return NotFound(path);
      if (!slot.inode->is_dir) return Refused(path, "goes through what is not a directory");
      slot.parent = std::move(slot.inode);
      slot.name = name;
      const auto entry = slot.parent->entries.find(name);
      slot.inode = entry == slot.parent->entries.end() ? nullptr : entry->second;
    }
    return slot;
  }

  absl::StatusOr<std::shared_ptr<Inode>> FindDir(std::string_view path) const {
    ASSIGN_OR_RETURN(Slot slot, Find(path));
    if (slot.inode == nullptr) return NotFound(path);
    if (!slot.inode->is_dir) return Refused(path, "is not a directory");
    return std::move(slot.inode);
  }

  static absl::Status MayReplace(std::string_view path, const Inode& source, const Inode& target) {
    if (target.is_dir && !source.is_dir) return Refused(path, "is a directory");
    if (!target.is_dir && source.is_dir) return Refused(path, "is not a directory");
    if (!target.entries.empty()) return Refused(path, "is not empty");
    return absl::OkStatus();
  }

  std::shared_ptr<Inode> root_ = std::make_shared<Inode>();
};

MemoryEnv::MemoryEnv()
    : files_(std::make_unique<MemoryFileSystem>()),
      clock_(std::make_unique<CountingClock>()),
      random_(std::make_unique<FixedRandom>()) {}

MemoryEnv::~MemoryEnv() = default;

engine::Env MemoryEnv::env() {
  return {.files = files_.get(), .clock = clock_.get(), .tasks = nullptr, .random = random_.get()};
}

void MemoryEnv::CopyFilesTo(MemoryEnv& to) const { files_->CopyTo(*to.files_); }

}  // namespace kiban::memory
