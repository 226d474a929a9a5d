// Goal:   no damage to a MANIFEST, and none that lies under a good checksum, makes a database
//         answer wrongly.
// Method: a database of three levels with a log that holds what no table has. Every bit is flipped,
//         every length cut, every number misstated; whoever opens it must refuse or answer as ever.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/lsm/manifest_format.h"
#include "suites/formats/database_judge.h"
#include "suites/formats/seal.h"

namespace kiban::suites {
namespace {

const lsm::KibanOptions kOptions = {.block_bytes = 128, .l0_compaction_trigger = 8};

struct Database {
  Files files;
  Contents contents;
  std::set<std::string> keys;
  lsm::Manifest manifest;
  std::vector<std::string> earlier;

  const std::string& bytes() const { return files.at("MANIFEST"); }
};

// Each key is in several tables, so that a table which is left out, or taken for older than it is,
// shows.
Database MakeDatabase() {
  Database made;
  memory::MemoryEnv env;
  const auto db = lsm::Db::Open(env.env(), "db", kOptions).value();
  const auto put = [&](const std::string& key, const std::string& value) {
    CHECK(db->Put(key, value, {.sync = true}).ok());
    made.keys.insert(key);
    made.contents[key] = value;
  };
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 6; ++i) put(absl::StrCat("key", i), absl::StrCat(i, " of ", round));
    CHECK(db->Delete(absl::StrCat("key", round), {.sync = true}).ok());
    made.contents.erase(absl::StrCat("key", round));
    if (round < 3) made.earlier.push_back(FilesOfDatabase(env).at("MANIFEST"));
    if (round == 0) CHECK(db->Compact().ok());
    if (round > 0 && round < 3) CHECK(db->Flush().ok());
  }
  made.files = FilesOfDatabase(env);
  made.manifest = lsm::DecodeManifest("MANIFEST", made.bytes()).value();
  return made;
}

class ManifestDamage : public testing::Test {
 protected:
  Judgement Judge(const std::string& manifest) const {
    Files files = database_.files;
    files["MANIFEST"] = manifest;
    return JudgeDatabase(files, kOptions, database_.contents, database_.keys);
  }
  void Count(std::string_view part, DamageKind kind, const std::string& what, std::string bytes) {
    if (kind == DamageKind::kSealedFlip || kind == DamageKind::kLie) SealManifest(bytes);
    if (bytes != bytes_) ledger_.Add(part, kind, what, Judge(bytes));  // It was the checksum.
  }
  void Misstate(const std::string& part, size_t at, size_t width) {
    ++numbers_[part];
    MisstateNumber(bytes_, part, at, width, [&](const std::string& what, const std::string& lying) {
      Count(part, DamageKind::kLie, what, lying);
    });
  }

  const Database database_ = MakeDatabase();
  const std::string bytes_ = database_.bytes();
  const Part head_{"head", 0, lsm::kManifestHeadBytes};
  const Part body_{"body", head_.bytes, bytes_.size() - head_.bytes};
  std::map<std::string, uint64_t> numbers_;  // Misstated, by part.
  Ledger ledger_{"manifest"};
};

TEST_F(ManifestDamage, TheDatabaseHasAllThatCanBeLiedAbout) {
  EXPECT_EQ(Judge(bytes_).outcome, Outcome::kHarmless);
  std::string sealed = bytes_;
  SealManifest(sealed);
  EXPECT_EQ(sealed, bytes_);
  size_t levels = 0;
  for (const auto& tables : database_.manifest.levels) levels += tables.empty() ? 0 : 1;
  EXPECT_EQ(levels, 2u);
  EXPECT_EQ(database_.manifest.levels[0].size(), 2u);
}

TEST_F(ManifestDamage, EveryFlippedBitIsRefused) {
  for (const Part& part : {head_, body_}) {
    FlipEveryBit(bytes_, part, [&](const std::string& what, const std::string& damaged) {
      Count(part.name, DamageKind::kFlip, what, damaged);
    });
    const Tally& flips = ledger_.of(part.name, DamageKind::kFlip);
    EXPECT_EQ(flips.total(), part.bytes * 8);
    EXPECT_EQ(flips.of(Outcome::kRefused), part.bytes * 8);
  }
}

TEST_F(ManifestDamage, EveryCutIsRefused) {
  for (const Part& part : {head_, body_}) {
    CutAtEveryByte(bytes_, part, [&](const std::string& what, const std::string& damaged) {
      Count(part.name, DamageKind::kCut, what, damaged);
    });
    const Tally& cuts = ledger_.of(part.name, DamageKind::kCut);
    EXPECT_EQ(cuts.total(), part.bytes);
    EXPECT_EQ(cuts.of(Outcome::kRefused), part.bytes);
  }
}

TEST_F(ManifestDamage, EveryFlippedBitUnderAGoodChecksumIsRefusedOrHarmless) {
  for (const Part& part : {head_, body_}) {
    FlipEveryBit(bytes_, part, [&](const std::string& what, const std::string& damaged) {
      Count(part.name, DamageKind::kSealedFlip, what, damaged);
    });
  }
  const Tally& head = ledger_.of("head", DamageKind::kSealedFlip);
  const Tally& body = ledger_.of("body", DamageKind::kSealedFlip);
  EXPECT_EQ(head.total(), (head_.bytes - sizeof(uint32_t)) * 8);
  EXPECT_EQ(body.total(), body_.bytes * 8);
  EXPECT_EQ(head.of(Outcome::kRefused) + head.of(Outcome::kUnknown), head.total());
  EXPECT_EQ(head.of(Outcome::kUnknown), sizeof(lsm::kManifestFormat) * 8);
  EXPECT_EQ(ledger_.undetected(), "");
  EXPECT_EQ(ledger_.total(Outcome::kReadFails), 0u);
  EXPECT_GT(body.of(Outcome::kRefused), 10 * body.of(Outcome::kHarmless));
}

TEST_F(ManifestDamage, EveryNumberThatLiesIsRefusedOrHarmless) {
  for (const size_t at : {0u, 16u}) Misstate("head", at, 8);
  Misstate("head", 8, 4);
  for (size_t at = head_.end(); at < head_.end() + lsm::kManifestBodyBytesMin; at += 8) {
    Misstate("body", at, 8);
  }
  size_t table = head_.end() + lsm::kManifestBodyBytesMin;
  while (table < bytes_.size()) {
    for (const size_t at : {0u, 4u, 48u, 52u}) Misstate("table", table + at, 4);
    for (size_t at = 8; at < 48; at += 8) Misstate("table", table + at, 8);
    table += lsm::kManifestTableBytes + LoadNumber(bytes_, table + 4, 4) +
             LoadNumber(bytes_, table + 48, 4);
  }
  EXPECT_EQ(table, bytes_.size());
  EXPECT_EQ(numbers_.at("table"), 9 * (database_.manifest.levels[0].size() + 1));
  for (const auto& [part, count] : numbers_) {
    EXPECT_GE(ledger_.of(part, DamageKind::kLie).total(), 7 * count) << part;
  }
  EXPECT_EQ(ledger_.undetected(), "");
  EXPECT_EQ(ledger_.total(Outcome::kReadFails), 0u);
}

// Whole, and of this very database, but of another day.
TEST_F(ManifestDamage, AnEarlierManifestIsRefused) {
  for (const std::string& earlier : database_.earlier) {
    ledger_.Add("whole", DamageKind::kLie, "an earlier one", Judge(earlier));
  }
  const Tally& lies = ledger_.of("whole", DamageKind::kLie);
  EXPECT_EQ(lies.total(), 3u);
  EXPECT_EQ(lies.of(Outcome::kRefused), 3u);
}

}  // namespace
}  // namespace kiban::suites
