#include "engine/base/read_file.h"

#include <gtest/gtest.h>

#include "engine/base/bytes.h"
#include "engine/memory/memory_env.h"
#include "engine/memory/watched_files.h"

namespace kiban::base {
namespace {

class ReadFile : public testing::Test {
 protected:
  ReadFile() : files_(*env_.env().files) {
    const auto file = files_.Open("file", engine::OpenMode::kMustCreate);
    EXPECT_TRUE((*file)->Append(AsBytes("0123456789")).ok());
  }

  memory::MemoryEnv env_;
  memory::WatchedFiles files_;
};

TEST_F(ReadFile, GivesTheWholeFile) {
  EXPECT_EQ(ReadWholeFile(files_, "file").value(), "0123456789");
  ASSERT_TRUE(files_.Open("empty", engine::OpenMode::kMustCreate).ok());
  EXPECT_EQ(ReadWholeFile(files_, "empty").value(), "");
  EXPECT_EQ(ReadWholeFile(files_, "none").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ReadFile, AShortReadIsDataLossThatNamesFileAndOffset) {
  files_.watch.short_reads = true;
  const absl::Status status = ReadWholeFile(files_, "file").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "file: offset 0: read 9 bytes of 10");
}

TEST_F(ReadFile, AnErrorStaysWhatItIs) {
  files_.watch.fail_read = 1;
  EXPECT_EQ(ReadWholeFile(files_, "file").status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(ReadFile, ReadingPastTheEndIsNotAnEnd) {
  const auto file = files_.Open("file", engine::OpenMode::kRead);
  std::string out(4, '\0');
  EXPECT_TRUE(ReadExactly(**file, "file", 6, out).ok());
  EXPECT_EQ(out, "6789");
  EXPECT_EQ(ReadExactly(**file, "file", 7, out).code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace kiban::base
