// Goal:   after a recovery exactly what a legal crash can leave is allowed, and everything else has
// a
//         complaint of its own.
// Method: short lives with one crash or two; for each the allowed outcomes and the nearest
// forbidden ones,
//         each on a life of its own, because a complaint ends a life.
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/kv_model.h"
#include "models/testing.h"

namespace kiban::models {
namespace {

// Synced: a=1 (1). Not synced: batch a=2 b=2 (2, 3), c=3 (4). Never answered: batch d=4 a=4 (5, 6).
TestLife FourWrites(const KvModel::Options& options = KvModel::Options()) {
  TestLife life(options);
  life.Put("a", "1", Sync::kYes);
  life.Write({{"a", "2"}, {"b", "2"}});
  life.Put("c", "3");
  life.WriteInFlight({{"d", "4"}, {"a", "4"}});
  return life;
}

const Contents kAt1 = {{"a", "1"}};
const Contents kAt3 = {{"a", "2"}, {"b", "2"}};
const Contents kAt4 = {{"a", "2"}, {"b", "2"}, {"c", "3"}};
const Contents kAt6 = {{"a", "4"}, {"b", "2"}, {"c", "3"}, {"d", "4"}};

enum class Crash : uint8_t { kKill, kPower };

std::string AfterCrash(Crash crash, Sequence last_sequence, const Contents& found,
                       const KvModel::Options& options = KvModel::Options()) {
  TestLife life = FourWrites(options);
  crash == Crash::kKill ? life.model.Killed() : life.model.PowerCut();
  const std::string kind = life.Recover(last_sequence, found);
  if (kind == "allowed") {
    EXPECT_EQ(life.model.Present(), found);
    EXPECT_EQ(life.model.StateAt(UINT64_MAX), found);
    EXPECT_EQ(life.model.last_sequence(), last_sequence);
  } else {
    EXPECT_FALSE(life.last->detail.empty());
  }
  return kind;
}

TEST(Recovery, OfNothingFindsNothing) {
  TestLife life;
  EXPECT_EQ(life.Recover(0, {}), "allowed");
  TestLife haunted;
  EXPECT_EQ(haunted.Recover(0, {{"a", "1"}}), kUnexpectedKey);
  TestLife numbered;
  EXPECT_EQ(numbered.Recover(1, {}), kStateAtNoSequence);
}

TEST(Recovery, AfterAPowerCutMayLoseASuffix) {
  EXPECT_EQ(AfterCrash(Crash::kPower, 1, kAt1), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kPower, 3, kAt3), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kPower, 4, kAt4), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kPower, 6, kAt6), "allowed");
}

TEST(Recovery, AfterAKillKeepsWhatWasAcknowledged) {
  EXPECT_EQ(AfterCrash(Crash::kKill, 4, kAt4), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kKill, 6, kAt6), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kKill, 3, kAt3), kAcknowledgedWriteLost);
  EXPECT_EQ(AfterCrash(Crash::kKill, 1, kAt1), kAcknowledgedWriteLost);
  EXPECT_EQ(AfterCrash(Crash::kKill, 0, {}), kDurableWriteLost);
}

TEST(Recovery, AfterAKillMayLoseWhatTheEngineDoesNotPromise) {
  EXPECT_EQ(AfterCrash(Crash::kKill, 3, kAt3, {.kill_takes_nothing = false}), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kKill, 0, {}, {.kill_takes_nothing = false}), kDurableWriteLost);
}

TEST(Recovery, AfterAFailedSyncAndAKillMayLoseASuffix) {
  TestLife life = FourWrites();
  life.model.SyncFailed();
  life.model.Killed();
  EXPECT_EQ(life.Recover(3, kAt3), "allowed");
  life.Put("a", "5");  // The doubt ended with the recovery.
  life.model.Killed();
  EXPECT_EQ(life.Recover(3, kAt3), kAcknowledgedWriteLost);
}

TEST(Recovery, ComplainsOfLostDurableWrites) {
  EXPECT_EQ(AfterCrash(Crash::kPower, 0, {}), kDurableWriteLost);
  EXPECT_EQ(AfterCrash(Crash::kPower, 1, {}), kDurableWriteLost);
  EXPECT_EQ(AfterCrash(Crash::kPower, 1, {{"a", "x"}}), kDurableWriteLost);
}

TEST(Recovery, ComplainsOfContentsThatAreNotAtTheirSequence) {
  EXPECT_EQ(AfterCrash(Crash::kPower, 4, kAt3), kKeyMissing);
  EXPECT_EQ(AfterCrash(Crash::kPower, 3, kAt4), kUnexpectedKey);
  EXPECT_EQ(AfterCrash(Crash::kPower, 4, kAt6), kUnexpectedValue);
  EXPECT_EQ(AfterCrash(Crash::kPower, 6, kAt4), kUnexpectedValue);
  EXPECT_EQ(AfterCrash(Crash::kKill, 4, kAt3), kAcknowledgedWriteLost);
  EXPECT_EQ(AfterCrash(Crash::kPower, 7, kAt6), kStateAtNoSequence);
}

TEST(Recovery, ComplainsOfTornBatches) {
  EXPECT_EQ(AfterCrash(Crash::kPower, 2, {{"a", "2"}}), kBatchTorn);
  EXPECT_EQ(AfterCrash(Crash::kPower, 5, kAt6), kBatchTorn);
  EXPECT_EQ(AfterCrash(Crash::kPower, 3, {{"a", "2"}}), kBatchTorn);
  EXPECT_EQ(AfterCrash(Crash::kPower, 3, {{"a", "1"}, {"b", "2"}}), kBatchTorn);
  EXPECT_EQ(AfterCrash(Crash::kPower, 1, {{"a", "1"}, {"b", "2"}}), kBatchTorn);
  Contents half_in_flight = kAt4;
  half_in_flight["d"] = "4";
  EXPECT_EQ(AfterCrash(Crash::kPower, 4, half_in_flight), kBatchTorn);
  EXPECT_EQ(AfterCrash(Crash::kPower, 6, half_in_flight), kBatchTorn);
}

TEST(Recovery, MayTearBatchesOfWhichNothingIsPromised) {
  const KvModel::Options torn = {.batches_whole = false};
  EXPECT_EQ(AfterCrash(Crash::kPower, 2, {{"a", "2"}}, torn), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kPower, 2, {{"a", "1"}, {"b", "2"}}, torn), kUnexpectedValue);
  Contents half_in_flight = kAt4;
  half_in_flight["d"] = "4";
  EXPECT_EQ(AfterCrash(Crash::kPower, 5, half_in_flight, torn), "allowed");
  EXPECT_EQ(AfterCrash(Crash::kPower, 6, half_in_flight, torn), kUnexpectedValue);
}

TEST(Recovery, MakesWhatItFoundDurable) {
  TestLife life = FourWrites();
  life.model.Killed();
  ASSERT_EQ(life.Recover(6, kAt6), "allowed");
  life.model.PowerCut();
  EXPECT_EQ(life.Recover(4, kAt4), kDurableWriteLost);
}

TEST(Recovery, ThatIsInterruptedSettlesNothing) {
  for (const bool is_in : {false, true}) {
    TestLife life = FourWrites();
    life.model.Killed();
    life.model.Killed();
    EXPECT_EQ(life.Recover(is_in ? 6 : 4, is_in ? kAt6 : kAt4), "allowed");
  }
}

TEST(Recovery, AfterKillAndPowerCutLosesWhatOnlyTheKillKept) {
  TestLife life = FourWrites();
  life.model.Killed();
  life.model.PowerCut();  // In the midst of the recovery from the kill.
  EXPECT_EQ(life.Recover(1, kAt1), "allowed");
}

TEST(Recovery, SettlesMaybesForEver) {
  TestLife life = FourWrites();
  life.model.Killed();
  ASSERT_EQ(life.Recover(4, kAt4), "allowed");
  life.model.PowerCut();
  Contents haunted = kAt4;
  haunted["d"] = "4";
  EXPECT_EQ(life.Recover(4, haunted), kFailedWriteVisible);

  TestLife other = FourWrites();
  other.model.Killed();
  ASSERT_EQ(other.Recover(4, kAt4), "allowed");
  other.model.PowerCut();
  EXPECT_EQ(other.Recover(6, kAt6), kStateAtNoSequence);
}

TEST(Recovery, ComplainsOfLostWritesThatComeBack) {
  TestLife life = FourWrites();
  life.model.PowerCut();
  ASSERT_EQ(life.Recover(1, kAt1), "allowed");
  EXPECT_EQ(KindOf(life.model.CheckGet("c", 1, "3")), kLostWriteCameBack);
  life.Put("a", "5");
  life.model.Killed();
  EXPECT_EQ(life.Recover(2, {{"a", "5"}, {"b", "2"}}), kLostWriteCameBack);
}

TEST(Recovery, BelievesBarriersFromWhereTheyBegan) {
  const auto recover_at = [](Sequence last_sequence, const Contents& found) {
    TestLife life;
    life.Put("a", "1");
    const Sequence barrier = life.model.BeginBarrier();
    life.Put("b", "2");
    life.model.BarrierHeld(barrier);
    life.model.PowerCut();
    return life.Recover(last_sequence, found);
  };
  EXPECT_EQ(recover_at(0, {}), kDurableWriteLost);
  EXPECT_EQ(recover_at(1, {{"a", "1"}}), "allowed");
}

TEST(Recovery, KeepsEverythingBeforeASyncedWrite) {
  TestLife life;
  life.Put("a", "1");
  life.Delete("a", Sync::kYes);
  life.model.PowerCut();
  EXPECT_EQ(life.Recover(2, {{"a", "1"}}), kDurableWriteLost);  // A delete is a write.
}

TEST(Recovery, TellsWhatPromisedWhatIsGone) {
  TestLife life;
  life.Put("a", "1");
  life.Put("b", "2");
  life.SyncAll();
  life.model.PowerCut();
  ASSERT_EQ(life.Recover(2, {{"b", "2"}}), kDurableWriteLost);
  EXPECT_EQ(
      life.last->detail,
      "key \"a\": expected \"1\", written by op 1 write at sequence 1, made durable by a later "
      "sync or flush; got nothing; recovered at sequence 2");
}

// Two clients: `one` in flight at 2, `two` acknowledged at 3.
TEST(Recovery, FindsMaybesInGapsByTheirContents) {
  const auto recover_at = [](Sequence last_sequence, const Contents& found) {
    TestLife life;
    life.Put("a", "0");
    const KvModel::CallId one = life.Begin({{"a", "one"}, {"b", "one"}});
    const KvModel::CallId two = life.Begin({{"a", "two"}});
    EXPECT_EQ(KindOf(life.model.Acknowledge(two, 4, false)), "allowed");
    life.model.Fail(one);
    life.model.Killed();
    return life.Recover(last_sequence, found);
  };
  EXPECT_EQ(recover_at(4, {{"a", "two"}}), "allowed");
  EXPECT_EQ(recover_at(4, {{"a", "two"}, {"b", "one"}}), "allowed");
  EXPECT_EQ(recover_at(6, {{"a", "one"}, {"b", "one"}}), "allowed");
  EXPECT_EQ(recover_at(4, {{"a", "one"}, {"b", "one"}}), kAcknowledgedWriteLost);
  EXPECT_EQ(recover_at(6, {{"a", "two"}, {"b", "one"}}), kBatchTorn);
}

// What failed before another call began is older than it.
TEST(Recovery, KeepsFailedWritesBeforeWhatBeganLater) {
  const auto recover_at = [](Sequence last_sequence, const Contents& found) {
    TestLife life;
    life.Put("a", "0");
    life.model.Fail(life.Begin({{"a", "failed"}}));
    life.model.SyncFailed();
    EXPECT_EQ(KindOf(life.model.Acknowledge(life.Begin({{"b", "1"}}), 3, false)), "allowed");
    life.model.Killed();
    return life.Recover(last_sequence, found);
  };
  EXPECT_EQ(recover_at(3, {{"a", "failed"}, {"b", "1"}}), "allowed");
  EXPECT_EQ(recover_at(3, {{"a", "0"}, {"b", "1"}}), "allowed");
  EXPECT_EQ(recover_at(2, {{"a", "failed"}}), "allowed");
  EXPECT_EQ(recover_at(2, {{"a", "0"}}), kUnexpectedValue);
  EXPECT_EQ(recover_at(4, {{"a", "failed"}, {"b", "1"}}), kStateAtNoSequence);
}

TEST(Recovery, FindsTheOrderOfSeveralMaybes) {
  const auto recover_at = [](Sequence last_sequence, const Contents& found) {
    TestLife life;
    std::vector<KvModel::CallId> calls;
    for (const char* const name : {"1", "2", "3"}) calls.push_back(life.Begin({{"a", name}}));
    for (const KvModel::CallId call : calls) life.model.Fail(call);
    life.model.PowerCut();
    return life.Recover(last_sequence, found);
  };
  EXPECT_EQ(recover_at(0, {}), "allowed");
  for (const char* const winner : {"1", "2", "3"}) {
    for (const Sequence at : {1u, 2u, 3u}) {
      EXPECT_EQ(recover_at(at, {{"a", winner}}), "allowed") << winner << at;
    }
  }
  EXPECT_EQ(recover_at(3, {{"a", "4"}}), kUnexpectedValue);
}

// The numbers of `one` are taken although it is out.
TEST(Recovery, FindsMaybesBehindNumbersThatOthersTook) {
  const auto recover_at = [](Sequence last_sequence, const Contents& found) {
    TestLife life;
    life.Put("a", "0");
    const KvModel::CallId one = life.Begin({{"a", "one"}, {"b", "one"}});
    const KvModel::CallId two = life.Begin({{"c", "two"}});
    life.model.Fail(one);
    life.model.Fail(two);
    life.model.Killed();
    return life.Recover(last_sequence, found);
  };
  EXPECT_EQ(recover_at(4, {{"a", "0"}, {"c", "two"}}), "allowed");
  EXPECT_EQ(recover_at(4, {{"a", "one"}, {"b", "one"}, {"c", "two"}}), "allowed");
  EXPECT_EQ(recover_at(5, {{"a", "0"}, {"c", "two"}}), kStateAtNoSequence);
}

// A call that began after another had returned is newer than it, gap or not.
TEST(Recovery, PutsNoMaybeBeforeWhatItsCallerHadSeen) {
  const auto recover_at = [](Sequence last_sequence, const Contents& found) {
    TestLife life;
    const KvModel::CallId one = life.Begin({{"a", "one"}});
    const KvModel::CallId two = life.Begin({{"b", "two"}});
    EXPECT_EQ(KindOf(life.model.Acknowledge(two, 2, false)), "allowed");
    const KvModel::CallId three = life.Begin({{"c", "three"}});
    life.model.Fail(one);
    life.model.Fail(three);
    life.model.Killed();
    return life.Recover(last_sequence, found);
  };
  EXPECT_EQ(recover_at(2, {{"a", "one"}, {"b", "two"}}), "allowed");
  EXPECT_EQ(recover_at(3, {{"b", "two"}, {"c", "three"}}), "allowed");
  EXPECT_EQ(recover_at(2, {{"b", "two"}, {"c", "three"}}), kUnexpectedKey);
}

TEST(Recovery, CallsNoBatchTornThatIsWhollyMissing) {
  TestLife life;
  life.Write({{"a", std::nullopt}, {"b", "1"}});  // Its delete cannot be seen.
  life.model.PowerCut();
  EXPECT_EQ(life.Recover(2, {}), kKeyMissing);
}

TEST(Recovery, GivesUpOverTooManyMaybes) {
  TestLife life;
  std::vector<KvModel::CallId> calls;
  for (int i = 0; i < 12; ++i) calls.push_back(life.Begin({{"a", std::to_string(i)}}));
  for (const KvModel::CallId call : calls) life.model.Fail(call);
  life.model.PowerCut();
  EXPECT_EQ(life.Recover(12, {{"a", "unknown"}}), kUndecided);
}

TEST(RecoveryWithoutAWitness, FindsTheNewestState) {
  const KvModel::Options options = {.witness = Witness::kCallOrder};
  for (const Contents& found : {kAt1, kAt3, kAt4, kAt6}) {
    TestLife life = FourWrites(options);
    life.model.PowerCut();
    EXPECT_EQ(life.Recover(0, found), "allowed");
    EXPECT_EQ(life.model.Present(), found);
  }
  TestLife killed = FourWrites(options);
  killed.model.Killed();
  EXPECT_EQ(killed.Recover(0, kAt3), kAcknowledgedWriteLost);
}

TEST(RecoveryWithoutAWitness, SettlesWhatItFound) {
  TestLife life = FourWrites({.witness = Witness::kCallOrder});
  life.model.PowerCut();
  ASSERT_EQ(life.Recover(0, kAt3), "allowed");
  life.Put("e", "5");
  EXPECT_EQ(life.model.last_sequence(), 7u);  // Numbers are not given twice.
  life.model.PowerCut();
  EXPECT_EQ(life.Recover(0, kAt1), kDurableWriteLost);
}

TEST(RecoveryWithoutAWitness, ComplainsOfWhatNoPrefixExplains) {
  const auto kind = [](const Contents& found) {
    TestLife life;
    life = FourWrites({.witness = Witness::kCallOrder});
    life.model.PowerCut();
    return life.Recover(0, found);
  };
  EXPECT_EQ(kind({}), kDurableWriteLost);
  EXPECT_EQ(kind({{"a", "1"}, {"c", "3"}}), kStateAtNoSequence);  // A hole.
  EXPECT_EQ(kind({{"a", "2"}}), kBatchTorn);
  EXPECT_EQ(kind({{"a", "2"}, {"b", "2"}, {"c", "3"}, {"d", "4"}}), kBatchTorn);
  EXPECT_EQ(kind({{"a", "1"}, {"x", "1"}}), kUnexpectedKey);
  EXPECT_EQ(kind({{"a", "2"}, {"b", "x"}}), kUnexpectedKey);
}

// An engine that is not poisoned by an error goes on; what failed keeps its place in the order.
TEST(RecoveryWithoutAWitness, FindsFailedWritesAmongLaterOnes) {
  for (const bool is_in : {false, true}) {
    TestLife life({.witness = Witness::kCallOrder});
    life.Put("a", "1");
    life.model.Fail(life.Begin({{"a", "2"}, {"b", "2"}}));
    life.Put("c", "3", Sync::kYes);
    life.model.PowerCut();
    const Contents out = {{"a", "1"}, {"c", "3"}};
    const Contents in = {{"a", "2"}, {"b", "2"}, {"c", "3"}};
    EXPECT_EQ(life.Recover(0, is_in ? in : out), "allowed");
    EXPECT_EQ(life.model.Present(), is_in ? in : out);
  }
}

}  // namespace
}  // namespace kiban::models
