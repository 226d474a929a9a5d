// What both handles do alike: everything but writing, maintenance and closing. Each of these may be
// called by any task at any time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lsm/core.h"
#include "engine/lsm/db.h"

namespace kiban::lsm {

class Handle : public Db {
 public:
  using Db::Get;
  using Db::LatestK;

  absl::StatusOr<std::optional<std::string>> Get(std::string_view key, const Snapshot* snapshot,
                                                 base::Sequence* read_at) final;
  std::unique_ptr<Cursor> NewCursor(KeyRange range, const Snapshot* snapshot) final;
  absl::StatusOr<std::vector<KeyValue>> LatestK(std::string_view prefix, uint32_t k,
                                                const Snapshot* snapshot,
                                                base::Sequence* read_at) final;
  std::unique_ptr<Snapshot> TakeSnapshot() final;
  base::Sequence last_sequence() const final { return core_->last_sequence.Load(); }
  Stats GetStats() const final;

 protected:
  explicit Handle(std::unique_ptr<Core> core) : core_(std::move(core)) {}
  Core& core() { return *core_; }

 private:
  const std::unique_ptr<Core> core_;
};

// What both kinds of opening do first: options, directory, recovery.
absl::StatusOr<std::unique_ptr<Core>> OpenChecked(const engine::Env& env, std::string dir,
                                                  const KibanOptions& options);

}  // namespace kiban::lsm
