// Worlds for tests of the shared handle: real files in a directory of their own, real threads.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/lsm/db_for_test.h"
#include "engine/lsm/faulty_files_for_test.h"
#include "engine/lsm/stage_for_test.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"

namespace kiban::lsm {

class SharedWorld : public testing::Test {
 protected:
  engine::Env env() {
    engine::Env env = posix_.env();
    env.files = &files_;
    return env;
  }

  std::unique_ptr<Db> OpenShared(const KibanOptions& options = TinyOptions()) {
    auto db = Db::OpenShared(env(), "db", options);
    EXPECT_TRUE(db.ok()) << db.status();
    return db.ok() ? *std::move(db) : nullptr;
  }
  std::unique_ptr<Db> OpenDirect() { return OpenDb(env(), TinyOptions()); }

  // Does something in a task of its own, which is joined by JoinAll().
  void Spawn(std::function<void()> body) {
    tasks_.push_back(env().tasks->Spawn("test", std::move(body)));
  }
  void JoinAll() {
    for (const engine::Tasks::Id task : std::exchange(tasks_, {})) env().tasks->Join(task);
  }

  posix::TemporaryDir dir_ = posix::TemporaryDir::Make().value();
  posix::PosixEnv posix_{dir_.path()};
  FaultyFiles files_{*posix_.env().files, posix_.env().tasks};

 private:
  std::vector<engine::Tasks::Id> tasks_;
};

// With a director. Its lock puts the steps of all tasks in an order, which hides races from the
// thread sanitizer: where tasks are only to meet by chance, do without it.
class StagedWorld : public SharedWorld {
 protected:
  Stage stage_{posix_.env().tasks};
};

// A memtable that is full after a few of these.
inline std::string Bulk(char with) { return std::string(300, with); }

// Puts one bulk after the other until one is refused; tells how, and notes those that were not.
inline absl::Status PutUntilRefused(Db& db, Contents& acknowledged) {
  for (int i = 0;; ++i) {
    const std::string key = "k" + std::to_string(i);
    const absl::Status status = db.Put(key, Bulk('v'), {}).status();
    EXPECT_TRUE(status.ok() || absl::IsFailedPrecondition(status)) << status;
    if (!status.ok()) return status;
    acknowledged[key] = Bulk('v');
  }
}

}  // namespace kiban::lsm
