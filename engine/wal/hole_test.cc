// Goal:   a power cut that the file system's contract allows is never called damage, and damage to
// what had
//         been promised always is, as far as what is left can tell.
// Method: logs with several records per sync, from which pages are taken away in every combination
// that a
//         power cut may choose, and then in some that only damage can explain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/wal/format.h"
#include "engine/wal/wal_test_log.h"

namespace kiban::wal {
namespace {

using testing::HasSubstr;

constexpr uint64_t kPageBytes = 128;  // Small, so that a few records fill many.

// Four records, a sync, four more that follow it.
TestLog TwoGroups() {
  TestLog log;
  for (int i = 0; i < 4; ++i) log.Append("first" + std::to_string(i));
  log.Sync();
  for (int i = 0; i < 4; ++i) log.Append("second" + std::to_string(i));
  return log;
}

void Wipe(std::string& bytes, uint64_t begin, uint64_t end) {
  std::fill(bytes.begin() + static_cast<ptrdiff_t>(begin),
            bytes.begin() + static_cast<ptrdiff_t>(end), '\0');
}

TEST(Hole, IsDamageOnlyIfALaterRecordSaysThatItWasSynced) {
  const TestLog log = TwoGroups();
  for (size_t i = 0; i < 8; ++i) {
    std::string bytes = log.bytes();
    Wipe(bytes, log.ends()[i], log.ends()[i + 1]);
    const Replayed replayed = ReplayBytes(bytes, TailRule::kMayBeTorn);
    if (i < 4) {
      EXPECT_EQ(replayed.status.code(), absl::StatusCode::kDataLoss) << i;
    } else {
      ASSERT_TRUE(replayed.status.ok()) << i << ": " << replayed.status;
      EXPECT_EQ(replayed.payloads, FirstOf(log.payloads(), i));
      EXPECT_EQ(replayed.result.dropped_bytes, bytes.size() - log.ends()[i]);
    }
  }
}

// With every page that is not synced kept or lost, and the size any there was: whatever a power cut
// leaves is a log whose synced records are there and whose others are a prefix.
void CheckEveryPowerCut(const TestLog& log) {
  const std::string bytes = log.bytes();
  const uint64_t page_count = (bytes.size() + kPageBytes - 1) / kPageBytes;
  ASSERT_LE(page_count, 10u);
  uint64_t with_stray_record = 0;
  for (uint64_t kept = 0; kept < uint64_t{1} << page_count; ++kept) {
    std::string image = bytes;
    for (uint64_t page = 0; page < page_count; ++page) {
      if ((kept >> page & 1) != 0) continue;
      const uint64_t begin = std::max(page * kPageBytes, log.synced_bytes());
      const uint64_t end = std::min((page + 1) * kPageBytes, bytes.size());
      if (begin < end) Wipe(image, begin, end);
    }
    for (const uint64_t size : log.ends()) {
      if (size < log.synced_bytes()) continue;
      const Replayed replayed = ReplayBytes(image.substr(0, size), TailRule::kMayBeTorn);
      ASSERT_TRUE(replayed.status.ok()) << kept << " size " << size << ": " << replayed.status;
      ASSERT_LE(replayed.payloads.size(), log.payloads().size());
      EXPECT_EQ(replayed.payloads, FirstOf(log.payloads(), replayed.payloads.size()));
      EXPECT_GE(replayed.result.end_offset, log.synced_bytes());
      with_stray_record += replayed.result.has_stray_record ? 1 : 0;
    }
  }
  // Not vacuous: without a sync the first page, and the header with it, is often lost alone.
  EXPECT_EQ(with_stray_record > 0, log.synced_bytes() == 0);
}

TEST(Hole, EveryPowerCutOfAnUnsyncedLogIsLegal) {
  for (const base::Sequence first_sequence : {1u, 1000u}) {
    TestLog log(first_sequence);
    for (int i = 0; i < 20; ++i) log.Append(std::string(static_cast<size_t>(1 + i * 7 % 40), 'x'));
    CheckEveryPowerCut(log);
  }
}

TEST(Hole, EveryPowerCutKeepsWhatWasSynced) {
  for (int synced = 1; synced < 20; synced += 3) {
    TestLog log(1000);
    for (int i = 0; i < 20; ++i) {
      if (i == synced) log.Sync();
      log.Append(std::string(static_cast<size_t>(1 + i * 7 % 40), 'x'));
    }
    CheckEveryPowerCut(log);
  }
}

TEST(LostHeader, IsDamageIfASyncCameBetweenTheRecordsThatAreLeft) {
  const TestLog log = TwoGroups();
  std::string bytes = log.bytes();
  Wipe(bytes, 0, kHeaderBytes);
  const Replayed replayed = ReplayBytes(bytes, TailRule::kMayBeTorn);
  EXPECT_EQ(replayed.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(replayed.payloads.empty());
  Wipe(bytes, log.ends()[4], log.ends()[5]);  // The two groups alone still tell.
  EXPECT_EQ(ReplayBytes(bytes, TailRule::kMayBeTorn).status.code(), absl::StatusCode::kDataLoss);
}

TEST(LostHeader, IsDamageIfOnlyTheRecordBehindTheSyncTells) {
  const TestLog log = TwoGroups();
  std::string bytes = log.bytes();
  Wipe(bytes, 0, log.ends()[4]);  // All that was synced is gone, header included.
  EXPECT_EQ(ReplayBytes(bytes, TailRule::kMayBeTorn).status.code(), absl::StatusCode::kDataLoss);
}

// Stated in format.h: what remains is then exactly what an unsynced log would have left.
TEST(LostHeader, CannotBeToldFromAPowerCutOnceThatRecordIsGoneToo) {
  const TestLog log = TwoGroups();
  std::string bytes = log.bytes();
  Wipe(bytes, 0, log.ends()[5]);
  const Replayed replayed = ReplayBytes(bytes, TailRule::kMayBeTorn);
  EXPECT_TRUE(replayed.status.ok());
  EXPECT_TRUE(replayed.result.has_stray_record);
  EXPECT_FALSE(replayed.result.has_header);
}

TEST(LostHeader, OfALogThatWasSyncedBeforeItsSuccessorIsAlwaysDamage) {
  std::string bytes = TestLog().bytes();
  Wipe(bytes, 0, 8);
  EXPECT_EQ(ReplayBytes(bytes, TailRule::kWhole).status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReplayBytes("", TailRule::kWhole).status.code(), absl::StatusCode::kDataLoss);
}

// A payload that is itself a log, promises and all: its records are bound to other offsets.
TEST(Hole, RecordsInsideAPayloadProveNothing) {
  const std::string inner = TwoGroups().bytes();
  TestLog log;
  log.Append("lost");
  log.Append(inner);
  std::string bytes = log.bytes();
  Wipe(bytes, log.ends()[0], log.ends()[1]);
  const Replayed replayed = ReplayBytes(bytes, TailRule::kMayBeTorn);
  ASSERT_TRUE(replayed.status.ok()) << replayed.status;
  EXPECT_TRUE(replayed.payloads.empty());
  Wipe(bytes, log.ends()[1], log.ends()[1] + kRecordHeadBytes);  // The outer record too.
  EXPECT_TRUE(ReplayBytes(bytes, TailRule::kMayBeTorn).status.ok());
  Wipe(bytes, 0, kHeaderBytes);
  EXPECT_TRUE(ReplayBytes(bytes, TailRule::kMayBeTorn).status.ok());
}

// `count` heads in a row, each of a record that reaches to the end and is not valid.
std::string FalseHeads(size_t count, base::Sequence sequence, base::Sequence durable_through) {
  std::string heads;
  for (size_t left = count; left > 0; --left) {
    base::AppendLittle(heads, uint32_t{0});
    base::AppendLittle(heads, static_cast<uint32_t>(left * kRecordHeadBytes - kRecordHeadBytes));
    base::AppendLittle(heads, sequence);
    base::AppendLittle(heads, durable_through);
  }
  return heads;
}

TEST(Hole, TheSearchGivesUpWithDataLossInsteadOfHashingForEver) {
  TestLog log;
  log.Append("x");
  const Replayed few = ReplayBytes(log.bytes() + FalseHeads(5, 3, 2), TailRule::kMayBeTorn);
  EXPECT_TRUE(few.status.ok()) << few.status;
  const Replayed many = ReplayBytes(log.bytes() + FalseHeads(1000, 3, 2), TailRule::kMayBeTorn);
  EXPECT_EQ(many.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(many.status.message()), HasSubstr("gave up"));
}

TEST(Hole, TheSearchHashesNothingThatCouldNotProveALoss) {
  TestLog log;
  log.Append("x");
  const std::string begin = log.bytes();
  const base::Sequence hole = log.next();
  const std::string sequence_too_high = FalseHeads(1000, hole + 1'000'000, hole);
  const std::string promises_nothing = FalseHeads(1000, hole + 1, hole - 1);
  const std::string promises_itself = FalseHeads(1000, hole + 1, hole + 1);
  for (const std::string& heads : {sequence_too_high, promises_nothing, promises_itself}) {
    const Replayed replayed = ReplayBytes(begin + heads, TailRule::kMayBeTorn);
    EXPECT_TRUE(replayed.status.ok()) << replayed.status;
    EXPECT_EQ(replayed.payloads, log.payloads());
  }
  // Without a header: more operations since the last sync than there are bytes before it.
  std::string lost = begin + FalseHeads(1000, 1'000'000, 2);
  Wipe(lost, 0, kHeaderBytes);
  EXPECT_TRUE(ReplayBytes(lost, TailRule::kMayBeTorn).status.ok());
}

}  // namespace
}  // namespace kiban::wal
