// The shared handle: any tasks, group commit, one background task.
#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/lsm/background.h"
#include "engine/lsm/handle.h"
#include "engine/lsm/write_path.h"
#include "engine/lsm/write_queue.h"

namespace kiban::lsm {
namespace {

class SharedDb final : public Handle {
 public:
  explicit SharedDb(std::unique_ptr<Core> core)
      : Handle(std::move(core)), background_(this->core()), queue_(this->core(), background_) {}
  ~SharedDb() override { (void)Close(); }

  absl::StatusOr<base::Sequence> Put(std::string_view key, std::string_view value,
                                     WriteOptions options) override {
    Batch batch;
    batch.Put(key, value);
    return Write(batch, options);
  }
  absl::StatusOr<base::Sequence> Delete(std::string_view key, WriteOptions options) override {
    Batch batch;
    batch.Delete(key);
    return Write(batch, options);
  }
  absl::StatusOr<base::Sequence> Write(const Batch& batch, WriteOptions options) override;
  absl::Status Sync() override;
  absl::Status Flush() override;
  absl::Status Compact() override;
  absl::Status Close() override;

 private:
  absl::StatusOr<uint64_t> SwitchLog() {
    SPAN("write");
    return queue_.SwitchLog();
  }

  Background background_;
  WriteQueue queue_;
};

absl::StatusOr<base::Sequence> SharedDb::Write(const Batch& batch, WriteOptions options) {
  SPAN("write");
  // A poisoned or closed handle refuses whatever it is given, before it looks at it.
  RETURN_IF_ERROR(core().MayMutate());
  RETURN_IF_ERROR(CheckBatch(batch));
  WriteRequest request{.batch = &batch, .sync = options.sync};
  RETURN_IF_ERROR(queue_.Submit(request));
  return request.first_sequence;
}

absl::Status SharedDb::Sync() {
  SPAN("write");
  WriteRequest request{.batch = nullptr, .sync = true};
  return queue_.Submit(request);
}

absl::Status SharedDb::Flush() {
  ASSIGN_OR_RETURN(const uint64_t flush, SwitchLog());
  return background_.AwaitSettled(flush);
}

absl::Status SharedDb::Compact() {
  ASSIGN_OR_RETURN(const uint64_t flush, SwitchLog());
  return background_.CompactAfter(flush);
}

absl::Status SharedDb::Close() {
  SPAN("close");
  if (core().closing.Exchange(true)) return core().Closed();
  {
    SPAN("close.wait");
    background_.WakeAll();
    queue_.AwaitEmpty();
    background_.Join();
  }
  // From here on both roles are the caller's.
  const absl::Status closed = core().log == nullptr ? absl::OkStatus() : core().log->Close();
  core().Release();
  return closed;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Db>> Db::OpenShared(const engine::Env& env, std::string dir,
                                                   const KibanOptions& options) {
  CHECK(env.tasks != nullptr);
  ASSIGN_OR_RETURN(std::unique_ptr<Core> core, OpenChecked(env, std::move(dir), options));
  return std::make_unique<SharedDb>(std::move(core));
}

}  // namespace kiban::lsm
