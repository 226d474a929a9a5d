// The seam as a simulated machine offers it: every call passes through Machine::BeginCall() and
// EndCall().
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/env.h"
#include "sim/machine.h"

namespace kiban::sim {

class SimFileSystem final : public engine::FileSystem {
 public:
  explicit SimFileSystem(Machine& machine) : machine_(machine) {}

  absl::StatusOr<std::unique_ptr<engine::File>> Open(std::string_view path,
                                                     engine::OpenMode mode) override;
  absl::Status Rename(std::string_view from, std::string_view to) override;
  absl::Status Link(std::string_view from, std::string_view to) override;
  absl::Status Remove(std::string_view path) override;
  absl::Status MakeDir(std::string_view path) override;
  absl::StatusOr<std::vector<std::string>> List(std::string_view dir) override;
  absl::Status SyncDir(std::string_view dir) override;
  absl::StatusOr<std::unique_ptr<engine::FileLock>> Lock(std::string_view path) override;

 private:
  absl::StatusOr<InodeId> OpenInode(std::string_view path, engine::OpenMode mode);
  // Begins, does and ends a call that is about names alone. `work` may tell more, for the digest
  // and for people.
  absl::Status NameCall(CallKind kind, std::string_view path, std::string_view other,
                        absl::FunctionRef<absl::Status(uint64_t&, std::string&)> work);

  Machine& machine_;
};

class SimClock final : public engine::Clock {
 public:
  explicit SimClock(Machine& machine) : machine_(machine) {}
  base::Ticks MonotonicNow() override;
  base::Ticks WallNow() override;

 private:
  Machine& machine_;
};

class SimRandom final : public engine::Random {
 public:
  explicit SimRandom(Machine& machine) : machine_(machine) {}
  uint64_t Next() override;

 private:
  Machine& machine_;
};

}  // namespace kiban::sim
