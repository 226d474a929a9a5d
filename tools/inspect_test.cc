// Goal:   what people are shown of a database is what is there, and damage is never called sound.
// Method: a small database in memory, looked at whole, file by file, and after single bytes were
// changed.
#include "tools/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/base/bytes.h"
#include "engine/lsm/db.h"
#include "engine/memory/memory_env.h"

namespace kiban::tools {
namespace {

using testing::HasSubstr;

class InspectTest : public testing::Test {
 protected:
  // Two tables at level 0 and three records in the live log.
  InspectTest() {
    lsm::KibanOptions options;
    options.l0_compaction_trigger = 64;
    auto db = *lsm::Db::Open(env_.env(), "db", options);
    for (const char* const key : {"ant", "bee"}) {
      EXPECT_TRUE(db->Put(key, "buzz", {.sync = true}).ok());
      EXPECT_TRUE(db->Flush().ok());
    }
    for (const char* const key : {"cat", "dog"}) EXPECT_TRUE(db->Put(key, "purr", {}).ok());
    EXPECT_TRUE(db->Delete("ant", {.sync = true}).ok());
    EXPECT_TRUE(db->Close().ok());
  }

  engine::FileSystem& files() { return *env_.env().files; }

  // The first name in the directory with this ending.
  std::string FileEndingIn(const std::string& ending) {
    for (const std::string& name : *files().List("db")) {
      if (name.size() > ending.size() && name.ends_with(ending)) return "db/" + name;
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

  memory::MemoryEnv env_;
  std::string text_;
};

TEST_F(InspectTest, ADatabaseIsShownWithAllThatBelongsToIt) {
  EXPECT_TRUE(InspectDatabase(files(), "db", /*verify=*/true, text_).ok()) << text_;
  EXPECT_THAT(text_, HasSubstr("live log"));
  EXPECT_THAT(text_, HasSubstr("\"ant\""));
  EXPECT_THAT(text_, HasSubstr("logs: 3 records through sequence 5"));
}

TEST_F(InspectTest, EachFileIsShownAlone) {
  EXPECT_TRUE(InspectManifest(files(), "db/MANIFEST", text_).ok());
  EXPECT_THAT(text_, HasSubstr("tables through sequence 2"));
  EXPECT_TRUE(InspectTable(files(), FileEndingIn(".sst"), text_).ok());
  EXPECT_THAT(text_, HasSubstr("1 entries in "));
  EXPECT_TRUE(InspectLog(files(), FileEndingIn(".wal"), text_).ok());
  EXPECT_THAT(text_, HasSubstr(": 3 records"));
}

TEST_F(InspectTest, DamageIsFoundInEachKindOfFile) {
  ChangeByte(FileEndingIn(".sst"), 2);
  const absl::Status table = InspectDatabase(files(), "db", /*verify=*/true, text_);
  EXPECT_TRUE(absl::IsDataLoss(table)) << table;
  EXPECT_THAT(text_, HasSubstr("DAMAGED "));
  ChangeByte("db/MANIFEST", 30);
  EXPECT_TRUE(absl::IsDataLoss(InspectManifest(files(), "db/MANIFEST", text_)));
}

TEST_F(InspectTest, AMissingTableIsFoundWithoutReadingAny) {
  ASSERT_TRUE(files().Remove(FileEndingIn(".sst")).ok());
  EXPECT_TRUE(absl::IsDataLoss(InspectDatabase(files(), "db", /*verify=*/false, text_)));
}

TEST_F(InspectTest, AFileWithoutANumberIsNotGuessedAt) {
  EXPECT_TRUE(absl::IsInvalidArgument(InspectLog(files(), "db/copy.wal", text_)));
}

}  // namespace
}  // namespace kiban::tools
