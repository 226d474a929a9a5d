// Goal:   with many clients the model allows every order that their sequences and real time allow,
//         and catches a wrong witness. Method: short histories of two writers and a reader, told in
//         the order in which calls begin and end.
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "models/kv_model.h"
#include "models/testing.h"

namespace kiban::models {
namespace {

using CallId = KvModel::CallId;

TEST(KvClients, AnswersMayComeInAnyOrder) {
  TestLife life;
  const CallId first = life.Begin({{"a", "1"}, {"b", "1"}});
  const CallId second = life.Begin({{"a", "2"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(second, 3, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(first, 1, false)), "allowed");
  EXPECT_EQ(life.model.Present(), (Contents{{"a", "2"}, {"b", "1"}}));
}

TEST(KvClients, TwoWritersWithOverlappingSequencesAreCaught) {
  TestLife life;
  const CallId first = life.Begin({{"a", "1"}, {"b", "1"}});
  const CallId second = life.Begin({{"c", "2"}, {"d", "2"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(second, 2, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(first, 1, false)), kSequencesOverlap);
}

TEST(KvClients, AWriterBehindAnAcknowledgedOneIsCaught) {
  TestLife life;
  const CallId slow = life.Begin({{"a", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"b", "1"}}), 2, false)), "allowed");
  const CallId late = life.Begin({{"c", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(late, 1, false)), kSequenceOutOfOrder);
  static_cast<void>(slow);
}

TEST(KvClients, AReadFromAnOlderSequenceIsCaught) {
  TestLife life;
  life.Put("a", "1");
  const Sequence before = life.model.NewestSeen();
  life.Put("a", "2");
  EXPECT_EQ(KindOf(life.model.Saw(1, before)), "allowed");  // It raced with the second write.
  EXPECT_EQ(KindOf(life.model.Saw(1, life.model.NewestSeen())), kReadOfThePast);
}

TEST(KvClients, AReadBehindAnotherReadIsCaught) {
  TestLife life;
  life.Put("a", "1");
  life.Begin({{"a", "2"}});
  EXPECT_EQ(KindOf(life.model.Saw(2, life.model.NewestSeen())), "allowed");
  EXPECT_EQ(KindOf(life.model.Saw(1, life.model.NewestSeen())), kReadOfThePast);
}

TEST(KvClients, AWriteBehindAReadIsCaught) {
  TestLife life;
  const CallId seen = life.Begin({{"a", "1"}, {"b", "1"}});
  EXPECT_EQ(KindOf(life.model.Saw(2, 0)), "allowed");
  const CallId late = life.Begin({{"c", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(late, 1, false)), kSequenceOutOfOrder);
  static_cast<void>(seen);
}

TEST(KvClients, AReadIsKnownOnceNoCallBeforeItCanLieBelowIt) {
  TestLife life;
  const CallId write = life.Begin({{"a", "1"}});
  const CallId read_ended = life.model.next_call();
  const CallId later = life.Begin({{"a", "2"}});
  EXPECT_TRUE(life.model.IsKnown(0, read_ended));  // Whatever is in flight lies above it.
  EXPECT_FALSE(life.model.IsKnown(1, read_ended));
  EXPECT_EQ(KindOf(life.model.Acknowledge(write, 1, false)), "allowed");
  EXPECT_TRUE(life.model.IsKnown(1, read_ended));
  EXPECT_FALSE(life.model.IsKnown(1, life.model.next_call()));
  EXPECT_EQ(KindOf(life.model.CheckGet("a", 1, "1")), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckGet("a", 1, std::nullopt)), kKeyMissing);
  life.model.Fail(later);
  EXPECT_TRUE(life.model.IsKnown(1, life.model.next_call()));
}

TEST(KvClients, AGapThatNobodyCanFillIsCaught) {
  TestLife life;
  const CallId first = life.Begin({{"a", "1"}, {"b", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"c", "1"}}), 3, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckSequence(2)), kReadAtNoSequence);
  EXPECT_EQ(KindOf(life.model.Acknowledge(first, 5, false)), kSequenceSkipped);
}

TEST(KvClients, AReadInTheMidstOfABatchOrBehindTheEndIsCaught) {
  TestLife life;
  life.Write({{"a", "1"}, {"b", "1"}});
  EXPECT_EQ(KindOf(life.model.CheckSequence(2)), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckSequence(1)), kBatchTorn);
  EXPECT_EQ(KindOf(life.model.CheckSequence(3)), kReadAtNoSequence);
}

// Each gap was excused when it arose, by calls that might have had it; in the end they had not.
TEST(KvClients, AGapThatNobodyHasFilledIsCaughtWhenAllAreAnswered) {
  TestLife life;
  life.Put("a", "1");
  const CallId two = life.Begin({{"b", "1"}, {"c", "1"}});
  const CallId one = life.Begin({{"d", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"e", "1"}}), 5, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(two, 2, false)), "allowed");
  EXPECT_EQ(KindOf(life.model.Acknowledge(one, 6, false)), kSequenceSkipped);
}

TEST(KvClients, AKillTakesNothingThatWasRead) {
  for (const Sequence found : {1u, 2u}) {
    TestLife life;
    life.Put("a", "1", Sync::kYes);
    const CallId write = life.Begin({{"a", "2"}});
    EXPECT_EQ(KindOf(life.model.Saw(2, 1)), "allowed");
    life.model.Fail(write);
    life.model.Killed();
    EXPECT_EQ(life.Recover(found, {{"a", std::to_string(found)}}),
              found == 1 ? kReadWriteLost : "allowed");
  }
}

TEST(KvClients, APowerCutTakesBackWhatWasOnlyRead) {
  TestLife life;
  life.Put("a", "1", Sync::kYes);
  const CallId write = life.Begin({{"a", "2"}});
  EXPECT_EQ(KindOf(life.model.Saw(2, 1)), "allowed");
  life.model.Fail(write);
  life.model.PowerCut();
  EXPECT_EQ(life.Recover(1, {{"a", "1"}}), "allowed");
  EXPECT_EQ(life.model.NewestSeen(), 1u);
  life.Put("b", "1");
}

// Three clients were cut off; two of their writes are before one that was acknowledged as durable.
TEST(KvClients, WritesInFlightMayLieBeforeADurableOne) {
  TestLife life;
  const CallId first = life.Begin({{"a", "1"}});
  const CallId second = life.Begin({{"b", "1"}, {"c", "1"}});
  const CallId third = life.Begin({{"d", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(third, 4, true)), "allowed");
  const CallId fourth = life.Begin({{"e", "1"}});
  life.model.Fail(first);
  life.model.Fail(second);
  life.model.Fail(fourth);
  life.model.PowerCut();
  const Contents all = {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}};
  EXPECT_EQ(life.Recover(4, all), "allowed");
}

TEST(KvClients, ADurableWriteBesideOnesInFlightIsMissed) {
  TestLife life;
  const CallId first = life.Begin({{"a", "1"}});
  EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"b", "1"}}), 2, true)), "allowed");
  life.model.Fail(first);
  life.model.PowerCut();
  EXPECT_EQ(life.Recover(1, {{"a", "1"}}), kDurableWriteLost);
}

}  // namespace
}  // namespace kiban::models
