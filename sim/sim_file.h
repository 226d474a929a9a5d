// An open file of a simulated machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/env.h"
#include "sim/machine.h"

namespace kiban::sim {

class SimFile final : public engine::File {
 public:
  // Pins the inode.
  SimFile(Machine& machine, InodeId inode, std::string path, bool writable);
  ~SimFile() override;

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
  // While a call changes the file, no other task may make one that does (CHECK): env.h permits the
  // engine no more.
  class Changing;
  // Another process's handle, or one on a dead machine, must not touch the disk.
  bool Mine() const { return boot_ == machine_.boot && !machine_.dead; }
  absl::Status Finish(CallKind kind, uint64_t first, uint64_t second, absl::Status status,
                      uint64_t bytes = 0) const;
  absl::Status CheckSize(uint64_t offset, uint64_t bytes) const;
  absl::Status Write(uint64_t offset, std::span<const std::byte> data);
  absl::Status Resize(CallKind kind, uint64_t size_bytes);
  absl::Status FailSync(SyncError& error);
  // Whether a planted bug keeps this sync from happening (or puts it off).
  bool SyncLeftOut() const;

  Machine& machine_;
  const InodeId inode_;
  const std::string path_;
  const uint64_t key_;
  const uint32_t boot_;
  const bool writable_;
  bool closed_ = false;
  bool changing_ = false;
};

}  // namespace kiban::sim
