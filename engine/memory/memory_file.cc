#include "engine/memory/memory_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"

namespace kiban::memory {

namespace {

class MemoryMapping final : public engine::Mapping {
 public:
  explicit MemoryMapping(std::shared_ptr<Inode> inode) : inode_(std::move(inode)) {
    ++inode_->mapping_count;
  }
  ~MemoryMapping() override { --inode_->mapping_count; }
  std::span<const std::byte> bytes() const override { return inode_->bytes; }

 private:
  std::shared_ptr<Inode> inode_;
};

class MemoryFile final : public engine::File {
 public:
  MemoryFile(std::string path, std::shared_ptr<Inode> inode, bool writable)
      : path_(std::move(path)), inode_(std::move(inode)), writable_(writable) {}

  absl::StatusOr<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) override {
    CHECK(inode_ != nullptr);
    const std::vector<std::byte>& bytes = inode_->bytes;
    if (offset >= bytes.size()) return size_t{0};
    const auto from = static_cast<size_t>(offset);
    const size_t count = std::min(out.size(), bytes.size() - from);
    std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(from), count, out.begin());
    return count;
  }

  absl::Status WriteAt(uint64_t offset, std::span<const std::byte> data) override {
    CheckWritable();
    if (data.empty()) return absl::OkStatus();
    if (offset > kFileBytesMax || data.size() > kFileBytesMax - offset) return NoSpace(offset);
    std::vector<std::byte>& bytes = inode_->bytes;
    if (bytes.size() < offset + data.size()) bytes.resize(offset + data.size());
    std::copy(data.begin(), data.end(), bytes.begin() + static_cast<ptrdiff_t>(offset));
    return absl::OkStatus();
  }

  absl::Status Append(std::span<const std::byte> data) override {
    CheckWritable();
    return WriteAt(inode_->bytes.size(), data);
  }

  absl::Status Sync(engine::SyncKind) override {
    CHECK(inode_ != nullptr);
    CHECK(writable_);
    return absl::OkStatus();
  }

  absl::Status Truncate(uint64_t size_bytes) override {
    CheckWritable();
    if (size_bytes > kFileBytesMax) return NoSpace(size_bytes);
    inode_->bytes.resize(static_cast<size_t>(size_bytes));
    return absl::OkStatus();
  }

  absl::Status Allocate(uint64_t size_bytes) override {
    CheckWritable();
    if (size_bytes <= inode_->bytes.size()) return absl::OkStatus();
    return Truncate(size_bytes);
  }

  absl::StatusOr<uint64_t> Size() const override {
    CHECK(inode_ != nullptr);
    return uint64_t{inode_->bytes.size()};
  }

  absl::StatusOr<std::unique_ptr<engine::Mapping>> Map() override {
    CHECK(inode_ != nullptr);
    return std::make_unique<MemoryMapping>(inode_);
  }

  absl::Status Close() override {
    CHECK(inode_ != nullptr);
    inode_.reset();
    return absl::OkStatus();
  }

 private:
  void CheckWritable() const {
    CHECK(inode_ != nullptr);
    CHECK(writable_);
    CHECK(inode_->mapping_count == 0);
  }

  absl::Status NoSpace(uint64_t offset) const {
    return absl::ResourceExhaustedError(
        absl::StrCat(path_, ": offset ", offset, ": larger than a file in memory may be"));
  }

  const std::string path_;
  std::shared_ptr<Inode> inode_;  // Null once closed.
  const bool writable_;
};

}  // namespace

std::unique_ptr<engine::File> OpenInode(std::string path, std::shared_ptr<Inode> inode,
                                        bool writable) {
  return std::make_unique<MemoryFile>(std::move(path), std::move(inode), writable);
}

}  // namespace kiban::memory
