#include "suites/toy_engine/planted_bugs.h"

#include <utility>

#include "engine/base/mark.h"
#include "engine/base/status_util.h"

namespace kiban::suites::toy {

namespace {

// Says that a write is durable without asking the disk.
class NoSync final : public ToyDb {
 public:
  using ToyDb::ToyDb;

 private:
  absl::Status SyncLog() override { return absl::OkStatus(); }
};

// Goes on behind whatever the log ends with. What follows a torn record is never read again.
class AppendAfterTornTail final : public ToyDb {
 public:
  using ToyDb::ToyDb;

 private:
  absl::Status Adopt(std::unique_ptr<engine::File> log) override {
    if (log == nullptr) return ToyDb::Adopt(nullptr);
    log_ = std::move(log);
    return SyncLog();
  }
};

// Gives the new log its name before its bytes are safe: a power cut finds the name and no bytes.
class PublishBeforeSync final : public ToyDb {
 public:
  using ToyDb::ToyDb;

 private:
  absl::Status Publish(engine::File& fresh) override {
    {
      SPAN("toy.rename");
      RETURN_IF_ERROR(files().Rename(PathOf("LOG.new"), PathOf("LOG")));
    }
    {
      SPAN("toy.sync_dir");
      RETURN_IF_ERROR(files().SyncDir(dir_));
    }
    SPAN("toy.sync_new");
    return fresh.Sync(engine::SyncKind::kData);
  }
};

// What the optimiser cannot see through.
const char* volatile g_nowhere = nullptr;

}  // namespace

// Dies of a segmentation fault in the first recovery. Its name is to be seen in the stack, which
// knows no names of this file alone.
class WildPointer final : public ToyDb {
 public:
  using ToyDb::ToyDb;

 private:
  absl::Status Adopt(std::unique_ptr<engine::File> log) override {
    if (log != nullptr) log_bytes_ += static_cast<uint64_t>(*g_nowhere);
    return ToyDb::Adopt(std::move(log));
  }
};

namespace {

// Does not run out once its machine is down.
class TriesForEver final : public ToyDb {
 public:
  using ToyDb::ToyDb;

 private:
  absl::Status SyncLog() override {
    absl::Status status = ToyDb::SyncLog();
    while (absl::IsAborted(status)) status = ToyDb::SyncLog();
    return status;
  }
};

}  // namespace

std::unique_ptr<ToyDb> MakeToyDb(const engine::Env& env, std::string dir, const ToyOptions& options,
                                 std::string_view bug) {
  if (bug.empty()) return std::make_unique<ToyDb>(env, std::move(dir), options);
  if (bug == "toy-no-sync") return std::make_unique<NoSync>(env, std::move(dir), options);
  if (bug == "toy-append-after-torn-tail") {
    return std::make_unique<AppendAfterTornTail>(env, std::move(dir), options);
  }
  if (bug == "toy-publish-before-sync") {
    return std::make_unique<PublishBeforeSync>(env, std::move(dir), options);
  }
  if (bug == "toy-wild-pointer") return std::make_unique<WildPointer>(env, std::move(dir), options);
  if (bug == "toy-tries-for-ever") {
    return std::make_unique<TriesForEver>(env, std::move(dir), options);
  }
  return nullptr;
}

}  // namespace kiban::suites::toy
