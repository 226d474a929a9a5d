// Goal:   every step makes its calls of the seam in the order that README.md tells, and in no
// other. Method: a file system that notes each changing call under the innermost span, compared
// with a list.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/hooks.h"
#include "engine/lsm/db_for_test.h"
#include "engine/lsm/faulty_files_for_test.h"
#include "engine/memory/memory_env.h"

namespace kiban::lsm {
namespace {

using Lines = std::vector<std::string>;

class Spans final : public base::Hooks {
 public:
  Spans() { base::g_hooks = this; }
  ~Spans() override { base::g_hooks = nullptr; }
  void OnMark(const base::Label& label) override { lines_.push_back(std::string(label.name)); }
  void OnSpanEnter(const base::Label& label) override { open_.push_back(label.name); }
  void OnSpanLeave(const base::Label& label) override {
    EXPECT_EQ(open_.back(), label.name);
    open_.pop_back();
  }
  void OnCheckFailed(const char*, const char*, int) override {}
  void OnAtomic() override {}
  void OnWait(base::WaitKind, std::string_view) override {}

  void OnCall(std::string_view what, std::string_view path) {
    std::string line(open_.empty() ? "nowhere" : open_.back());
    lines_.push_back(line.append(" ").append(what).append(" ").append(path));
  }
  Lines Take() { return std::exchange(lines_, {}); }

 private:
  std::vector<std::string_view> open_;
  Lines lines_;
};

// Notes what changes something, and lets it through.
class NotedFile final : public engine::File {
 public:
  NotedFile(Spans& spans, std::string path, std::unique_ptr<engine::File> inner)
      : spans_(spans), path_(std::move(path)), inner_(std::move(inner)) {}

  absl::StatusOr<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) override {
    return inner_->ReadAt(offset, out);
  }
  absl::Status WriteAt(uint64_t offset, std::span<const std::byte> data) override {
    spans_.OnCall("write", path_);
    return inner_->WriteAt(offset, data);
  }
  absl::Status Append(std::span<const std::byte> data) override {
    spans_.OnCall("write", path_);
    return inner_->Append(data);
  }
  absl::Status Sync(engine::SyncKind kind) override {
    spans_.OnCall("sync", path_);
    return inner_->Sync(kind);
  }
  absl::Status Truncate(uint64_t size_bytes) override { return inner_->Truncate(size_bytes); }
  absl::Status Allocate(uint64_t size_bytes) override { return inner_->Allocate(size_bytes); }
  absl::StatusOr<uint64_t> Size() const override { return inner_->Size(); }
  absl::StatusOr<std::unique_ptr<engine::Mapping>> Map() override { return inner_->Map(); }
  absl::Status Close() override { return inner_->Close(); }

 private:
  Spans& spans_;
  const std::string path_;
  std::unique_ptr<engine::File> inner_;
};

class NotedFiles final : public engine::FileSystem {
 public:
  NotedFiles(Spans& spans, engine::FileSystem& inner) : spans_(spans), inner_(inner) {}

  absl::StatusOr<std::unique_ptr<engine::File>> Open(std::string_view path,
                                                     engine::OpenMode mode) override {
    if (mode != engine::OpenMode::kRead) spans_.OnCall("create", path);
    ASSIGN_OR_RETURN(std::unique_ptr<engine::File> file, inner_.Open(path, mode));
    return std::make_unique<NotedFile>(spans_, std::string(path), std::move(file));
  }
  absl::Status Rename(std::string_view from, std::string_view to) override {
    spans_.OnCall("rename", to);
    return inner_.Rename(from, to);
  }
  absl::Status Link(std::string_view from, std::string_view to) override {
    return inner_.Link(from, to);
  }
  absl::Status Remove(std::string_view path) override {
    spans_.OnCall("remove", path);
    return inner_.Remove(path);
  }
  absl::Status MakeDir(std::string_view path) override {
    spans_.OnCall("mkdir", path);
    return inner_.MakeDir(path);
  }
  absl::StatusOr<std::vector<std::string>> List(std::string_view dir) override {
    return inner_.List(dir);
  }
  absl::Status SyncDir(std::string_view dir) override {
    spans_.OnCall("syncdir", dir);
    return inner_.SyncDir(dir);
  }
  absl::StatusOr<std::unique_ptr<engine::FileLock>> Lock(std::string_view path) override {
    spans_.OnCall("lock", path);
    return inner_.Lock(path);
  }

 private:
  Spans& spans_;
  engine::FileSystem& inner_;
};

class Steps : public testing::Test {
 protected:
  std::unique_ptr<Db> Open(KibanOptions options = {}) {
    return OpenDb({.files = &files_, .clock = nullptr, .tasks = nullptr, .random = nullptr},
                  options);
  }

  memory::MemoryEnv env_;
  Spans spans_;
  NotedFiles files_{spans_, *env_.env().files};
};

const Lines kPublish = {"publish.M1 create db/MANIFEST.tmp", "publish.M1 write db/MANIFEST.tmp",
                        "publish.M2 sync db/MANIFEST.tmp", "publish.M3 rename db/MANIFEST",
                        "publish.M4 syncdir db"};

Lines Joined(const std::vector<Lines>& parts) {
  Lines joined;
  for (const Lines& part : parts) joined.insert(joined.end(), part.begin(), part.end());
  return joined;
}

TEST_F(Steps, OfACreationComeInOrder) {
  Open();
  EXPECT_EQ(spans_.Take(), Joined({{"create.N1 mkdir db", "create.N1 syncdir ",
                                    "open.O1 lock db/LOCK", "open.O4", "open.nothing_replayed"},
                                   kPublish,
                                   {"open.O7 create db/000001.wal", "open.O7 write db/000001.wal",
                                    "open.O7 syncdir db"}}));
}

TEST_F(Steps, OfARecoveryComeInOrder) {
  ASSERT_TRUE(Open()->Put("k", "v", {.sync = true}).ok());
  spans_.Take();
  WriteFile(env_.env(), "000005.sst", "leftover");
  Open();
  EXPECT_EQ(spans_.Take(), Joined({{"open.O1 lock db/LOCK", "open.O4",
                                    "open.O5 create db/000006.sst", "open.O5 write db/000006.sst",
                                    "open.O5 sync db/000006.sst", "open.O5 syncdir db"},
                                   kPublish,
                                   {"open.O7 create db/000007.wal", "open.O7 write db/000007.wal",
                                    "open.O7 syncdir db", "open.O8 remove db/000001.wal",
                                    "open.orphan_swept", "open.O8 remove db/000005.sst"}}));
}

TEST_F(Steps, OfWritesComeInOrder) {
  const std::unique_ptr<Db> db = Open();
  spans_.Take();
  ASSERT_TRUE(db->Put("k", "v", {.sync = false}).ok());
  ASSERT_TRUE(db->Put("k", "w", {.sync = true}).ok());
  ASSERT_TRUE(db->Sync().ok());
  EXPECT_EQ(spans_.Take(),
            (Lines{"write.append write db/000001.wal", "write.append write db/000001.wal",
                   "write.sync sync db/000001.wal", "write.sync sync db/000001.wal"}));
}

const Lines kSwitchAndFlush =
    Joined({{"switch.T1 sync db/000001.wal", "switch.T2 create db/000002.wal",
             "switch.T2 write db/000002.wal", "switch.T3 syncdir db", "switch.T4",
             "flush.F1 create db/000003.sst", "flush.F1 write db/000003.sst",
             "flush.F2 sync db/000003.sst", "flush.F3 syncdir db"},
            kPublish,
            {"flush.F5", "flush.F6 remove db/000001.wal"}});

TEST_F(Steps, OfAFlushComeInOrder) {
  const std::unique_ptr<Db> db = Open();
  ASSERT_TRUE(db->Put("k", "v", {}).ok());
  spans_.Take();
  ASSERT_TRUE(db->Flush().ok());
  EXPECT_EQ(spans_.Take(), kSwitchAndFlush);
  ASSERT_TRUE(db->Flush().ok());  // Nothing is left to be done.
  EXPECT_EQ(spans_.Take(), Lines{});
}

TEST_F(Steps, OfAFullMemtableComeBeforeTheWriteThatFindsIt) {
  KibanOptions options;
  options.write_buffer_bytes = 256;
  const std::unique_ptr<Db> db = Open(options);
  ASSERT_TRUE(db->Put("k", std::string(255, 'v'), {}).ok());
  spans_.Take();
  ASSERT_TRUE(db->Put("l", "v", {.sync = true}).ok());
  EXPECT_EQ(spans_.Take(),
            Joined({kSwitchAndFlush,
                    {"write.append write db/000002.wal", "write.sync sync db/000002.wal"}}));
}

TEST_F(Steps, OfACompactionComeInOrder) {
  KibanOptions options;
  options.table_bytes = 512;
  const std::unique_ptr<Db> db = Open(options);
  for (const char* key : {"k", "l"}) {
    ASSERT_TRUE(db->Put(key, std::string(600, 'v'), {}).ok());
  }
  ASSERT_TRUE(db->Flush().ok());
  spans_.Take();
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(spans_.Take(),
            Joined({{"compact.C1 create db/000004.sst", "compact.C1 write db/000004.sst",
                     "compact.C2 sync db/000004.sst", "compact.C1 create db/000005.sst",
                     "compact.C1 write db/000005.sst", "compact.C2 sync db/000005.sst",
                     "compact.C3 syncdir db"},
                    kPublish,
                    {"compact.C5", "compact.C6 remove db/000003.sst"}}));
}

TEST_F(Steps, OfATrivialMoveRewriteNothing) {
  KibanOptions options;
  options.l0_compaction_trigger = 1;
  const std::unique_ptr<Db> db = Open(options);
  ASSERT_TRUE(db->Put("k", "v", {}).ok());
  spans_.Take();
  ASSERT_TRUE(db->Flush().ok());
  EXPECT_EQ(spans_.Take(),
            Joined({kSwitchAndFlush, {"l0.trigger", "compact.trivial"}, kPublish, {"compact.C5"}}));
}

}  // namespace
}  // namespace kiban::lsm
