// What only a real machine can show: other processes, devices that are full, tables that are full.
// The rest of the contract is asked by env_contract_test.cc.
#include "engine/posix/posix_env.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <span>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/posix/temporary_dir.h"

namespace kiban::posix {
namespace {

using engine::OpenMode;
using testing::HasSubstr;

// The code of a Lock() made by a child that then dies with the lock in its hands.
absl::StatusCode LockInAChild(const std::string& root) {
  const pid_t child = ::fork();
  if (child == 0) {
    PosixEnv env(root);
    const auto lock = env.env().files->Lock("LOCK");
    ::_exit(static_cast<int>(lock.status().code()));
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return static_cast<absl::StatusCode>(WEXITSTATUS(status));
}

TEST(PosixLock, ExcludesOtherProcessesUntilItsOwnerDies) {
  const auto dir = TemporaryDir::Make();
  ASSERT_TRUE(dir.ok()) << dir.status();
  PosixEnv env(dir->path());
  EXPECT_EQ(LockInAChild(dir->path()), absl::StatusCode::kOk);
  {
    const auto lock = env.env().files->Lock("LOCK");
    ASSERT_TRUE(lock.ok()) << lock.status();
    EXPECT_EQ(LockInAChild(dir->path()), absl::StatusCode::kFailedPrecondition);
  }
  EXPECT_EQ(LockInAChild(dir->path()), absl::StatusCode::kOk);
}

TEST(PosixLock, ExcludesOtherEnvsOfTheProcess) {
  const auto dir = TemporaryDir::Make();
  ASSERT_TRUE(dir.ok()) << dir.status();
  PosixEnv one(dir->path());
  PosixEnv other("");
  const auto lock = one.env().files->Lock("LOCK");
  ASSERT_TRUE(lock.ok()) << lock.status();
  const absl::Status refused = other.env().files->Lock(dir->path() + "/LOCK").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
}

TEST(PosixFile, AFullDeviceIsResourceExhaustedAtItsOffset) {
  PosixEnv env("");
  const auto file = env.env().files->Open("/dev/full", OpenMode::kMustExist);
  ASSERT_TRUE(file.ok()) << file.status();
  const absl::Status status = (*file)->WriteAt(42, base::AsBytes("x"));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/dev/full: offset 42: No space left"));
}

TEST(PosixFile, AFailedSyncIsTold) {
  PosixEnv env("");
  const auto file = env.env().files->Open("/dev/full", OpenMode::kMustExist);  // Cannot be synced.
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_FALSE((*file)->Sync(engine::SyncKind::kData).ok());
  EXPECT_FALSE((*file)->Sync(engine::SyncKind::kAll).ok());
}

// It is given pages beforehand (posix_file.cc), which must not show.
TEST(PosixFile, ALargeReadFillsItsMemoryAndNoMore) {
  constexpr size_t kBytes = 300'001;
  constexpr size_t kMargin = 5000;
  const auto dir = TemporaryDir::Make();
  ASSERT_TRUE(dir.ok()) << dir.status();
  PosixEnv env(dir->path());
  const auto file = env.env().files->Open("f", OpenMode::kMustCreate).value();
  const std::string written(kBytes, 'w');
  ASSERT_TRUE(file->Append(base::AsBytes(written)).ok());
  for (const size_t shift : {size_t{0}, size_t{1}, size_t{4095}}) {
    std::vector<std::byte> memory(kMargin + kBytes + kMargin, std::byte{'m'});
    const std::span<std::byte> into = std::span(memory).subspan(shift, kBytes + 1);
    EXPECT_EQ(file->ReadAt(0, into).value(), kBytes);
    EXPECT_EQ(base::AsText(into.first(kBytes)), written);
    const std::string_view all = base::AsText(memory);
    EXPECT_EQ(all.find_first_not_of('m'), shift);
    EXPECT_EQ(all.find_first_not_of('m', shift + kBytes), std::string_view::npos);
  }
}

TEST(PosixFileSystem, NoDescriptorIsResourceExhausted) {
  const auto dir = TemporaryDir::Make();
  ASSERT_TRUE(dir.ok()) << dir.status();
  PosixEnv env(dir->path());
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const absl::Status opened = env.env().files->Open("f", OpenMode::kTruncate).status();
  const absl::Status listed = env.env().files->List("").status();
  const absl::Status synced = env.env().files->SyncDir("");
  const absl::Status locked = env.env().files->Lock("LOCK").status();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  for (const absl::Status& status : {opened, listed, synced, locked}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  }
}

TEST(TemporaryDir, GoesWithItsObject) {
  std::string path;
  {
    const auto dir = TemporaryDir::Make();
    ASSERT_TRUE(dir.ok()) << dir.status();
    path = dir->path();
    PosixEnv env(path);
    ASSERT_TRUE(env.env().files->MakeDir("d").ok());
    ASSERT_TRUE(env.env().files->Open("d/f", OpenMode::kTruncate).ok());
  }
  PosixEnv env("");
  EXPECT_EQ(env.env().files->List(path).status().code(), absl::StatusCode::kNotFound);
}

TEST(TemporaryDir, IsMadeWhereItIsToldTo) {
  const auto dir = TemporaryDir::Make();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const auto below = TemporaryDir::Make(dir->path());
  ASSERT_TRUE(below.ok()) << below.status();
  EXPECT_TRUE(below->path().starts_with(dir->path() + "/"));
  EXPECT_EQ(TemporaryDir::Make(dir->path() + "/absent").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace kiban::posix
