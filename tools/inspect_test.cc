// Goal:   what people are shown of a database is what is there, and damage is never called sound.
// Method: a small database on disk, looked at whole, file by file, and after a byte was changed.
#include "tools/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/lsm/db.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"

namespace kiban::tools {
namespace {

using testing::HasSubstr;

class InspectTest : public testing::Test {
 protected:
  // Two tables at level 0; in the live log four records, the last of which knows the others synced.
  InspectTest() {
    lsm::KibanOptions options;
    options.l0_compaction_trigger = 64;
    options.l0_write_stall_trigger = 64;
    auto db = *lsm::Db::Open(posix_.env(), dir_, options);
    for (const char* const key : {"ant", "bee"}) {
      EXPECT_TRUE(db->Put(key, "buzz", {.sync = true}).ok());
      EXPECT_TRUE(db->Flush().ok());
    }
    for (const char* const key : {"cat", "dog"}) EXPECT_TRUE(db->Put(key, "purr", {}).ok());
    EXPECT_TRUE(db->Delete("ant", {.sync = true}).ok());
    EXPECT_TRUE(db->Put("eel", "", {}).ok());
    EXPECT_TRUE(db->Close().ok());
  }

  engine::FileSystem& files() { return *posix_.env().files; }

  // The first file of the database with this ending.
  std::string FileEndingIn(const std::string& ending) {
    const auto names = *files().List(dir_);
    for (const std::string& name : names) {
      if (name.ends_with(ending)) return dir_ + "/" + name;
    }
    ADD_FAILURE() << "no " << ending;
    return "";
  }

  void ChangeByte(const std::string& path, uint64_t offset) {
    auto file = *files().Open(path, engine::OpenMode::kMustExist);
    std::byte byte{};
    ASSERT_TRUE(file->ReadAt(offset, {&byte, 1}).ok());
    byte ^= std::byte{0x40};
    ASSERT_TRUE(file->WriteAt(offset, {&byte, 1}).ok());
    ASSERT_TRUE(file->Close().ok());
  }

  posix::TemporaryDir temporary_ = *posix::TemporaryDir::Make();
  posix::PosixEnv posix_{""};
  const std::string dir_ = temporary_.path() + "/db";
};

TEST_F(InspectTest, ADatabaseIsShownWithAllThatBelongsToIt) {
  const Inspection all = Inspect(dir_, /*verify=*/true);
  EXPECT_TRUE(all.status.ok()) << all.status;
  EXPECT_THAT(all.text, HasSubstr("last sequence 2"));
  EXPECT_THAT(all.text, HasSubstr("\"ant\""));
  EXPECT_THAT(all.text, HasSubstr("4 records, 4 operations"));
}

TEST_F(InspectTest, EachFileIsShownAlone) {
  for (const char* const ending : {".sst", ".wal", "MANIFEST"}) {
    const Inspection one = Inspect(FileEndingIn(ending), /*verify=*/false);
    EXPECT_TRUE(one.status.ok()) << one.status;
    EXPECT_FALSE(one.text.empty());
  }
}

TEST_F(InspectTest, DamageIsFoundInEachKindOfFile) {
  ChangeByte(FileEndingIn(".sst"), 2);
  const Inspection table = Inspect(dir_, /*verify=*/true);
  EXPECT_TRUE(absl::IsDataLoss(table.status)) << table.status;
  EXPECT_THAT(table.text, HasSubstr("DAMAGED: "));
  ChangeByte(FileEndingIn(".wal"), 32 + 4);  // The length of its first record.
  EXPECT_TRUE(absl::IsDataLoss(Inspect(FileEndingIn(".wal"), /*verify=*/true).status));
  ChangeByte(FileEndingIn("MANIFEST"), 30);
  EXPECT_TRUE(absl::IsDataLoss(Inspect(dir_, /*verify=*/false).status));
}

TEST_F(InspectTest, ATableThatIsNotThereIsDamage) {
  ASSERT_TRUE(files().Remove(FileEndingIn(".sst")).ok());
  EXPECT_TRUE(absl::IsDataLoss(Inspect(dir_, /*verify=*/false).status));
}

TEST_F(InspectTest, WhatIsNoneOfOursIsNotGuessedAt) {
  EXPECT_TRUE(absl::IsInvalidArgument(Inspect(FileEndingIn("LOCK"), /*verify=*/true).status));
  EXPECT_FALSE(Inspect(temporary_.path(), /*verify=*/true).status.ok());
}

}  // namespace
}  // namespace kiban::tools
