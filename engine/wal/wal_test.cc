// Goal:   what was appended comes back in order; what was not, never does; and no error is taken
// for an end. Method: small logs, damaged in every way there is: each length, each bit, and wrong
// places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/crc32.h"
#include "engine/memory/watched_files.h"
#include "engine/wal/format.h"
#include "engine/wal/wal_test_log.h"

namespace kiban::wal {
namespace {

using testing::HasSubstr;

// Payloads of every length modulo the alignment.
TestLog SmallLog() {
  TestLog log;
  for (size_t bytes = 1; bytes <= 9; ++bytes)
    log.Append(std::string(bytes, static_cast<char>('a' + bytes)));
  return log;
}

void FlipBit(std::string& bytes, size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << (bit % 8));
}

TEST(Wal, RecordsComeBackInOrder) {
  TestLog log(100);
  for (size_t bytes = 1; bytes <= 40; ++bytes)
    log.Append(std::string(bytes, static_cast<char>(bytes)));
  for (const TailRule tail : {TailRule::kWhole, TailRule::kMayBeTorn}) {
    const Replayed replayed = ReplayBytes(log.bytes(), tail);
    ASSERT_TRUE(replayed.status.ok()) << replayed.status;
    EXPECT_EQ(replayed.payloads, log.payloads());
    EXPECT_EQ(replayed.result.records, 40u);
    EXPECT_EQ(replayed.result.end_offset, log.bytes().size());
    EXPECT_EQ(replayed.result.dropped_bytes, 0u);
    EXPECT_TRUE(replayed.result.has_header);
  }
}

TEST(Wal, ALogWithoutRecordsIsWhole) {
  const Replayed replayed = ReplayBytes(TestLog().bytes(), TailRule::kWhole);
  EXPECT_TRUE(replayed.status.ok());
  EXPECT_TRUE(replayed.result.has_header);
  EXPECT_EQ(replayed.result.records, 0u);
  EXPECT_EQ(replayed.result.end_offset, kHeaderBytes);
}

TEST(Wal, EveryTruncationLeavesAPrefix) {
  const TestLog log = SmallLog();
  const std::string bytes = log.bytes();
  size_t whole_records = 0;
  for (size_t length = 0; length < bytes.size(); ++length) {
    while (log.ends()[whole_records + 1] <= length) ++whole_records;
    const std::string_view cut = std::string_view(bytes).substr(0, length);
    const Replayed torn = ReplayBytes(cut, TailRule::kMayBeTorn);
    ASSERT_TRUE(torn.status.ok()) << length << ": " << torn.status;
    EXPECT_EQ(torn.payloads, FirstOf(log.payloads(), whole_records)) << length;
    EXPECT_EQ(torn.result.has_header, length >= kHeaderBytes);
    EXPECT_EQ(torn.result.end_offset + torn.result.dropped_bytes, length);

    const bool at_a_border = length == log.ends()[whole_records];
    const Replayed whole = ReplayBytes(cut, TailRule::kWhole);
    EXPECT_EQ(whole.status.ok(), at_a_border) << length;
    EXPECT_EQ(absl::IsDataLoss(whole.status), !at_a_border) << length;
  }
}

// Records that nobody was promised: damage may take them, in order, and nothing else.
TEST(Wal, EveryFlippedBitOfAnUnsyncedLogLeavesThePrefixBeforeIt) {
  const TestLog log = SmallLog();
  std::string bytes = log.bytes();
  size_t intact = 0;  // Records before the flip.
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    if (bit / 8 == log.ends()[intact + 1]) ++intact;
    FlipBit(bytes, bit);
    const bool in_header = bit / 8 < kHeaderBytes;
    const Replayed torn = ReplayBytes(bytes, TailRule::kMayBeTorn);
    ASSERT_TRUE(torn.status.ok()) << bit << ": " << torn.status;
    EXPECT_EQ(torn.payloads, FirstOf(log.payloads(), in_header ? 0 : intact)) << bit;
    EXPECT_EQ(torn.result.has_header, !in_header);
    EXPECT_EQ(torn.result.has_stray_record, in_header);
    EXPECT_EQ(ReplayBytes(bytes, TailRule::kWhole).status.code(), absl::StatusCode::kDataLoss);
    FlipBit(bytes, bit);
  }
}

TEST(Wal, EveryFlippedBitOfASyncedRecordIsDataLossIfAnotherFollowed) {
  TestLog log;
  for (size_t bytes = 1; bytes <= 6; ++bytes) {
    log.Append(std::string(bytes, 'x'));
    log.Sync();
  }
  std::string bytes = log.bytes();
  const size_t last_begins = log.ends()[log.ends().size() - 2];
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    FlipBit(bytes, bit);
    const Replayed torn = ReplayBytes(bytes, TailRule::kMayBeTorn);
    if (bit / 8 < last_begins) {
      EXPECT_EQ(torn.status.code(), absl::StatusCode::kDataLoss) << bit;
      EXPECT_THAT(std::string(torn.status.message()), HasSubstr("log: offset "));
    } else {
      EXPECT_TRUE(torn.status.ok()) << bit << ": " << torn.status;
      EXPECT_EQ(torn.payloads, FirstOf(log.payloads(), 5));
    }
    FlipBit(bytes, bit);
  }
}

TEST(Wal, ARecordInAnotherPlaceOrSegmentIsInvalid) {
  const TestLog log = SmallLog();
  const std::string bytes = log.bytes();
  const auto frame = [&](size_t i) {
    return bytes.substr(log.ends()[i], log.ends()[i + 1] - log.ends()[i]);
  };
  // Behind the end, and in the place of another.
  std::string copied = bytes + frame(0) + frame(8);
  EXPECT_EQ(ReplayBytes(copied, TailRule::kMayBeTorn).payloads, log.payloads());
  EXPECT_FALSE(ReplayBytes(copied, TailRule::kWhole).status.ok());
  copied = bytes;
  copied.replace(log.ends()[2], frame(0).size(), frame(1));
  EXPECT_EQ(ReplayBytes(copied, TailRule::kMayBeTorn).payloads, FirstOf(log.payloads(), 2));

  const Replayed other = ReplayBytes(bytes, TailRule::kMayBeTorn, kSegment + 1);
  ASSERT_TRUE(other.status.ok());
  EXPECT_FALSE(other.result.has_header);
  EXPECT_FALSE(other.result.has_stray_record);
  EXPECT_FALSE(ReplayBytes(bytes, TailRule::kWhole, kSegment + 1).status.ok());
}

TEST(Wal, GarbageAndZerosAreAnEmptyLogOrADamagedOne) {
  for (size_t length = 0; length < 300; ++length) {
    std::string garbage;
    for (size_t i = 0; i < length; ++i) garbage += static_cast<char>(i * i * 7 + length);
    for (const std::string& bytes : {garbage, std::string(length, '\0')}) {
      const Replayed torn = ReplayBytes(bytes, TailRule::kMayBeTorn);
      ASSERT_TRUE(torn.status.ok());
      EXPECT_FALSE(torn.result.has_header);
      EXPECT_EQ(torn.result.dropped_bytes, length);
      EXPECT_EQ(ReplayBytes(bytes, TailRule::kWhole).status.code(), absl::StatusCode::kDataLoss);
    }
    // Behind good records it is a tail.
    const TestLog log = SmallLog();
    const Replayed tail = ReplayBytes(log.bytes() + garbage, TailRule::kMayBeTorn);
    ASSERT_TRUE(tail.status.ok());
    EXPECT_EQ(tail.payloads, log.payloads());
    EXPECT_EQ(tail.result.dropped_bytes, length);
  }
}

TEST(Wal, AnotherFormatIsNamedAndNotCalledEmpty) {
  std::string bytes = TestLog().bytes();
  base::StoreLittle(bytes.data() + 8, uint32_t{2});
  const std::string fields = bytes.substr(0, 12) + bytes.substr(16);
  base::StoreLittle(bytes.data() + 12, base::PlacedCrc32(kSegment, 0, fields));
  const Replayed replayed = ReplayBytes(bytes, TailRule::kMayBeTorn);
  EXPECT_EQ(replayed.status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(replayed.status.message()), HasSubstr("format 2"));
}

class WalErrors : public testing::Test {
 protected:
  memory::MemoryEnv env_;
  memory::WatchedFiles files_{*env_.env().files};
  const std::function<absl::StatusOr<base::Sequence>(const Record&)> accept_ =
      [](const Record& record) { return record.first_sequence + record.payload.size(); };
};

TEST_F(WalErrors, ARecordIsOneCall) {
  const auto writer = Writer::Create(files_, "log", kSegment, 1).value();
  EXPECT_EQ(files_.watch.appends, 1u);
  ASSERT_TRUE(writer->Append(1, 0, "abc").ok());
  EXPECT_EQ(files_.watch.appends, 2u);
  EXPECT_EQ(files_.watch.syncs, 0u);
  ASSERT_TRUE(writer->Sync().ok());
  EXPECT_EQ(files_.watch.syncs, 1u);
  EXPECT_EQ(writer->size_bytes(), kHeaderBytes + 32u);
  EXPECT_TRUE(writer->Close().ok());
}

TEST_F(WalErrors, AnEmptyOrTooLargePayloadTouchesNothing) {
  const auto writer = Writer::Create(files_, "log", kSegment, 1).value();
  const std::string largest(kPayloadBytesMax, 'x');
  EXPECT_EQ(writer->Append(1, 0, "").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(writer->Append(1, 0, largest + "x").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(files_.watch.appends, 1u);
  ASSERT_TRUE(writer->Append(1, 0, largest).ok());
  const auto result = Replay(files_, "log", kSegment, TailRule::kWhole, accept_);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->records, 1u);
}

TEST_F(WalErrors, TheLargestSequenceFits) {
  const auto writer = Writer::Create(files_, "log", kSegment, base::kSequenceMax).value();
  ASSERT_TRUE(writer->Append(base::kSequenceMax, base::kSequenceMax - 1, "x").ok());
  EXPECT_EQ(Replay(files_, "log", kSegment, TailRule::kWhole, accept_).value().records, 1u);
  ASSERT_TRUE(Writer::Create(files_, "full", kSegment, base::kSequenceMax + 1).ok());
  EXPECT_TRUE(Replay(files_, "full", kSegment, TailRule::kWhole, accept_).value().has_header);
}

TEST_F(WalErrors, AfterAFailedAppendOrSyncTheWriterRefusesEverything) {
  for (const bool in_sync : {false, true}) {
    files_.watch = {};
    const auto writer = Writer::Create(files_, in_sync ? "a" : "b", kSegment, 1).value();
    ASSERT_TRUE(writer->Append(1, 0, "one").ok());
    files_.watch.fail_append = in_sync ? 0 : 3;
    files_.watch.fail_sync = in_sync ? 1 : 0;
    EXPECT_FALSE((in_sync ? writer->Sync() : writer->Append(4, 0, "two")).ok());
    EXPECT_EQ(writer->Append(4, 0, "two").code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(writer->Sync().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(files_.watch.appends, in_sync ? 2u : 3u);
    EXPECT_EQ(files_.watch.syncs, in_sync ? 1u : 0u);
  }
}

TEST_F(WalErrors, ANameThatIsThereIsRefused) {
  ASSERT_TRUE(Writer::Create(files_, "log", kSegment, 1).ok());
  EXPECT_EQ(Writer::Create(files_, "log", kSegment, 1).status().code(),
            absl::StatusCode::kAlreadyExists);
}

TEST_F(WalErrors, AReadErrorOrAShortReadIsNotTheEndOfTheLog) {
  const auto writer = Writer::Create(files_, "log", kSegment, 1).value();
  ASSERT_TRUE(writer->Append(1, 0, "one").ok());
  files_.watch.fail_read = 1;
  EXPECT_EQ(Replay(files_, "log", kSegment, TailRule::kMayBeTorn, accept_).status().code(),
            absl::StatusCode::kUnavailable);
  files_.watch.fail_read = 0;
  files_.watch.short_reads = true;
  EXPECT_EQ(Replay(files_, "log", kSegment, TailRule::kMayBeTorn, accept_).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(WalErrors, ARecordThatSkipsASequenceIsNotPartOfTheLog) {
  const auto writer = Writer::Create(files_, "log", kSegment, 1).value();
  ASSERT_TRUE(writer->Append(1, 0, "one").ok());
  ASSERT_TRUE(writer->Append(5, 0, "five, where four belongs").ok());
  const auto result = Replay(files_, "log", kSegment, TailRule::kMayBeTorn, accept_);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->records, 1u);
  EXPECT_GT(result->dropped_bytes, 0u);
}

TEST_F(WalErrors, AnErrorOfTheVisitorIsReturnedAsItIs) {
  const auto writer = Writer::Create(files_, "log", kSegment, 1).value();
  ASSERT_TRUE(writer->Append(1, 0, "one").ok());
  const auto refuse = [](const Record&) -> absl::StatusOr<base::Sequence> {
    return absl::DataLossError("not a batch");
  };
  EXPECT_EQ(Replay(files_, "log", kSegment, TailRule::kWhole, refuse).status(),
            absl::DataLossError("not a batch"));
}

}  // namespace
}  // namespace kiban::wal
