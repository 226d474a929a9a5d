// Goal:   a damaged log never loses what anything left in it had promised, and never shows anything
//         but what stood before the damage. A log that had a successor loses nothing at all.
// Method: three logs behind the same database: one synced now and then, one never, one that another
//         log follows. Every bit is flipped, every length cut, every number of header and heads
//         misstated under a good checksum. The rule of engine/wal/format.h, applied to what the
//         script knows of its records, says for each damage whether the open must refuse, and what
//         must be read if it does not.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/manifest_format.h"
#include "engine/wal/format.h"
#include "suites/formats/scripted_log.h"
#include "suites/formats/seal.h"

namespace kiban::suites {
namespace {

const lsm::KibanOptions kOptions = {.block_bytes = 128};
constexpr size_t kSequenceAt = 8;
constexpr size_t kDurableThroughAt = 16;

std::string LogName(uint64_t number) { return lsm::LogPath("", number).substr(1); }

// A table, a manifest, and no log: what a script is put behind.
struct Base {
  Files files;
  Contents contents;
  uint64_t log = 0;  // The number of the first live one.
  base::Sequence last_sequence = 0;
};

Base MakeBase() {
  Base made;
  memory::MemoryEnv env;
  const auto db = lsm::Db::Open(env.env(), "db", kOptions).value();
  for (int i = 0; i < 5; ++i) {
    const std::string key = absl::StrCat("key", i);
    CHECK(db->Put(key, "of the table", {.sync = true}).ok());
    made.contents[key] = "of the table";
  }
  CHECK(db->Flush().ok());
  made.files = FilesOfDatabase(env);
  const auto manifest = lsm::DecodeManifest("MANIFEST", made.files.at("MANIFEST")).value();
  made.log = manifest.min_log;
  made.last_sequence = manifest.last_sequence;
  CHECK(made.files.erase(LogName(made.log)) == 1);
  return made;
}

// Records 0, 2, 4 are the last before a sync; what stands behind record 4 was never promised.
std::vector<ScriptedWrite> SyncedNowAndThen() {
  return {{.puts = {{"key0", "0"}}, .is_synced = true},
          {.puts = {{"key1", "1"}}},
          {.puts = {{"key2", "2"}, {"key5", ""}}, .deletes = {"key0"}, .is_synced = true},
          {.deletes = {"key3"}},
          {.puts = {{"key4", "4444444"}}, .is_synced = true},
          {.puts = {{"key6", "6"}, {"key7", "777"}}},
          {.puts = {{"key8", "last"}}}};
}

std::vector<ScriptedWrite> WithoutSyncs() {
  std::vector<ScriptedWrite> writes = SyncedNowAndThen();
  for (ScriptedWrite& write : writes) write.is_synced = false;
  return writes;
}

std::set<std::string> AllKeys() {
  std::set<std::string> keys;
  for (int i = 0; i < 10; ++i) keys.insert(absl::StrCat("key", i));
  return keys;
}

class LogDamage : public testing::Test {
 protected:
  static constexpr size_t kHeader = SIZE_MAX;  // Stands for the index of a record.

  ScriptedLog Write(const std::vector<ScriptedWrite>& writes) const {
    return WriteLog(base_.log, base_.last_sequence + 1, base_.contents, writes);
  }

  // The database with this log in the place of the script's, with what follows it.
  Judgement JudgeState(const std::string& bytes, const Contents& expected) const {
    Files files = base_.files;
    files[LogName(base_.log)] = bytes;
    if (!successor_.empty()) files[LogName(base_.log + 1)] = successor_;
    return JudgeDatabase(files, kOptions, expected, AllKeys());
  }

  // Damage that lies in record `i`. A cut takes what is behind it too, all testimony with it.
  Judgement Judge(const ScriptedLog& log, size_t i, bool is_cut, const std::string& bytes) const {
    Judgement whole = JudgeState(bytes, whole_state_.empty() ? log.states.back() : whole_state_);
    if (whole.outcome != Outcome::kUndetected) return whole;
    if (!successor_.empty()) return whole;
    const bool is_header = i == kHeader;
    Judgement before = JudgeState(bytes, log.states[is_header ? 0 : i]);
    if (before.outcome != Outcome::kHarmless) return before;
    const bool is_promised = is_header ? log.IsHeaderPromised() : log.IsPromised(i);
    if (is_promised && !is_cut) return {Outcome::kUndetected, "dropped what was promised"};
    return {Outcome::kDropped, {}};
  }

  void FlipAndCut(const ScriptedLog& log, Ledger& ledger) const;
  void Lie(const ScriptedLog& log, Ledger& ledger) const;

  Base base_ = MakeBase();
  std::string successor_;
  Contents whole_state_;  // With a successor: what both logs make.
};

void LogDamage::FlipAndCut(const ScriptedLog& log, Ledger& ledger) const {
  const auto damage = [&](const std::string& name, const Part& part, size_t i) {
    FlipEveryBit(log.bytes, part, [&](const std::string& what, const std::string& bytes) {
      ledger.Add(name, DamageKind::kFlip, what, Judge(log, i, false, bytes));
    });
    CutAtEveryByte(log.bytes, part, [&](const std::string& what, const std::string& bytes) {
      ledger.Add(name, DamageKind::kCut, what, Judge(log, i, true, bytes));
    });
  };
  damage("header", {"header", 0, wal::kHeaderBytes}, kHeader);
  size_t end = wal::kHeaderBytes;
  for (size_t i = 0; i < log.records.size(); ++i) {
    ASSERT_EQ(log.records[i].frame.begin, end);
    damage("records", log.records[i].frame, i);
    end = log.records[i].frame.end();
  }
  ASSERT_EQ(end, log.bytes.size());
  EXPECT_EQ(ledger.of("header", DamageKind::kFlip).total(), wal::kHeaderBytes * 8u);
  EXPECT_EQ(ledger.of("header", DamageKind::kCut).total(), wal::kHeaderBytes);
  EXPECT_EQ(ledger.of("records", DamageKind::kFlip).total(), (end - wal::kHeaderBytes) * 8);
  EXPECT_EQ(ledger.of("records", DamageKind::kCut).total(), end - wal::kHeaderBytes);
  EXPECT_EQ(ledger.undetected(), "");
  EXPECT_EQ(ledger.total(Outcome::kReadFails), 0u);
}

void LogDamage::Lie(const ScriptedLog& log, Ledger& ledger) const {
  const auto misstate = [&](const std::string& part, size_t i, size_t at, size_t width) {
    const uint64_t before = ledger.of(part, DamageKind::kLie).total();
    MisstateNumber(log.bytes, "number", at, width, [&](const std::string& what, std::string lying) {
      if (i == kHeader) {
        SealLogHeader(lying, base_.log);
      } else {
        SealRecord(lying, base_.log, log.records[i].frame.begin);
      }
      ledger.Add(part, DamageKind::kLie, what, Judge(log, i, false, lying));
    });
    EXPECT_GE(ledger.of(part, DamageKind::kLie).total(), before + 7);
  };
  misstate("header", kHeader, 8, 4);
  for (const size_t at : {0u, 16u, 24u}) misstate("header", kHeader, at, 8);
  for (size_t i = 0; i < log.records.size(); ++i) {
    const size_t begin = log.records[i].frame.begin;
    misstate("record heads", i, begin + 4, 4);
    misstate("record heads", i, begin + kSequenceAt, 8);
    misstate("record heads", i, begin + kDurableThroughAt, 8);
  }
  EXPECT_EQ(ledger.undetected(), "");
  EXPECT_EQ(ledger.total(Outcome::kReadFails), 0u);
}

TEST_F(LogDamage, SealingAWholeLogChangesNothing) {
  const ScriptedLog log = Write(SyncedNowAndThen());
  std::string sealed = log.bytes;
  SealLogHeader(sealed, base_.log);
  for (const ScriptedRecord& record : log.records) {
    SealRecord(sealed, base_.log, record.frame.begin);
  }
  EXPECT_EQ(sealed, log.bytes);
  EXPECT_EQ(JudgeState(log.bytes, log.states.back()).outcome, Outcome::kHarmless);
}

TEST_F(LogDamage, OfASyncedLogIsRefusedUpToTheLastTestimony) {
  const ScriptedLog log = Write(SyncedNowAndThen());
  Ledger ledger("log, synced");
  FlipAndCut(log, ledger);
  EXPECT_EQ(ledger.of("header", DamageKind::kFlip).of(Outcome::kRefused), wal::kHeaderBytes * 8u);
  uint64_t promised_bytes = 0;
  uint64_t other_bytes = 0;
  for (size_t i = 0; i < log.records.size(); ++i) {
    (log.IsPromised(i) ? promised_bytes : other_bytes) += log.records[i].frame.bytes;
  }
  EXPECT_EQ(log.records[4].frame.end(), log.synced_bytes);
  EXPECT_EQ(promised_bytes, log.synced_bytes - wal::kHeaderBytes) << "record 6 testifies for 4";
  EXPECT_GT(other_bytes, 0u);
  const Tally& flips = ledger.of("records", DamageKind::kFlip);
  EXPECT_EQ(flips.of(Outcome::kRefused), promised_bytes * 8);
  EXPECT_EQ(flips.of(Outcome::kDropped), other_bytes * 8);
  EXPECT_EQ(ledger.of("records", DamageKind::kCut).of(Outcome::kDropped),
            promised_bytes + other_bytes);
}

TEST_F(LogDamage, OfALogThatWasNeverSyncedIsDropped) {
  const ScriptedLog log = Write(WithoutSyncs());
  Ledger ledger("log, unsynced");
  FlipAndCut(log, ledger);
  EXPECT_EQ(ledger.total(Outcome::kDropped), log.bytes.size() * 9);
}

TEST_F(LogDamage, OfALogWithASuccessorIsRefused) {
  const ScriptedLog log = Write(SyncedNowAndThen());
  for (const bool is_empty : {false, true}) {
    std::vector<ScriptedWrite> more;
    if (!is_empty) more.push_back({.puts = {{"key9", "9"}}, .is_synced = true});
    const ScriptedLog successor =
        WriteLog(base_.log + 1, log.last_sequence + 1, log.states.back(), more);
    successor_ = successor.bytes;
    whole_state_ = successor.states.back();
    ASSERT_EQ(JudgeState(log.bytes, whole_state_).outcome, Outcome::kHarmless);
    Ledger ledger(is_empty ? "log, old, 1" : "log, old, 2");
    FlipAndCut(log, ledger);
    EXPECT_EQ(ledger.total(Outcome::kRefused), log.bytes.size() * 9);
    Lie(log, ledger);

    Files files = base_.files;
    files[LogName(base_.log + 1)] = successor_;
    EXPECT_EQ(JudgeDatabase(files, kOptions, whole_state_, AllKeys()).outcome, Outcome::kRefused)
        << "the log itself is gone";
  }
}

TEST_F(LogDamage, LiesUnderAGoodChecksumLoseNothingThatWasPromised) {
  for (const bool is_synced : {true, false}) {
    const ScriptedLog log = Write(is_synced ? SyncedNowAndThen() : WithoutSyncs());
    Ledger ledger(is_synced ? "log, synced" : "log, unsynced");
    Lie(log, ledger);
    EXPECT_GT(ledger.of("header", DamageKind::kLie).of(Outcome::kUnknown), 6u);
    EXPECT_GT(ledger.total(Outcome::kRefused), 0u);
    EXPECT_GT(ledger.total(Outcome::kHarmless), 0u) << "a durable_through that says less";
  }
}

}  // namespace
}  // namespace kiban::suites
