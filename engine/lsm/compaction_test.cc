// Goal:   a compaction takes all it must and forgets only what nobody can see.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "engine/lsm/compaction_plan.h"
#include "engine/lsm/db_for_test.h"
#include "engine/lsm/publish.h"
#include "engine/lsm/version_filter.h"
#include "engine/memory/memory_env.h"

namespace kiban::lsm {
namespace {

constexpr WriteOptions kUnsynced{.sync = false};

// A table for planning: never opened.
TableRef Planned(uint64_t number, std::string smallest, std::string largest,
                 uint64_t size_bytes = 100) {
  return std::make_shared<Table>(Table{.info = {.number = number,
                                                .size_bytes = size_bytes,
                                                .entry_count = 1,
                                                .smallest_sequence = number,
                                                .largest_sequence = number,
                                                .smallest_key = std::move(smallest),
                                                .largest_key = std::move(largest)},
                                       .reader = nullptr});
}

std::vector<uint64_t> Numbers(std::vector<TableRef> tables) {
  std::vector<uint64_t> numbers;
  for (const TableRef& table : tables) numbers.push_back(table->info.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::optional<CompactionPlan> Plan(const Version& version, std::string through = "") {
  std::array<std::string, kLevelCount> compacted_through;
  compacted_through.fill(std::move(through));
  return PlanCompaction(std::make_shared<Version>(version), TinyOptions(), compacted_through, {});
}

using NumberList = std::vector<uint64_t>;

TEST(CompactionPlan, ClosesLevel0OverChainsOfOverlaps) {
  Version version;
  // 1 reaches 3 only through 4, and 2 through nobody.
  version.levels[0] = {Planned(1, "a", "c"), Planned(2, "x", "z"), Planned(3, "f", "h"),
                       Planned(4, "b", "f")};
  version.levels[1] = {Planned(5, "", "a"), Planned(6, "d", "e"), Planned(7, "h", "k"),
                       Planned(8, "l", "z")};
  const auto plan = Plan(version);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(Numbers(plan->inputs[0]), (NumberList{1, 3, 4}));
  EXPECT_EQ(Numbers(plan->inputs[1]), (NumberList{5, 6, 7}));
  EXPECT_EQ(plan->output_level, 1u);
  EXPECT_FALSE(plan->trivial);
}

TEST(CompactionPlan, MovesALoneTableWithoutRewritingIt) {
  Version version;
  version.levels[0] = {Planned(1, "a", "c"), Planned(2, "x", "z"), Planned(3, "f", "h")};
  version.levels[1] = {Planned(4, "d", "e")};
  const auto plan = Plan(version);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(Numbers(plan->inputs[0]), (NumberList{1}));
  EXPECT_TRUE(plan->trivial);
}

TEST(CompactionPlan, LetsTheTablesOfALevelTakeTurns) {
  Version version;
  version.levels[1] = {Planned(1, "a", "b", 1000), Planned(2, "c", "d", 1000),
                       Planned(3, "e", "f", 1000)};
  EXPECT_EQ(Numbers(Plan(version)->inputs[1]), (NumberList{1}));
  EXPECT_EQ(Numbers(Plan(version, "b")->inputs[1]), (NumberList{2}));
  EXPECT_EQ(Numbers(Plan(version, "d")->inputs[1]), (NumberList{3}));
  EXPECT_EQ(Numbers(Plan(version, "f")->inputs[1]), (NumberList{1}));
  EXPECT_EQ(Plan(version, "d")->turn_through, "f");
  version.levels[1].pop_back();
  EXPECT_EQ(Plan(version), std::nullopt);  // Within 2048 bytes.
}

TEST(CompactionPlan, KnowsWhereAKeyMayLieDeeper) {
  CompactionPlan plan;
  Version version;
  version.levels[1] = {Planned(1, "a", "z")};
  version.levels[3] = {Planned(2, "c", "d"), Planned(3, "m", "n")};
  plan.version = std::make_shared<Version>(version);
  plan.output_level = 1;
  EXPECT_FALSE(MayLieDeeper(plan, "b"));
  EXPECT_TRUE(MayLieDeeper(plan, "c"));
  EXPECT_TRUE(MayLieDeeper(plan, "d"));
  EXPECT_FALSE(MayLieDeeper(plan, "e"));
  EXPECT_TRUE(MayLieDeeper(plan, "mm"));
  EXPECT_FALSE(MayLieDeeper(plan, "z"));
  plan.output_level = 3;
  EXPECT_FALSE(MayLieDeeper(plan, "c"));
}

TEST(CompactionPlan, BudgetsGrowWithoutOverflow) {
  KibanOptions options;
  options.level1_bytes = uint64_t{1} << 40;
  options.level_multiplier = 100;
  EXPECT_EQ(LevelBudgetBytes(options, 1), uint64_t{1} << 40);
  EXPECT_EQ(LevelBudgetBytes(options, 2), 100 * (uint64_t{1} << 40));
  EXPECT_EQ(LevelBudgetBytes(options, 5), UINT64_MAX);
  EXPECT_EQ(LevelBudgetBytes(options, kLevelCount - 1), UINT64_MAX);
}

struct OneVersion {  // One version of the only key.
  base::Sequence sequence;
  table::Kind kind;
};

// What a reader at `at` finds: the sequence of a put, 0 for nothing, `below` if none of these is
// visible.
base::Sequence Seen(const std::vector<OneVersion>& newest_first, base::Sequence at,
                    base::Sequence below) {
  for (const OneVersion& version : newest_first) {
    if (version.sequence > at) continue;
    return version.kind == table::Kind::kPut ? version.sequence : 0;
  }
  return below;
}

std::vector<OneVersion> Filtered(const std::vector<OneVersion>& newest_first,
                                 const std::vector<base::Sequence>& snapshots, bool deeper) {
  VersionFilter filter(snapshots);
  std::vector<OneVersion> left;
  for (const OneVersion& version : newest_first) {
    const table::Entry entry{
        .key = "k", .sequence = version.sequence, .kind = version.kind, .value = {}};
    const Fate fate = filter.Judge(entry, [&](std::string_view) { return deeper; });
    if (fate == Fate::kKept || fate == Fate::kKeptForSnapshot) left.push_back(version);
  }
  return left;
}

std::vector<base::Sequence> Bits(uint32_t set, base::Sequence end) {
  std::vector<base::Sequence> bits;
  for (base::Sequence bit = 0; bit < end; ++bit) {
    if ((set >> bit & 1) != 0) bits.push_back(bit);
  }
  return bits;
}

// Every history of one key with five versions, every set of snapshots, a version deeper down or
// none: what is left answers every live reader as before.
TEST(VersionFilter, ChangesNoAnswerForAnyLiveReader) {
  constexpr base::Sequence kCount = 5;
  uint64_t dropped = 0;
  for (uint32_t kinds = 0; kinds < (1u << kCount); ++kinds) {
    std::vector<OneVersion> versions;
    for (base::Sequence sequence = kCount; sequence >= 1; --sequence) {
      versions.push_back({sequence, static_cast<table::Kind>(kinds >> (sequence - 1) & 1)});
    }
    for (uint32_t held = 0; held < (1u << (kCount + 1)); ++held) {
      for (const base::Sequence below : {base::Sequence{0}, kCount + 1}) {
        std::vector<base::Sequence> readers = Bits(held, kCount + 1);
        const std::vector<OneVersion> left = Filtered(versions, readers, below != 0);
        dropped += versions.size() - left.size();
        readers.push_back(kCount);  // The present.
        for (const base::Sequence at : readers) {
          ASSERT_EQ(Seen(left, at, below), Seen(versions, at, below)) << kinds << " " << held;
        }
      }
    }
  }
  EXPECT_GT(dropped, 1000u);
}

TEST(VersionFilter, DropsATombstoneWithNothingToHideAndOnlyThen) {
  const table::Entry tombstone{
      .key = "k", .sequence = 5, .kind = table::Kind::kDelete, .value = {}};
  const auto fate = [&](std::vector<base::Sequence> snapshots, bool deeper) {
    return VersionFilter(std::move(snapshots)).Judge(tombstone, [&](std::string_view) {
      return deeper;
    });
  };
  EXPECT_EQ(fate({}, false), Fate::kTombstone);
  EXPECT_EQ(fate({5, 9}, false), Fate::kTombstone);
  EXPECT_EQ(fate({}, true), Fate::kKept);
  EXPECT_EQ(fate({4}, false), Fate::kKept);
}

// LevelDB split the versions of one key over two tables of a level; moving one of them down
// uncovered the other. Outputs end between keys only, so no two tables of a level share one.
TEST(Compaction, KeepsTheVersionsOfOneKeyInOneTable) {
  memory::MemoryEnv env;
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  std::vector<std::unique_ptr<Snapshot>> snapshots;
  std::vector<Contents> contents;
  for (int round = 0; round < 60; ++round) {
    for (const char* key : {"a", "b", "c"}) {
      ASSERT_TRUE(db->Put(key, std::string(100, static_cast<char>('A' + round)), kUnsynced).ok());
    }
    snapshots.push_back(db->TakeSnapshot());
    contents.push_back(ReadAll(*db));
  }
  ASSERT_TRUE(db->Compact().ok());
  const Manifest manifest = ReadManifest(*env.env().files, "db").value();
  uint64_t tables = 0;
  for (uint32_t level = 1; level < kLevelCount; ++level) {
    for (const TableInfo& table : manifest.levels[level]) {
      ++tables;
      EXPECT_EQ(table.smallest_key, table.largest_key);
      EXPECT_EQ(table.entry_count, 60u);
    }
  }
  EXPECT_EQ(tables, 3u);
  for (size_t i = 0; i < snapshots.size(); ++i) {
    ASSERT_EQ(ReadAll(*db, snapshots[i].get()), contents[i]) << i;
  }
  snapshots.clear();
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(db->GetStats().versions_dropped, 3u * 59u);
  EXPECT_EQ(ReadAll(*db), contents.back());
}

TEST(Compaction, LeavesNoTraceOfWhatIsDeleted) {
  memory::MemoryEnv env;
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(db->Put("k" + std::to_string(i), std::string(50, 'v'), kUnsynced).ok());
  }
  ASSERT_TRUE(db->Compact().ok());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(db->Delete("k" + std::to_string(i), kUnsynced).ok());
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(ReadAll(*db), Contents{});
  const Stats stats = db->GetStats();
  EXPECT_EQ(stats.level_tables, std::vector<uint64_t>(kLevelCount, 0));
  EXPECT_GT(stats.tombstones_dropped, 0u);
  EXPECT_EQ(FilesOf(env.env()).size(), 2u);  // A log and MANIFEST.
}

TEST(Compaction, RemovesATableOnceNobodyReadsIt) {
  memory::MemoryEnv env;
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  ASSERT_TRUE(db->Put("a", "1", kUnsynced).ok());
  ASSERT_TRUE(db->Flush().ok());
  const auto tables = [&] {
    const std::vector<std::string> names = FilesOf(env.env());
    return std::count_if(names.begin(), names.end(),
                         [](const std::string& name) { return name.ends_with(".sst"); });
  };
  std::unique_ptr<Cursor> cursor = db->NewCursor({}, nullptr);
  ASSERT_TRUE(db->Put("a", "2", kUnsynced).ok());
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(tables(), 2);
  cursor->SeekToFirst();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->value(), "1");
  cursor.reset();
  ASSERT_TRUE(db->Put("b", "1", kUnsynced).ok());
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(tables(), 1);
}

}  // namespace
}  // namespace kiban::lsm
