// Goal:   no flipped bit and no cut of a table, in any format and however it is read, goes
//         unnoticed: the open refuses it, or reads that come by it do, and none is wrong.
// Method: a small table with one of everything, in format 3 and in format 4 with both layouts,
//         read through the point index and without it. Every bit is flipped and every length cut,
//         first of the table alone, then of a table in a database.
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "suites/formats/database_judge.h"
#include "suites/formats/table_forms.h"

namespace kiban::suites {

namespace {

class TableDamage : public testing::TestWithParam<TableForm> {
 protected:
  TableJudge judge_{GetParam(), EntriesOfAllKinds()};
  const std::string file_ = judge_.file();
  Ledger ledger_{GetParam().name};
};

TEST_P(TableDamage, TheWholeTableIsHarmless) {
  EXPECT_EQ(judge_.Judge(file_).outcome, Outcome::kHarmless);
  EXPECT_GE(judge_.EachBlock().size(), 6u);
  EXPECT_EQ(judge_.parts().size(), judge_.has_point_index() ? 5u : 4u);
}

TEST_P(TableDamage, EveryFlippedBitIsNoticed) {
  for (const Part& part : judge_.parts()) {
    FlipEveryBit(file_, part, [&](const std::string& what, const std::string& damaged) {
      ledger_.Add(part.name, DamageKind::kFlip, what, judge_.Judge(damaged));
    });
    const Tally& flips = ledger_.of(part.name, DamageKind::kFlip);
    // What nobody who reads without the index looks at is left to those who verify.
    const Outcome expected =
        GetParam().is_resident || (part.name != "blocks" && part.name != "point index")
            ? Outcome::kRefused
            : (part.name == "blocks" ? Outcome::kReadFails : Outcome::kOnlyVerify);
    EXPECT_EQ(flips.total(), part.bytes * 8) << part.name;
    EXPECT_EQ(flips.of(expected), flips.total()) << part.name;
  }
  EXPECT_EQ(ledger_.undetected(), "");
}

TEST_P(TableDamage, EveryCutIsRefused) {
  uint64_t cuts = 0;
  for (const Part& part : judge_.parts()) {
    CutAtEveryByte(file_, part, [&](const std::string& what, const std::string& damaged) {
      ledger_.Add(part.name, DamageKind::kCut, what, judge_.Judge(damaged));
    });
    cuts += ledger_.of(part.name, DamageKind::kCut).total();
  }
  EXPECT_EQ(cuts, file_.size());
  EXPECT_EQ(ledger_.total(Outcome::kRefused), file_.size());
}

// The index answers, and the blocks that it leads to are damaged on disk: before the table was
// opened, nobody gets to ask; afterwards the answers come from memory.
TEST_P(TableDamage, BlocksBehindAnIndexThatWasAdmittedAreNotReadAgain) {
  if (!GetParam().is_resident) return;
  FlipEveryBit(file_, judge_.blocks(), [&](const std::string& what, const std::string& damaged) {
    ledger_.Add("backing", DamageKind::kFlip, what, judge_.JudgeAfterOpening(damaged));
  });
  const Tally& flips = ledger_.of("backing", DamageKind::kFlip);
  EXPECT_EQ(flips.total(), judge_.blocks().bytes * 8);
  EXPECT_EQ(flips.of(Outcome::kHarmless), flips.total());
}

lsm::KibanOptions DatabaseOptions(const TableForm& form) {
  lsm::KibanOptions options{.block_bytes = 128, .restart_interval = 3};
  options.block_cache_bytes = form.is_resident ? 1u << 20 : 0;
  options.point_index = form.options.point_index.has_value();
  if (options.point_index) options.for_tests.written = form.options.point_index;
  return options;
}

// One bit of each byte: which of them is for the tests above to tell apart.
TEST_P(TableDamage, NoDatabaseAnswersFromADamagedTable) {
  const lsm::KibanOptions options = DatabaseOptions(GetParam());
  memory::MemoryEnv env;
  const auto db = lsm::Db::Open(env.env(), "db", options).value();
  Contents contents;
  std::set<std::string> keys;
  for (int i = 0; i < 12; ++i) {
    const std::string key = absl::StrCat("key", i);
    CHECK(db->Put(key, absl::StrCat("value ", i), {}).ok());
    contents[key] = absl::StrCat("value ", i);
    keys.insert(key);
  }
  CHECK(db->Delete("key7", {}).ok());
  contents.erase("key7");
  CHECK(db->Flush().ok());
  Files files = FilesOfDatabase(env);
  const auto table = std::find_if(files.begin(), files.end(), [](const auto& file) {
    return file.first.find(".sst") != std::string::npos;
  });
  ASSERT_NE(table, files.end());
  EXPECT_EQ(JudgeDatabase(files, options, contents, keys).outcome, Outcome::kHarmless);
  std::string& bytes = table->second;
  for (size_t at = 0; at < bytes.size(); ++at) {
    const char whole = bytes[at];
    bytes[at] = static_cast<char>(whole ^ 1 << at % 8);
    ledger_.Add("database", DamageKind::kFlip, absl::StrCat("byte ", at),
                JudgeDatabase(files, options, contents, keys));
    bytes[at] = whole;
  }
  EXPECT_EQ(ledger_.of("database", DamageKind::kFlip).total(), bytes.size());
  EXPECT_EQ(ledger_.undetected(), "");
  if (GetParam().is_resident) {
    EXPECT_EQ(ledger_.total(Outcome::kRefused), bytes.size());
  } else if (!judge_.has_point_index()) {
    EXPECT_EQ(ledger_.total(Outcome::kHarmless), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, TableDamage, testing::ValuesIn(AllTableForms()),
                         [](const auto& form) { return form.param.name; });

}  // namespace
}  // namespace kiban::suites
