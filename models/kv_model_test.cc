// Goal:   the model allows what a live handle may do, and has a complaint for each thing that it
// may not. Method: tell it short lives of one client, and of two where it takes two, and look at
// each judgement.
#include "models/kv_model.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "models/testing.h"

namespace kiban::models {
namespace {

TEST(KvModel, ReadsWhatWasAcknowledged) {
  TestLife life;
  life.Put("a", "1");
  life.Put("b", "1");
  life.Put("a", "2");
  life.Delete("b");
  EXPECT_EQ(life.model.Present(), (Contents{{"a", "2"}}));
  EXPECT_EQ(life.model.last_sequence(), 4u);
  EXPECT_EQ(KindOf(life.model.CheckGet("a", 4, "2")), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckGet("b", 4, std::nullopt)), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckGet("c", 4, std::nullopt)), "allowed");
}

TEST(KvModel, ComplainsOfWrongReads) {
  TestLife life;
  life.Put("a", "1");
  life.Put("a", "2");
  life.Put("b", "1");
  life.Delete("b");
  const auto kind = [&](std::string_view key, const std::optional<std::string>& got) {
    return KindOf(life.model.CheckGet(key, life.model.last_sequence(), got));
  };
  EXPECT_EQ(kind("a", std::nullopt), kKeyMissing);
  EXPECT_EQ(kind("a", "1"), kUnexpectedValue);
  EXPECT_EQ(kind("a", ""), kUnexpectedValue);
  EXPECT_EQ(kind("b", "1"), kUnexpectedKey);
  EXPECT_EQ(kind("c", "1"), kUnexpectedKey);
}

TEST(KvModel, TellsKeySequenceAndWhoWroteIt) {
  TestLife life;
  life.Put("a", "old");
  life.Put("a", "new");
  const Judgement judgement = life.model.CheckGet("a", 2, "old");
  ASSERT_TRUE(judgement.has_value());
  EXPECT_EQ(judgement->detail,
            "key \"a\": expected \"new\", written by op 2 write at sequence 2; got \"old\", which "
            "op 1 write wrote at sequence 1; read at sequence 2");
}

TEST(KvModel, ReadsSnapshotsAfterLaterWrites) {
  TestLife life;
  life.Put("a", "1");
  life.Put("b", "1");
  const Sequence snapshot = life.model.last_sequence();
  EXPECT_EQ(KindOf(life.model.CheckSequence(snapshot)), "allowed");
  life.Put("a", "2");
  life.Delete("b");
  life.Put("c", "2");
  EXPECT_EQ(life.model.StateAt(snapshot), (Contents{{"a", "1"}, {"b", "1"}}));
  EXPECT_EQ(KindOf(life.model.CheckGet("a", snapshot, "1")), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckGet("a", snapshot, "2")), kUnexpectedValue);
  EXPECT_EQ(KindOf(life.model.CheckGet("b", snapshot, std::nullopt)), kKeyMissing);
  EXPECT_EQ(KindOf(life.model.CheckGet("c", snapshot, "2")), kUnexpectedKey);
  EXPECT_EQ(KindOf(life.model.CheckSequence(snapshot + 4)), kReadAtNoSequence);
}

TEST(KvModel, TakesBatchesInTheirOwnOrder) {
  TestLife life;
  EXPECT_EQ(life.Write({{"a", "1"}, {"b", "1"}, {"a", std::nullopt}, {"b", "2"}}), 1u);
  EXPECT_EQ(life.model.Present(), (Contents{{"b", "2"}}));
  EXPECT_EQ(life.model.last_sequence(), 4u);
}

TEST(KvModel, KeepsFailedAndRefusedWritesInvisible) {
  TestLife life;
  life.Put("a", "1");
  life.model.Fail(life.Begin({{"a", "failed"}}));
  life.model.Refuse(life.Begin({{"a", "refused"}}));
  EXPECT_EQ(life.model.Present(), (Contents{{"a", "1"}}));
  EXPECT_EQ(KindOf(life.model.CheckGet("a", 1, "1")), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckGet("a", 1, "failed")), kFailedWriteVisible);
  EXPECT_EQ(KindOf(life.model.CheckGet("a", 1, "refused")), kFailedWriteVisible);
}

TEST(KvModel, AllowsSequencesToEndOutOfOrderInTwoClients) {
  TestLife life;
  const KvModel::CallId one = life.Begin({{"a", "one"}});
  const KvModel::CallId two = life.Begin({{"a", "two"}, {"b", "two"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(two, 2, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(one, 1, false)), "allowed");
  EXPECT_EQ(life.model.Present(), (Contents{{"a", "two"}, {"b", "two"}}));
  EXPECT_EQ(life.model.StateAt(1), (Contents{{"a", "one"}}));
}

TEST(KvModel, ComplainsOfOverlappingIntervals) {
  for (const Sequence first : {1u, 2u, 3u, 4u}) {
    TestLife life;
    const KvModel::CallId late = life.Begin({{"z", "1"}, {"y", "1"}});
    life.Put("a", "1");
    life.Write({{"a", "2"}, {"b", "2"}, {"c", "2"}});
    EXPECT_EQ(KindOf(life.model.Acknowledge(late, first, false)), kSequencesOverlap) << first;
  }
}

TEST(KvModel, ComplainsOfAnOrderAgainstRealTime) {
  TestLife life;
  const KvModel::CallId open = life.Begin({{"a", "0"}});
  const KvModel::CallId first = life.Begin({{"a", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(first, 2, false)), "allowed");  // 1 may be `open`.
  const KvModel::CallId second = life.Begin({{"a", "2"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(second, 1, false)), kSequenceOutOfOrder);
  life.model.Fail(open);
}

TEST(KvModel, ComplainsOfSkippedSequencesThatNobodyCanHave) {
  TestLife life;
  life.Put("a", "1");
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "2"}}), 3, false)), kSequenceSkipped);
}

TEST(KvModel, AllowsGapsWhereAFailedWriteMayHaveTakenNumbers) {
  TestLife life;
  life.Put("a", "1");
  life.model.Fail(life.Begin({{"a", "2"}, {"b", "2"}}));
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "3"}}), 4, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "4"}}), 8, false)), kSequenceSkipped);
}

TEST(KvModel, ComplainsOfSequencesThatARecoveryHasTold) {
  TestLife life;
  life.Put("a", "1");
  life.Put("a", "2");
  life.model.Killed();
  ASSERT_EQ(life.Recover(2, {{"a", "2"}}), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "3"}}), 2, false)), kSequenceReused);
}

TEST(KvModel, AllowsSequencesThatACrashTookOrSkipped) {
  TestLife life;
  life.Put("a", "1", Sync::kYes);
  life.Put("a", "2");
  life.model.PowerCut();
  ASSERT_EQ(life.Recover(1, {{"a", "1"}}), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "3"}}), 2, true)), "allowed");
  life.model.PowerCut();
  ASSERT_EQ(life.Recover(2, {{"a", "3"}}), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "4"}}), 9, false)), "allowed");
  EXPECT_EQ(life.model.last_sequence(), 9u);
}

TEST(KvModel, ComplainsOfIntervalsWithoutAnEnd) {
  TestLife life;
  const KvModel::CallId call = life.Begin({{"a", "1"}, {"b", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(call, UINT64_MAX, false)), kSequenceSkipped);
}

TEST(KvModel, NumbersTheCallsOfAnEngineWithoutAWitness) {
  TestLife life({.witness = Witness::kCallOrder});
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "1"}}), 0, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"a", "2"}, {"b", "2"}}), 0, false)),
            "allowed");
  EXPECT_EQ(life.model.last_sequence(), 3u);
  EXPECT_EQ(life.model.StateAt(1), (Contents{{"a", "1"}}));
}

}  // namespace
}  // namespace kiban::models
