// Goal:   no damage to a section, and no section of other records, ever gives a wrong answer.
// Method: every bit flipped and every length cut, once as it is and once with a checksum that holds
//         again: then the walk through the records must find it, or every answer is right. Records
//         that differ in one thing; counts, flags and layouts that lie; random edits of several
//         bytes. How much was refused and how much was harmless is counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/pointindex/index_for_test.h"
#include "engine/pointindex/ph3_layout.h"

namespace kiban::pointindex {
namespace {

using testing::HasSubstr;

RecordMap SmallTable() {
  RecordMap map;
  for (uint64_t i = 0; i < 20; ++i) {
    const std::string key = "key/" + std::to_string(i * i);
    for (uint64_t j = 0; j <= i % 3; ++j) {
      map.Add(key, 10 * j + i, {.kind = i % 5 == 4 ? Kind::kDelete : Kind::kPut});
    }
  }
  map.Add("key/" + std::string(40, 'z'), 5, {});
  map.PlaceValues(1000, [n = 0u]() mutable { return n++ % 9; });
  return map;
}

void Seal(std::string& section) {
  if (section.size() < kCrcBytes) return;
  const std::string_view covered(section.data(), section.size() - kCrcBytes);
  base::StoreLittle(section.data() + covered.size(),
                    base::PlacedCrc32(kPlace.file_number, kPlace.offset, covered));
}

void ExpectRefused(const absl::Status& status, std::string_view what) {
  EXPECT_TRUE(absl::IsDataLoss(status)) << what << ": " << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("7.sst: offset 4096")) << what;
}

struct Verdicts {
  uint64_t refused = 0;
  uint64_t harmless = 0;
};

// A section that is opened must answer everything rightly.
void Judge(const std::string& section, const RecordMap& map, Verdicts& verdicts) {
  const std::vector<Record> records = map.Records();
  const auto index = OpenSection(section, records);
  if (!index.ok()) {
    ASSERT_TRUE(absl::IsDataLoss(index.status()) || absl::IsUnimplemented(index.status()));
    ++verdicts.refused;
    return;
  }
  ++verdicts.harmless;
  for (const Record& record : records) {
    const std::string key(record.key);
    for (const base::Sequence at : {record.sequence, record.sequence + 1, base::kSequenceMax}) {
      ASSERT_EQ((*index)->Find(key, record.hash, at), map.Find(key, at));
    }
    for (const std::string& other : {key + "0", key.substr(1)}) {
      ASSERT_EQ((*index)->Find(other, KeyHash(other), base::kSequenceMax),
                map.Find(other, base::kSequenceMax));
    }
  }
}

TEST(PointIndexDamage, TheSmallTableHasBitsThatFillUpBytes) {
  const RecordMap map = SmallTable();
  const std::string section = *BuildSection(map.Records(), {});
  const Ph3Layout layout = Ph3Layout::Load(section.data() + kHeaderBytes).value();
  EXPECT_NE(layout.key.bits % 8, 0u);
  EXPECT_NE(layout.version.bits % 8, 0u);
}

TEST(PointIndexDamage, EveryFlippedBitIsRefused) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    std::string section = *BuildSection(records, options);
    ASSERT_TRUE(OpenSection(section, records).ok());
    for (size_t bit = 0; bit < section.size() * 8; ++bit) {
      section[bit / 8] = static_cast<char>(section[bit / 8] ^ 1 << (bit % 8));
      ExpectRefused(OpenSection(section, records).status(), "bit " + std::to_string(bit));
      section[bit / 8] = static_cast<char>(section[bit / 8] ^ 1 << (bit % 8));
    }
  }
}

TEST(PointIndexDamage, EveryFlippedBitUnderAGoodChecksumIsRefusedOrHarmless) {
  const RecordMap map = SmallTable();
  for (const BuilderOptions& options : kAllLayouts) {
    const std::string section = *BuildSection(map.Records(), options);
    const bool is_ph2 = options.layout == Layout::kPh2;
    const HashShape& shape = is_ph2 ? kPh2Hash : kPh3Hash;
    const size_t hash_at = kHeaderBytes + (is_ph2 ? 0 : kPh3FieldsBytes);
    Verdicts verdicts;
    for (size_t bit = 0; bit < (section.size() - kCrcBytes) * 8; ++bit) {
      std::string damaged = section;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << (bit % 8));
      Seal(damaged);
      const uint64_t harmless_before = verdicts.harmless;
      ASSERT_NO_FATAL_FAILURE(Judge(damaged, map, verdicts)) << bit;
      if (verdicts.harmless == harmless_before) continue;
      // Pilots of empty buckets and slots of spare places are free. The last field of a part may
      // be said to take in the zeros behind it. Nothing else.
      const size_t byte = bit / 8;
      const bool is_last_width = !is_ph2 && (byte == kHeaderBytes + kPh3FieldCount * 8 + 6 ||
                                             byte == kHeaderBytes + kPh3FieldCount * 8 + 10);
      const bool is_hash =
          byte >= hash_at && byte < hash_at + shape.encoded_bytes(map.keys().size());
      EXPECT_TRUE(is_last_width || is_hash) << bit;
    }
    std::printf("PH%u%s: %llu bits refused, %llu harmless\n", static_cast<unsigned>(options.layout),
                options.is_wide ? " wide" : "", static_cast<unsigned long long>(verdicts.refused),
                static_cast<unsigned long long>(verdicts.harmless));
    EXPECT_GT(verdicts.refused, 30 * verdicts.harmless);
  }
}

TEST(PointIndexDamage, EveryOtherLengthIsRefused) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    const std::string section = *BuildSection(records, options);
    for (size_t length = 0; length < section.size(); ++length) {
      std::string cut = section.substr(0, length);
      ExpectRefused(OpenSection(cut, records).status(), "cut");
      Seal(cut);
      ExpectRefused(OpenSection(cut, records).status(), "cut and sealed");
      if (length < kHeaderBytes) continue;
      base::StoreLittle(cut.data() + 16, uint64_t{cut.size()});
      Seal(cut);
      ExpectRefused(OpenSection(cut, records).status(), "cut, told so and sealed");
    }
    std::string longer = section + std::string(8, '\0');
    base::StoreLittle(longer.data() + 16, uint64_t{longer.size()});
    Seal(longer);
    ExpectRefused(OpenSection(longer, records).status(), "longer");
  }
}

TEST(PointIndexDamage, ASectionOfAnotherPlaceIsRefused) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    const std::string section = *BuildSection(records, options);
    SectionPlace other_file = kPlace;
    other_file.file_number = 8;
    ExpectRefused(OpenSection(section, records, {}, other_file).status(), "another file");
    SectionPlace other_offset = kPlace;
    other_offset.offset = 4097;
    EXPECT_TRUE(absl::IsDataLoss(OpenSection(section, records, {}, other_offset).status()));
  }
}

TEST(PointIndexDamage, UnknownFlagsAndLayoutsAreNotDamage) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    for (int bit = 0; bit < 32; ++bit) {
      std::string section = *BuildSection(records, options);
      base::StoreLittle(section.data() + 12, uint32_t{1} << bit);
      Seal(section);
      const absl::Status refused = OpenSection(section, records).status();
      EXPECT_TRUE(absl::IsUnimplemented(refused)) << refused;
      EXPECT_THAT(std::string(refused.message()), HasSubstr("flags"));
    }
    for (const uint32_t layout : {0u, 1u, 4u, UINT32_MAX}) {
      std::string section = *BuildSection(records, options);
      base::StoreLittle(section.data() + 8, layout);
      Seal(section);
      EXPECT_TRUE(absl::IsUnimplemented(OpenSection(section, records).status()));
    }
  }
}

// The section is in order, but not that of these records.
TEST(PointIndexDamage, RecordsThatDifferInOneThingAreRefused) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    const std::string section = *BuildSection(records, options);
    const std::string other = "key/0x";
    for (size_t i = 0; i < records.size(); ++i) {
      std::vector<std::vector<Record>> variants(7, records);
      variants[0][i].place.offset ^= 1;
      variants[1][i].place.bytes ^= 1;
      variants[2][i].kind = records[i].kind == Kind::kPut ? Kind::kDelete : Kind::kPut;
      variants[3][i].sequence += 1;
      variants[4].erase(variants[4].begin() + static_cast<ptrdiff_t>(i));
      variants[5].insert(variants[5].begin() + static_cast<ptrdiff_t>(i), records[i]);
      variants[6][i].key = other;
      variants[6][i].hash = KeyHash(other);
      for (size_t variant = 0; variant < variants.size(); ++variant) {
        if (variant < 2 && records[i].kind == Kind::kDelete) continue;
        ExpectRefused(OpenSection(section, variants[variant]).status(),
                      "variant " + std::to_string(variant) + " of " + std::to_string(i));
      }
    }
    ExpectRefused(OpenSection(section, {}).status(), "no records");
  }
}

TEST(PointIndexDamage, HeadersThatLieAreRefused) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    for (const size_t field : {size_t{16}, size_t{24}, size_t{32}, size_t{40}, size_t{48}}) {
      const std::string section = *BuildSection(records, options);
      const auto right = base::LoadLittle<uint64_t>(section.data() + field);
      for (const uint64_t wrong :
           {uint64_t{0}, right - 1, right + 1, uint64_t{UINT32_MAX}, uint64_t{1} << 31,
            uint64_t{1} << 32, uint64_t{1} << 60, UINT64_MAX}) {
        if (wrong == right) continue;
        std::string lying = section;
        base::StoreLittle(lying.data() + field, wrong);
        Seal(lying);
        ExpectRefused(OpenSection(lying, records).status(), "field " + std::to_string(field));
      }
    }
  }
}

// Lengths agree with each other, but there is more than the records account for.
TEST(PointIndexDamage, SectionsWithMoreThanTheTableAreRefused) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  const auto grow = [](std::string section, size_t count_at, size_t at, size_t bytes,
                       uint64_t more) {
    section.insert(at, bytes, '\0');
    const auto count = base::LoadLittle<uint64_t>(section.data() + count_at);
    base::StoreLittle(section.data() + count_at, count + more);
    base::StoreLittle(section.data() + 16, uint64_t{section.size()});
    Seal(section);
    return section;
  };
  for (const BuilderOptions& options : kAllLayouts) {
    const std::string section = *BuildSection(records, options);
    const std::string more_arena = grow(section, 40, section.size() - kCrcBytes, 3, 3);
    ExpectRefused(OpenSection(more_arena, records).status(), "more arena");
    if (options.layout == Layout::kPh2) continue;
    const Header header = OpenHeader(section, kPlace).value();
    const Ph3Layout layout = Ph3Layout::Load(section.data() + kHeaderBytes).value();
    const size_t groups_at = Ph3Parts::Of(header, layout).groups;
    const std::string more_versions = grow(section, 32, groups_at, layout.version.bytes(), 1);
    ExpectRefused(OpenSection(more_versions, records).status(), "more versions");
  }
}

TEST(PointIndexDamage, AnErrorOfTheRecordsIsPassedOn) {
  const RecordMap map = SmallTable();
  const std::vector<Record> records = map.Records();
  for (const BuilderOptions& options : kAllLayouts) {
    size_t at = 0;
    const auto next = [&](Record& record) -> absl::StatusOr<bool> {
      if (at == 3) return absl::UnavailableError("the disk is gone");
      record = records[at++];
      return true;
    };
    const std::string section = *BuildSection(records, options);
    const auto index = PointIndex::Open(section, kPlace, {}, next);
    EXPECT_EQ(index.status(), absl::UnavailableError("the disk is gone"));
  }
}

TEST(PointIndexDamage, RandomEditsUnderAGoodChecksumAreRefusedOrHarmless) {
  const RecordMap map = SmallTable();
  for (const BuilderOptions& options : kAllLayouts) {
    const std::string section = *BuildSection(map.Records(), options);
    Verdicts verdicts;
    for (uint64_t seed = 0; seed < 3000; ++seed) {
      Dice dice(seed);
      std::string damaged = section;
      for (uint64_t edits = 1 + dice.Below(8); edits > 0; --edits) {
        const uint64_t bytes = 1 + dice.Below(8);
        const uint64_t to = dice.Below(damaged.size() - bytes);
        const uint64_t from = dice.Below(damaged.size() - bytes);
        if (dice.Below(2) == 0) {
          damaged.replace(to, bytes, damaged.substr(from, bytes));
        } else {
          damaged[to] = static_cast<char>(dice.Below(256));
        }
      }
      Seal(damaged);
      ASSERT_NO_FATAL_FAILURE(Judge(damaged, map, verdicts)) << seed;
    }
    EXPECT_GT(verdicts.refused, 2000u);
  }
}

}  // namespace
}  // namespace kiban::pointindex
