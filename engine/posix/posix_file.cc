#include "engine/posix/posix_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <memory>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/posix/descriptor.h"

namespace kiban::posix {

namespace {

constexpr mode_t kFileMode = 0644;
constexpr uint64_t kOffsetMax = std::numeric_limits<off_t>::max();

constexpr size_t kPopulatedBytes = size_t{64} << 10;

// Gives the whole pages of `memory` frames all at once: copying into fresh memory would stop for
// each page anew. A hint: where the kernel cannot (before Linux 5.14), nothing is lost but time.
void Populate(std::span<std::byte> memory) {
  constexpr size_t kPageBytes = 4096;
  void* begin = memory.data();
  size_t bytes = memory.size();
  if (std::align(kPageBytes, kPageBytes, begin, bytes) == nullptr) return;
  static_cast<void>(::madvise(begin, bytes / kPageBytes * kPageBytes, MADV_POPULATE_WRITE));
}

class PosixMapping final : public engine::Mapping {
 public:
  explicit PosixMapping(std::span<const std::byte> bytes) : bytes_(bytes) {}
  PosixMapping(const PosixMapping&) = delete;
  PosixMapping& operator=(const PosixMapping&) = delete;
  ~PosixMapping() override {
    if (bytes_.empty()) return;
    CHECK(::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()) == 0);
  }
  std::span<const std::byte> bytes() const override { return bytes_; }

 private:
  const std::span<const std::byte> bytes_;
};

class PosixFile final : public engine::File {
 public:
  PosixFile(std::string path, Descriptor descriptor, bool writable)
      : path_(std::move(path)), descriptor_(std::move(descriptor)), writable_(writable) {}

  absl::StatusOr<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) override;
  absl::Status WriteAt(uint64_t offset, std::span<const std::byte> data) override;
  absl::Status Append(std::span<const std::byte> data) override;
  absl::Status Sync(engine::SyncKind kind) override;
  absl::Status Truncate(uint64_t size_bytes) override;
  absl::Status Allocate(uint64_t size_bytes) override;
  absl::StatusOr<uint64_t> Size() const override;
  absl::StatusOr<std::unique_ptr<engine::Mapping>> Map() override;
  absl::Status Close() override;

 private:
  void CheckWritable() const {
    CHECK(descriptor_.open());
    CHECK(writable_);
  }

  const std::string path_;
  Descriptor descriptor_;
  const bool writable_;
};

absl::StatusOr<size_t> PosixFile::ReadAt(uint64_t offset, std::span<std::byte> out) {
  CHECK(descriptor_.open());
  if (out.size() >= kPopulatedBytes) Populate(out);
  size_t done = 0;
  while (done < out.size()) {
    const uint64_t at = offset + done;
    if (at > kOffsetMax) break;  // No file reaches there; the kernel would call it invalid.
    const std::span<std::byte> rest = out.subspan(done);
    const ssize_t count = RetryOnEintr([&] {
      return ::pread(descriptor_.get(), rest.data(), rest.size(), static_cast<off_t>(at));
    });
    if (count < 0) return ErrnoStatus(errno, path_, at);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

absl::Status PosixFile::WriteAt(uint64_t offset, std::span<const std::byte> data) {
  CheckWritable();
  if (offset > kOffsetMax) return ErrnoStatus(EFBIG, path_, offset);
  size_t done = 0;
  while (done < data.size()) {
    const uint64_t at = offset + done;
    const std::span<const std::byte> rest = data.subspan(done);
    const ssize_t count = RetryOnEintr([&] {
      return ::pwrite(descriptor_.get(), rest.data(), rest.size(), static_cast<off_t>(at));
    });
    if (count < 0) return ErrnoStatus(errno, path_, at);
    if (count == 0) return ErrnoStatus(EIO, path_, at);  // Never seen, and not to be looped on.
    done += static_cast<size_t>(count);
  }
  return absl::OkStatus();
}

absl::Status PosixFile::Append(std::span<const std::byte> data) {
  ASSIGN_OR_RETURN(const uint64_t end, Size());
  return WriteAt(end, data);
}

absl::Status PosixFile::Sync(engine::SyncKind kind) {
  CheckWritable();
  const int fd = descriptor_.get();
  const int result = kind == engine::SyncKind::kData ? ::fdatasync(fd) : ::fsync(fd);
  return result == 0 ? absl::OkStatus() : ErrnoStatus(errno, path_);
}

absl::Status PosixFile::Truncate(uint64_t size_bytes) {
  CheckWritable();
  if (size_bytes > kOffsetMax) return ErrnoStatus(EFBIG, path_, size_bytes);
  const int result =
      RetryOnEintr([&] { return ::ftruncate(descriptor_.get(), static_cast<off_t>(size_bytes)); });
  return result == 0 ? absl::OkStatus() : ErrnoStatus(errno, path_, size_bytes);
}

absl::Status PosixFile::Allocate(uint64_t size_bytes) {
  CheckWritable();
  if (size_bytes == 0) return absl::OkStatus();
  if (size_bytes > kOffsetMax) return ErrnoStatus(EFBIG, path_, size_bytes);
  int error = EINTR;
  while (error == EINTR) {
    error = ::posix_fallocate(descriptor_.get(), 0, static_cast<off_t>(size_bytes));
  }
  return error == 0 ? absl::OkStatus() : ErrnoStatus(error, path_, size_bytes);
}

absl::StatusOr<uint64_t> PosixFile::Size() const {
  CHECK(descriptor_.open());
  struct stat facts = {};
  if (::fstat(descriptor_.get(), &facts) != 0) return ErrnoStatus(errno, path_);
  return static_cast<uint64_t>(facts.st_size);
}

absl::StatusOr<std::unique_ptr<engine::Mapping>> PosixFile::Map() {
  ASSIGN_OR_RETURN(const uint64_t size_bytes, Size());
  if (size_bytes == 0) return std::make_unique<PosixMapping>(std::span<const std::byte>());
  void* const start = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, descriptor_.get(), 0);
  if (start == MAP_FAILED) return ErrnoStatus(errno, path_);
  return std::make_unique<PosixMapping>(
      std::span<const std::byte>(static_cast<const std::byte*>(start), size_bytes));
}

absl::Status PosixFile::Close() {
  CHECK(descriptor_.open());
  const int error = descriptor_.Close();
  return error == 0 ? absl::OkStatus() : ErrnoStatus(error, path_);
}

int FlagsOf(engine::OpenMode mode) {
  switch (mode) {
    case engine::OpenMode::kRead:
      return O_RDONLY;
    case engine::OpenMode::kMustExist:
      return O_RDWR;
    case engine::OpenMode::kMustCreate:
      return O_RDWR | O_CREAT | O_EXCL;
    case engine::OpenMode::kTruncate:
      return O_RDWR | O_CREAT | O_TRUNC;
  }
  CHECK(false);
}

}  // namespace

absl::StatusOr<std::unique_ptr<engine::File>> OpenFile(std::string path, engine::OpenMode mode) {
  const int flags = FlagsOf(mode) | O_CLOEXEC;
  Descriptor descriptor(RetryOnEintr([&] { return ::open(path.c_str(), flags, kFileMode); }));
  if (!descriptor.open()) return ErrnoStatus(errno, path);
  struct stat facts = {};
  if (::fstat(descriptor.get(), &facts) != 0) return ErrnoStatus(errno, path);
  if (S_ISDIR(facts.st_mode)) return ErrnoStatus(EISDIR, path);  // Reading, open(2) lets it pass.
  return std::make_unique<PosixFile>(std::move(path), std::move(descriptor),
                                     mode != engine::OpenMode::kRead);
}

}  // namespace kiban::posix
