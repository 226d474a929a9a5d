#include "engine/posix/posix_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/posix/descriptor.h"

namespace kiban::posix {

namespace {

constexpr mode_t kLockFileMode = 0644;

using FileId = std::pair<dev_t, ino_t>;

FileId IdOf(const struct stat& facts) { return {facts.st_dev, facts.st_ino}; }

// The lock files held by this process. flock(2) alone would do on a local disk, but over NFS it
// becomes a lock of the whole process: there a second flock() succeeds, and closing its descriptor
// frees the first. So a file found here is refused before it is opened.
struct Registry {
  std::mutex mutex;
  std::set<FileId> held;
};

Registry& HeldHere() {
  static Registry& registry =
      *new Registry;  // Never destroyed: a lock may be given up during exit.
  return registry;
}

class PosixLock final : public engine::FileLock {
 public:
  PosixLock(FileId id, Descriptor descriptor) : id_(id), descriptor_(std::move(descriptor)) {}
  ~PosixLock() override {
    Registry& registry = HeldHere();
    const std::lock_guard<std::mutex> guard(registry.mutex);
    CHECK(registry.held.erase(id_) == 1);
    static_cast<void>(descriptor_.Close());  // Releases the lock, whatever it says.
  }

 private:
  const FileId id_;
  Descriptor descriptor_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<engine::FileLock>> LockFile(const std::string& path) {
  Registry& registry = HeldHere();
  const std::lock_guard<std::mutex> guard(registry.mutex);
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) == 0 && registry.held.contains(IdOf(facts))) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": locked by this process"));
  }
  Descriptor descriptor(RetryOnEintr(
      [&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kLockFileMode); }));
  if (!descriptor.open()) return ErrnoStatus(errno, path);
  if (RetryOnEintr([&] { return ::flock(descriptor.get(), LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) return ErrnoStatus(errno, path);
    return absl::FailedPreconditionError(absl::StrCat(path, ": locked by another process"));
  }
  if (::fstat(descriptor.get(), &facts) != 0) return ErrnoStatus(errno, path);
  CHECK(registry.held.insert(IdOf(facts)).second);
  return std::make_unique<PosixLock>(IdOf(facts), std::move(descriptor));
}

}  // namespace kiban::posix
