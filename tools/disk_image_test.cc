// Goal:   what is on a simulated disk is what is written, byte for byte, with its directories.
// Method: a disk with files in two directories, before and after a power cut that takes all.
#include "tools/disk_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/bytes.h"
#include "suites/support/whole_file.h"

namespace kiban::tools {
namespace {

namespace fs = std::filesystem;
using testing::UnorderedElementsAre;

std::vector<std::string> PathsBelow(const std::string& root) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    paths.push_back(entry.path().lexically_relative(root).string());
  }
  return paths;
}

class DiskImage : public testing::Test {
 protected:
  DiskImage() {
    fs::remove_all(root_);
    EXPECT_TRUE(disk_.MakeDir("db", {}).ok());
    EXPECT_TRUE(disk_.MakeDir("db/empty", {}).ok());
    EXPECT_TRUE(disk_.SyncDir("").ok());
    const auto file = disk_.Create("db/LOG", {});
    disk_.WriteAt(*file, 5000, base::AsBytes(std::string_view("tail")));
  }

  const std::string root_ = testing::TempDir() + "/disk_image_test";
  sim::Disk disk_{sim::kStrict};
};

TEST_F(DiskImage, HasEveryFileAndDirectory) {
  ASSERT_TRUE(WriteImage(disk_, root_ + "/before").ok());
  EXPECT_THAT(PathsBelow(root_ + "/before"), UnorderedElementsAre("db", "db/empty", "db/LOG"));
  EXPECT_EQ(*suites::ReadWhole(root_ + "/before/db/LOG"), std::string(5000, '\0') + "tail");
}

TEST_F(DiskImage, ShowsWhatACutLeft) {
  disk_.PowerCut(sim::KeptSet(disk_.pending().size()));
  ASSERT_TRUE(WriteImage(disk_, root_ + "/after").ok());
  EXPECT_THAT(PathsBelow(root_ + "/after"), UnorderedElementsAre("db"));
}

TEST_F(DiskImage, GoesIntoNothingButAnEmptyDirectory) {
  ASSERT_TRUE(MakeEmptyDirectory(root_ + "/new/below").ok());
  ASSERT_TRUE(MakeEmptyDirectory(root_ + "/new/below").ok());
  EXPECT_FALSE(MakeEmptyDirectory(root_ + "/new").ok());
  ASSERT_TRUE(suites::WriteWhole(root_ + "/file", "").ok());
  EXPECT_FALSE(MakeEmptyDirectory(root_ + "/file").ok());
}

}  // namespace
}  // namespace kiban::tools
