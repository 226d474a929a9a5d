// The direct handle: one task, maintenance runs inside the caller.
#include "engine/lsm/db.h"

#include <utility>

#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/handle.h"
#include "engine/lsm/maintenance.h"
#include "engine/lsm/write_path.h"

namespace kiban::lsm {
namespace {

// Refusals come first and touch nothing; whatever fails after them poisons, here.
class DirectDb final : public Handle {
 public:
  explicit DirectDb(std::unique_ptr<Core> core) : Handle(std::move(core)) {}

  absl::StatusOr<base::Sequence> Put(std::string_view key, std::string_view value,
                                     WriteOptions options) override {
    single_.Clear();
    single_.Put(key, value);
    return Write(single_, options);
  }
  absl::StatusOr<base::Sequence> Delete(std::string_view key, WriteOptions options) override {
    single_.Clear();
    single_.Delete(key);
    return Write(single_, options);
  }
  absl::StatusOr<base::Sequence> Write(const Batch& batch, WriteOptions options) override;
  absl::Status Sync() override;
  absl::Status Flush() override;
  absl::Status Compact() override;
  absl::Status Close() override;

 private:
  absl::Status Apply(WriteRequest& request) {
    WriteRequest* const group[] = {&request};
    return OkOrPoison(ApplyGroup(core(), group));
  }
  // OK, or the handle is poisoned and the answer is "maybe applied".
  absl::Status OkOrPoison(const absl::Status& status) {
    return status.ok() ? status : core().Poison(status);
  }

  Batch single_;  // Reused.
};

absl::StatusOr<base::Sequence> DirectDb::Write(const Batch& batch, WriteOptions options) {
  SPAN("write");
  RETURN_IF_ERROR(core().MayMutate());
  RETURN_IF_ERROR(CheckBatch(batch));
  RETURN_IF_ERROR(CheckSequences(core(), batch));
  RETURN_IF_ERROR(OkOrPoison(MakeRoom(core())));
  WriteRequest request{.batch = &batch, .sync = options.sync};
  RETURN_IF_ERROR(Apply(request));
  return request.first_sequence;
}

absl::Status DirectDb::Sync() {
  RETURN_IF_ERROR(core().MayMutate());
  WriteRequest request{.batch = nullptr, .sync = true};
  return Apply(request);
}

absl::Status DirectDb::Flush() {
  RETURN_IF_ERROR(core().MayMutate());
  return OkOrPoison(Maintain(core()));
}

absl::Status DirectDb::Compact() {
  RETURN_IF_ERROR(core().MayMutate());
  return OkOrPoison(CompactAll(core()));
}

absl::Status DirectDb::Close() {
  SPAN("close");
  if (core().closing.Exchange(true)) return core().Closed();
  const absl::Status closed = core().log == nullptr ? absl::OkStatus() : core().log->Close();
  core().Release();
  return closed;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Db>> Db::Open(const engine::Env& env, std::string dir,
                                             const KibanOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<Core> core, OpenChecked(env, std::move(dir), options));
  return std::make_unique<DirectDb>(std::move(core));
}

}  // namespace kiban::lsm
