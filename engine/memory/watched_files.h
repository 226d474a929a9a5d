// A file system that counts the calls made to another one, and lets one of them fail: for tests
// that ask how often the seam is called and what becomes of an error.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/env.h"

namespace kiban::memory {

// What is known and wanted of the calls to files; calls on names are only passed on.
struct Watch {
  uint64_t reads = 0;
  uint64_t appends = 0;
  uint64_t syncs = 0;
  uint64_t read_bytes = 0;
  uint64_t fail_read = 0;  // The n-th from 1 on fails; 0 never.
  uint64_t fail_append = 0;
  uint64_t fail_sync = 0;
  bool short_reads = false;  // Every read of two bytes or more returns one too few.
};

class WatchedFile final : public engine::File {
 public:
  WatchedFile(std::unique_ptr<engine::File> file, Watch& watch)
      : file_(std::move(file)), watch_(watch) {}

  absl::StatusOr<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) override {
    if (++watch_.reads == watch_.fail_read) return absl::UnavailableError("the device failed");
    if (watch_.short_reads && out.size() > 1) out = out.first(out.size() - 1);
    watch_.read_bytes += out.size();
    return file_->ReadAt(offset, out);
  }
  absl::Status WriteAt(uint64_t offset, std::span<const std::byte> data) override {
    return file_->WriteAt(offset, data);
  }
  absl::Status Append(std::span<const std::byte> data) override {
    if (++watch_.appends == watch_.fail_append) return absl::ResourceExhaustedError("no space");
    return file_->Append(data);
  }
  absl::Status Sync(engine::SyncKind kind) override {
    if (++watch_.syncs == watch_.fail_sync) return absl::UnavailableError("the device failed");
    return file_->Sync(kind);
  }
  absl::Status Truncate(uint64_t size_bytes) override { return file_->Truncate(size_bytes); }
  absl::Status Allocate(uint64_t size_bytes) override { return file_->Allocate(size_bytes); }
  absl::StatusOr<uint64_t> Size() const override { return file_->Size(); }
  absl::StatusOr<std::unique_ptr<engine::Mapping>> Map() override { return file_->Map(); }
  absl::Status Close() override { return file_->Close(); }

 private:
  std::unique_ptr<engine::File> file_;
  Watch& watch_;
};

class WatchedFiles final : public engine::FileSystem {
 public:
  explicit WatchedFiles(engine::FileSystem& files) : files_(files) {}
  Watch watch;

  absl::StatusOr<std::unique_ptr<engine::File>> Open(std::string_view path,
                                                     engine::OpenMode mode) override {
    absl::StatusOr<std::unique_ptr<engine::File>> file = files_.Open(path, mode);
    if (!file.ok()) return file.status();
    return std::make_unique<WatchedFile>(*std::move(file), watch);
  }
  absl::Status Rename(std::string_view from, std::string_view to) override {
    return files_.Rename(from, to);
  }
  absl::Status Link(std::string_view from, std::string_view to) override {
    return files_.Link(from, to);
  }
  absl::Status Remove(std::string_view path) override { return files_.Remove(path); }
  absl::Status MakeDir(std::string_view path) override { return files_.MakeDir(path); }
  absl::StatusOr<std::vector<std::string>> List(std::string_view dir) override {
    return files_.List(dir);
  }
  absl::Status SyncDir(std::string_view dir) override { return files_.SyncDir(dir); }
  absl::StatusOr<std::unique_ptr<engine::FileLock>> Lock(std::string_view path) override {
    return files_.Lock(path);
  }

 private:
  engine::FileSystem& files_;
};

}  // namespace kiban::memory
