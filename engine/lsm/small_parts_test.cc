// The parts that are too small for a test file each: names, options, batches.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "engine/lsm/batch.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/options.h"

namespace kiban::lsm {
namespace {

TEST(FileNames, AreReadBackAsTheyAreWritten) {
  for (const uint64_t number : {uint64_t{1}, uint64_t{999'999}, uint64_t{1'000'000}}) {
    const FileName log = ParseFileName(LogPath("", number).substr(1));
    EXPECT_EQ(log.kind, FileKind::kLog);
    EXPECT_EQ(log.number, number);
    const FileName table = ParseFileName(TablePath("", number).substr(1));
    EXPECT_EQ(table.kind, FileKind::kTable);
    EXPECT_EQ(table.number, number);
  }
  EXPECT_EQ(LogPath("a/db", 7), "a/db/000007.wal");
  EXPECT_EQ(ParseFileName("MANIFEST").kind, FileKind::kManifest);
  EXPECT_EQ(ParseFileName("MANIFEST.tmp").kind, FileKind::kManifestTemp);
  EXPECT_EQ(ParseFileName("LOCK").kind, FileKind::kLock);
}

TEST(FileNames, AreForeignIfWrittenInAnyOtherWay) {
  for (const char* name :
       {"", "7.wal", "00000007.wal", "000000.wal", "000007.WAL", "000007.wal2", "-00007.wal",
        "+00007.sst", " 00007.sst", "000007", ".wal", "000007.wal.wal", "manifest",
        "99999999999999999999999.wal", "281474976710656.sst"}) {
    EXPECT_EQ(ParseFileName(name).kind, FileKind::kForeign) << name;
  }
}

TEST(FileNames, KnowTheParentOfADirectory) {
  EXPECT_EQ(ParentOf("db"), "");
  EXPECT_EQ(ParentOf("a/db"), "a");
  EXPECT_EQ(ParentOf("a/b/db"), "a/b");
  EXPECT_EQ(ParentOf("/db"), "");
}

TEST(Options, AreRefusedOutsideTheirBoundsByName) {
  struct Field {
    const char* name;
    std::function<void(KibanOptions&, uint64_t)> set;
    uint64_t min;
    uint64_t max;
  };
  const auto narrow = [](uint32_t KibanOptions::*field) {
    return [field](KibanOptions& o, uint64_t value) { o.*field = static_cast<uint32_t>(value); };
  };
  const auto wide = [](uint64_t KibanOptions::*field) {
    return [field](KibanOptions& o, uint64_t value) { o.*field = value; };
  };
  const std::vector<Field> fields = {
      {"write_buffer_bytes", wide(&KibanOptions::write_buffer_bytes), 256, 1u << 30},
      {"block_bytes", narrow(&KibanOptions::block_bytes), 64, 1u << 20},
      {"restart_interval", narrow(&KibanOptions::restart_interval), 1, 256},
      {"filter_bits_per_key", narrow(&KibanOptions::filter_bits_per_key), 1, 32},
      {"l0_compaction_trigger", narrow(&KibanOptions::l0_compaction_trigger), 1, 64},
      {"l0_write_stall_trigger", narrow(&KibanOptions::l0_write_stall_trigger), 4, 256},
      {"level1_bytes", wide(&KibanOptions::level1_bytes), 512, uint64_t{1} << 40},
      {"level_multiplier", narrow(&KibanOptions::level_multiplier), 2, 100},
      {"table_bytes", wide(&KibanOptions::table_bytes), 512, 1u << 30}};
  EXPECT_TRUE(Validate(KibanOptions()).ok());
  for (const Field& field : fields) {
    for (const uint64_t value : {field.min, field.max}) {
      KibanOptions options;
      options.l0_write_stall_trigger = 64;  // No bound to the other trigger but its own.
      field.set(options, value);
      EXPECT_TRUE(Validate(options).ok()) << field.name << " " << value;
    }
    for (const uint64_t value : {field.min - 1, field.max + 1}) {
      KibanOptions options;
      field.set(options, value);
      const absl::Status status = Validate(options);
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << field.name << " " << value;
      for (const std::string& part : {std::string(field.name), std::to_string(value),
                                      std::to_string(field.min), std::to_string(field.max)}) {
        EXPECT_NE(status.message().find(part), absl::string_view::npos) << status;
      }
    }
  }
}

struct Operation {
  table::Kind kind;
  std::string key;
  std::string value;
  friend bool operator==(const Operation&, const Operation&) = default;
};

absl::Status Decode(std::string_view payload, std::vector<Operation>& operations) {
  return DecodeBatch(payload, [&](table::Kind kind, std::string_view key, std::string_view value) {
    operations.push_back({kind, std::string(key), std::string(value)});
    return absl::OkStatus();
  });
}

TEST(Batch, IsDecodedAsItWasFilled) {
  Batch batch;
  batch.Put("", "");
  batch.Put(std::string("k\0k", 3), std::string(1000, 'v'));
  batch.Delete("gone");
  EXPECT_EQ(batch.count(), 3u);
  EXPECT_EQ(batch.delete_count(), 1u);
  EXPECT_EQ(batch.longest_key_bytes(), 4u);
  std::vector<Operation> operations;
  ASSERT_TRUE(Decode(batch.payload(), operations).ok());
  EXPECT_EQ(operations, (std::vector<Operation>{
                            {table::Kind::kPut, "", ""},
                            {table::Kind::kPut, std::string("k\0k", 3), std::string(1000, 'v')},
                            {table::Kind::kDelete, "gone", ""}}));
  batch.Clear();
  EXPECT_EQ(batch.count(), 0u);
  EXPECT_TRUE(batch.payload().empty());
}

TEST(Batch, IsRefusedCutAnywhereButBetweenOperations) {
  Batch batch;
  batch.Put("key", "value");
  const size_t between = batch.payload().size();
  batch.Delete("key");
  for (size_t bytes = 0; bytes < batch.payload().size(); ++bytes) {
    std::vector<Operation> operations;
    const absl::Status status = Decode(batch.payload().substr(0, bytes), operations);
    EXPECT_EQ(status.ok(), bytes == between) << bytes;
    EXPECT_TRUE(status.ok() || absl::IsDataLoss(status));
  }
  std::vector<Operation> operations;
  EXPECT_TRUE(absl::IsDataLoss(Decode(std::string_view("\x02\x00", 2), operations)));
}

}  // namespace
}  // namespace kiban::lsm
