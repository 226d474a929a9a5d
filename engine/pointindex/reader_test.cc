// Goal:   a point index answers what a map of the same records answers, in every layout.
// Method: tables that are random, at the limits, of one key, of many versions, of several anchor
//         groups, with fingerprints all alike; each key is asked at and around each of its
//         versions, and many keys that are not there.
#include "engine/pointindex/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <utility>

#include "engine/base/allocations_for_test.h"
#include "engine/pointindex/index_for_test.h"

namespace kiban::pointindex {
namespace {

using testing::HasSubstr;

// Asks for each key at and around each of its versions, and for neighbours of keys.
void ExpectSameAnswers(const PointIndex& index, const RecordMap& map) {
  const auto expect_same = [&](const std::string& key, base::Sequence at) {
    const Answer answer = index.Find(key, map.HashOf(key), at);
    ASSERT_EQ(answer, map.Find(key, at)) << "key of " << key.size() << " bytes at " << at;
  };
  for (const auto& [key, versions] : map.keys()) {
    for (const auto& [sequence, version] : versions) {
      expect_same(key, sequence);
      expect_same(key, sequence + 1);
      if (sequence > 0) expect_same(key, sequence - 1);
    }
    expect_same(key, base::kSequenceMax);
    expect_same(key, 0);
    expect_same(key + '\0', base::kSequenceMax);
    if (key.empty()) continue;
    expect_same(key.substr(0, key.size() - 1), base::kSequenceMax);
    std::string other = key;
    other[Dice(key.size()).Below(key.size())] ^= 1;
    expect_same(other, base::kSequenceMax);
  }
}

void ExpectSameInAllLayouts(const RecordMap& map) {
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    const auto section = BuildSection(records, options);
    ASSERT_TRUE(section.has_value());
    const auto index = OpenSection(*section, records);
    ASSERT_TRUE(index.ok()) << index.status();
    EXPECT_EQ((*index)->layout(), options.layout);
    EXPECT_EQ((*index)->key_count(), map.keys().size());
    EXPECT_EQ((*index)->record_count(), records.size());
    const SectionSizes sizes = (*index)->sizes();
    EXPECT_EQ(sizes.total, section->size());
    EXPECT_LE(sizes.pilots + sizes.slots + sizes.keys + sizes.versions + sizes.arena, sizes.total);
    ASSERT_NO_FATAL_FAILURE(ExpectSameAnswers(**index, map));
  }
}

struct Recipe {
  uint64_t key_count = 0;
  uint64_t key_bytes_max = 0;
  uint64_t letters = 0;  // How many different bytes there are in keys.
  uint64_t versions_max = 0;
  base::Sequence sequence_min = 0;
  base::Sequence sequence_max = 0;
  uint64_t values_from = 0;
  uint64_t value_bytes_max = 0;
};

RecordMap Cook(const Recipe& recipe, uint64_t seed, RecordMap::HashFunction hash = KeyHash) {
  RecordMap map(hash);
  Dice dice(seed);
  for (uint64_t i = 0; i < recipe.key_count; ++i) {
    std::string key(dice.Below(recipe.key_bytes_max + 1), '\0');
    for (char& byte : key)
      byte = static_cast<char>(dice.Below(recipe.letters) * 255 / recipe.letters);
    const uint64_t versions = 1 + dice.Below(recipe.versions_max);
    for (uint64_t j = 0; j < versions; ++j) {
      const uint64_t range = recipe.sequence_max - recipe.sequence_min + 1;
      const Kind kind = dice.Below(4) == 0 ? Kind::kDelete : Kind::kPut;
      map.Add(key, recipe.sequence_min + dice.Below(range), {.kind = kind});
    }
  }
  map.PlaceValues(recipe.values_from,
                  [&] { return static_cast<uint32_t>(dice.Below(recipe.value_bytes_max + 1)); });
  return map;
}

TEST(PointIndex, RandomTablesAnswerLikeAMap) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const Recipe recipe = {.key_count = 1 + dice.Below(60),
                           .key_bytes_max = dice.Below(20),
                           .letters = 1 + dice.Below(255),
                           .versions_max = 1 + dice.Below(6),
                           .sequence_min = dice.Below(2) * (base::kSequenceMax - 5000),
                           .sequence_max = base::kSequenceMax - dice.Below(2) * 100,
                           .values_from = dice.Below(2) << 40,
                           .value_bytes_max = dice.Below(300)};
    ASSERT_NO_FATAL_FAILURE(ExpectSameInAllLayouts(Cook(recipe, seed)));
  }
}

TEST(PointIndex, SeveralAnchorGroupsAnswerLikeAMap) {
  const Recipe recipe = {.key_count = 5000,
                         .key_bytes_max = 24,
                         .letters = 3,
                         .versions_max = 3,
                         .sequence_max = 1 << 20,
                         .value_bytes_max = 5000};
  const RecordMap map = Cook(recipe, 1);
  ASSERT_GT(map.keys().size(), 3 * kKeysPerGroup);
  ExpectSameInAllLayouts(map);
}

TEST(PointIndex, OneKeyOfOneVersionIsATable) {
  for (const std::string& key : {std::string(), std::string("k"), std::string(1, '\0')}) {
    for (const Kind kind : {Kind::kDelete, Kind::kPut}) {
      for (const base::Sequence sequence : {base::Sequence{0}, base::kSequenceMax}) {
        RecordMap map;
        map.Add(key, sequence, {.kind = kind});
        map.PlaceValues(0, [] { return 0; });
        ASSERT_NO_FATAL_FAILURE(ExpectSameInAllLayouts(map));
      }
    }
  }
}

TEST(PointIndex, TheLimitsOfTablesAreNoTrouble) {
  RecordMap map;
  map.Add("", 0, {});
  map.Add("", base::kSequenceMax, {});
  map.Add(std::string(90000, 'k'), 5, {});
  map.Add(std::string(90000, 'k') + '\xff', 6, {});
  map.Add(std::string(90001, 'k'), 7, {.kind = Kind::kDelete});
  map.Add(std::string(3, '\0'), 8, {});
  map.Add(std::string(3, '\xff'), 9, {});
  map.PlaceValues((uint64_t{1} << 55) + 3, [] { return 100000; });
  ExpectSameInAllLayouts(map);
}

TEST(PointIndex, AKeyMayHaveVeryManyVersions) {
  RecordMap map;
  map.Add("before", 3, {});
  for (base::Sequence i = 1; i <= 65537; ++i) {
    map.Add("key", i * 2, {.kind = i % 1000 == 0 ? Kind::kDelete : Kind::kPut});
  }
  map.Add("later", 3, {});
  map.PlaceValues(0, [] { return 256; });
  ExpectSameInAllLayouts(map);
}

TEST(PointIndex, FieldsAreAsWideAsTheTableNeedsAndNoWider) {
  RecordMap map;
  for (uint64_t i = 0; i < 100; ++i) map.Add("key" + std::to_string(100 + i), 1000 + i, {});
  map.PlaceValues(uint64_t{1} << 50, [] { return 77; });
  const std::vector<Record> records = map.Records();
  const auto sizes_with = [&](bool is_wide) {
    return OpenSection(*BuildSection(records, {.layout = Layout::kPh3, .is_wide = is_wide}),
                       records)
        .value()
        ->sizes();
  };
  // 7 bits of sequence, 14 of offset, and all values are puts of 77 bytes: 3 bytes.
  EXPECT_EQ(sizes_with(false).versions, 3u * 100);
  EXPECT_EQ(sizes_with(true).versions, 4u * 56 / 8 * 100);
}

// All low bits alike: no fingerprint ever rejects anything.
uint64_t HashWithoutFingerprint(std::string_view key) { return KeyHash(key) | 0xffffffff; }

TEST(PointIndex, EqualFingerprintsLeaveTheDecisionToTheKey) {
  const Recipe recipe = {.key_count = 3000,
                         .key_bytes_max = 9,
                         .letters = 10,
                         .versions_max = 2,
                         .sequence_max = 1000,
                         .value_bytes_max = 100};
  const RecordMap map = Cook(recipe, 3, HashWithoutFingerprint);
  ASSERT_NO_FATAL_FAILURE(ExpectSameInAllLayouts(map));
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    const auto index = OpenSection(*BuildSection(records, options), records).value();
    for (const auto& [key, versions] : map.keys()) {  // The very hash, but another key.
      for (const std::string& other : {key + "x", "x" + key, std::string(key.size() + 1, 'x')}) {
        ASSERT_EQ(index->Find(other, map.HashOf(key), base::kSequenceMax).found, Found::kNothing);
      }
      for (size_t i = 0; i < key.size(); ++i) {
        std::string other = key;
        other[i] ^= 1;
        ASSERT_EQ(index->Find(other, map.HashOf(key), base::kSequenceMax).found, Found::kNothing);
      }
    }
  }
}

uint64_t TheOnlyHash(std::string_view) { return 1; }

TEST(PointIndex, EqualHashesMeanNoIndex) {
  RecordMap map(TheOnlyHash);
  map.Add("a", 1, {});
  for (const BuilderOptions& options : kAllLayouts) {
    EXPECT_TRUE(BuildSection(map.Records(), options).has_value());
  }
  map.Add("b", 1, {});
  for (const BuilderOptions& options : kAllLayouts) {
    EXPECT_FALSE(BuildSection(map.Records(), options).has_value());
    EXPECT_FALSE(BuildSection({}, options).has_value()) << "an empty table has no index";
  }
}

TEST(PointIndex, AReaderOfPh2RefusesPh3) {
  RecordMap map;
  map.Add("a", 1, {});
  const std::vector<Record> records = map.Records();
  const ReaderOptions old = {.newest = Layout::kPh2};
  const auto ph2 = BuildSection(records, {.layout = Layout::kPh2});
  EXPECT_TRUE(OpenSection(*ph2, records, old).ok());
  const auto ph3 = BuildSection(records, {.layout = Layout::kPh3});
  const absl::Status refused = OpenSection(*ph3, records, old).status();
  EXPECT_TRUE(absl::IsUnimplemented(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("7.sst: offset 4096: point index layout PH3"));
}

TEST(PointIndex, PiecesOfKeysAreComparedToTheLastByte) {
  for (size_t bytes = 0; bytes < 70; ++bytes) {
    const std::string piece(bytes, 'k');
    std::string other = piece;
    EXPECT_TRUE(AreSame(piece.data(), other.data(), bytes)) << bytes;
    for (size_t i = 0; i < bytes; ++i) {
      other[i] = 'j';
      EXPECT_FALSE(AreSame(piece.data(), other.data(), bytes)) << bytes << " at " << i;
      other[i] = 'k';
    }
  }
}

// A caller's mistake, not damage.
TEST(PointIndex, TheFirstRecordBeginsAKey) {
  const Record record = {.key = "k", .begins_key = false, .sequence = 1};
  for (const BuilderOptions& options : kAllLayouts) {
    EXPECT_DEATH(Builder::Make(options)->Add(record), "begins_key");
    Record first = record;
    first.begins_key = true;
    const std::string section = *BuildSection({first}, options);
    bool is_told = false;
    const auto next = [&](Record& told) -> absl::StatusOr<bool> {
      told = record;
      return !std::exchange(is_told, true);
    };
    EXPECT_DEATH(static_cast<void>(PointIndex::Open(section, kPlace, {}, next)), "begins_key");
  }
}

TEST(PointIndex, TheSameRecordsGiveTheSameSection) {
  const RecordMap map =
      Cook({.key_count = 500, .key_bytes_max = 9, .letters = 9, .versions_max = 3}, 4);
  for (const BuilderOptions& options : kAllLayouts) {
    EXPECT_EQ(BuildSection(map.Records(), options), BuildSection(map.Records(), options));
  }
}

TEST(PointIndex, NothingIsAllocated) {
  const Recipe recipe = {.key_count = 300,
                         .key_bytes_max = 40,
                         .letters = 20,
                         .versions_max = 5,
                         .sequence_max = 50,
                         .value_bytes_max = 100};
  const RecordMap map = Cook(recipe, 5);
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    const auto index = OpenSection(*BuildSection(records, options), records).value();
    uint64_t found = 0;
    const uint64_t before = base::AllocationCount();
    for (const Record& record : records) {
      found += index->Find(record.key, record.hash, record.sequence).found != Found::kNothing;
      found += index->Find(record.key, record.hash + 1, record.sequence).found != Found::kNothing;
    }
    EXPECT_EQ(base::AllocationCount(), before);
    EXPECT_EQ(found, records.size());
    EXPECT_GT(before, 0u) << "nobody counts";
  }
}

// The fixture of the budgets, a fiftieth of it: 38-byte keys, values of 256 bytes.
TEST(PointIndex, KeysOf38BytesStayWithinTheirBudgets) {
  RecordMap map;
  char key[39];
  for (uint64_t i = 0; i < 20000; ++i) {
    std::snprintf(key, sizeof key, "tenant/0001/account/%018u", static_cast<unsigned>(i));
    map.Add(key, i + 1, {});
  }
  map.PlaceValues(0, [] { return 256; });
  const std::vector<Record> records = map.Records();
  const auto ph2 = BuildSection(records, {.layout = Layout::kPh2});
  const auto ph3 = BuildSection(records, {.layout = Layout::kPh3});
  EXPECT_LE(ph2->size() * 1000, records.size() * 80400);
  EXPECT_LE(ph3->size() * 1000, records.size() * 16000);
}

}  // namespace
}  // namespace kiban::pointindex
