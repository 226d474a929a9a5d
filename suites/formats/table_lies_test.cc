// Goal:   a table that lies under checksums that hold is refused, or found out by whoever verifies;
//         read through its point index, it never gives a wrong answer.
// Method: in the table of table_damage_test.cc every bit of every section is flipped and sealed,
//         every number of the footer misstated, sections are shortened with the footer told so, and
//         equal-sized elements of tables within sections are swapped: pointers in range, to the
//         wrong thing. Of blocks all that gives them their shape is flipped; the point index knows
//         the rest but for the values.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/pointindex/format.h"
#include "engine/pointindex/ph3_layout.h"
#include "engine/pointindex/section.h"
#include "engine/table/block.h"
#include "engine/table/format.h"
#include "suites/formats/seal.h"
#include "suites/formats/table_forms.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kFile = TableJudge::kFileNumber;
constexpr size_t kCrcBytes = table::kCrcBytes;

// How many lies are found out only by who verifies: as many as there were when the test was
// written. One more is a check that has been lost.
constexpr uint64_t kLateOfBlocksMax = 11;
constexpr uint64_t kLateOfTheFilterMax = 73;  // Bits that a key needs, and how many it needs.
constexpr uint64_t kLateOfTheIndexMax = 539;  // Fences that claim what the next block has.

class TableLies : public testing::TestWithParam<TableForm> {
 protected:
  const Part& PartNamed(std::string_view name) const {
    for (const Part& part : judge_.parts()) {
      if (part.name == name) return part;
    }
    CHECK(false);
    return judge_.footer();
  }
  // The part without its checksum.
  static Part Covered(const Part& part) { return {part.name, part.begin, part.bytes - kCrcBytes}; }

  void Add(const std::string& part, DamageKind kind, const std::string& what,
           const std::string& lying) {
    ledger_.Add(part, kind, what, judge_.Judge(lying));
  }

  // Flips and seals every bit of a part that ends in its crc32.
  void FlipAndSeal(const Part& part) {
    FlipEveryBit(file_, Covered(part), [&](const std::string& what, std::string lying) {
      SealPart(lying, kFile, part);
      Add(part.name, DamageKind::kSealedFlip, what, lying);
    });
    EXPECT_EQ(ledger_.of(part.name, DamageKind::kSealedFlip).total(), (part.bytes - kCrcBytes) * 8);
  }

  // Swaps every two of `count` elements of `bytes` each, unless they are alike.
  void SwapAndSeal(const Part& part, const std::string& name, size_t begin, size_t bytes,
                   size_t count);

  // `late_max`: of reads through sorted blocks alone.
  void ExpectNothingUndetected(uint64_t late_max) const {
    EXPECT_EQ(ledger_.undetected(), "");
    const uint64_t refused = ledger_.total(Outcome::kRefused);
    EXPECT_GT(refused + ledger_.total(Outcome::kOnlyVerify), 0u);
    EXPECT_LE(ledger_.total(Outcome::kLate), GetParam().is_resident ? 0 : late_max);
  }

  TableJudge judge_{GetParam(), EntriesOfAllKinds()};
  const std::string file_ = judge_.file();
  Ledger ledger_{GetParam().name};
};

void TableLies::SwapAndSeal(const Part& part, const std::string& name, size_t begin, size_t bytes,
                            size_t count) {
  ASSERT_GE(count, 2u) << name;
  ASSERT_LE(begin + bytes * count, part.end()) << name;
  uint64_t swapped = 0;
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      std::string lying = file_;
      std::swap_ranges(lying.begin() + static_cast<ptrdiff_t>(begin + i * bytes),
                       lying.begin() + static_cast<ptrdiff_t>(begin + (i + 1) * bytes),
                       lying.begin() + static_cast<ptrdiff_t>(begin + j * bytes));
      if (lying == file_) continue;
      SealPart(lying, kFile, part);
      Add(name, DamageKind::kLie, absl::StrCat(i, " for ", j), lying);
      ++swapped;
    }
  }
  EXPECT_EQ(ledger_.of(name, DamageKind::kLie).total(), swapped);
  EXPECT_TRUE(swapped > 0 || GetParam().options.point_index->is_wide) << name;
}

TEST_P(TableLies, SealingAWholeTableChangesNothing) {
  std::string sealed = file_;
  SealTable(sealed, kFile);
  EXPECT_EQ(sealed, file_);
}

// What a bit of a block says something about. Values may be anything: no one else knows them.
struct BlockBits {
  std::vector<Part> shape;      // Lengths, kinds where there is a value, restarts.
  std::vector<Part> testified;  // Sequences and keys, which a point index knows as well.
};

BlockBits BitsOf(const std::string& file, const Part& block) {
  BlockBits bits;
  const std::string_view content = std::string_view(file).substr(block.begin, block.bytes);
  const size_t restarts_end = block.bytes - kCrcBytes;
  const size_t restart_count = LoadNumber(content, restarts_end - 4, 4);
  const size_t entries_bytes = restarts_end - 4 - 4 * restart_count;
  std::string_view left = content.substr(0, entries_bytes);
  table::RawEntry entry;
  while (!left.empty()) {
    const size_t begin = block.begin + entries_bytes - left.size();
    CHECK(table::TakeEntry(left, entry));
    const size_t end = block.begin + entries_bytes - left.size();
    const size_t key = end - entry.value.size() - entry.suffix.size();
    const size_t tag = key - table::kTagBytes;
    // The kind is the tag's low byte; without a value it may be either.
    const size_t known = entry.value.empty() ? tag : tag + 1;
    bits.shape.push_back({"shape", begin, known - begin});
    bits.testified.push_back({"testified", known, end - entry.value.size() - known});
  }
  bits.shape.push_back({"shape", block.begin + entries_bytes, restarts_end - entries_bytes});
  return bits;
}

TEST_P(TableLies, OfBlocks) {
  uint64_t expected = 0;
  for (const Part& block : judge_.EachBlock()) {
    const BlockBits bits = BitsOf(file_, block);
    std::vector<Part> parts = bits.shape;
    if (GetParam().is_resident) {
      parts.insert(parts.end(), bits.testified.begin(), bits.testified.end());
    }
    for (const Part& part : parts) {
      FlipEveryBit(file_, part, [&](const std::string& what, std::string lying) {
        SealPart(lying, kFile, block);
        Add("blocks", DamageKind::kSealedFlip, what, lying);
      });
      expected += part.bytes * 8;
    }
  }
  EXPECT_EQ(ledger_.of("blocks", DamageKind::kSealedFlip).total(), expected);
  EXPECT_EQ(ledger_.undetected(), "");
  // A restart may be moved to another entry that shares nothing.
  const uint64_t harmless = ledger_.total(Outcome::kHarmless);
  EXPECT_LE(harmless, 1u);
  const uint64_t refused = ledger_.total(Outcome::kRefused);
  EXPECT_EQ(refused, GetParam().is_resident ? expected - harmless : 0);
  // A restart that leads to a later entry hides those before it.
  EXPECT_LE(ledger_.total(Outcome::kLate), GetParam().is_resident ? 0 : kLateOfBlocksMax);
}

TEST_P(TableLies, OfTheFilter) {
  FlipAndSeal(PartNamed("filter"));
  ExpectNothingUndetected(kLateOfTheFilterMax);
}

TEST_P(TableLies, OfTheIndex) {
  FlipAndSeal(PartNamed("index"));
  ExpectNothingUndetected(kLateOfTheIndexMax);
}

TEST_P(TableLies, OfThePointIndex) {
  if (!judge_.has_point_index()) return;
  FlipAndSeal(PartNamed("point index"));
  ExpectNothingUndetected(0);
  const Tally& flips = ledger_.of("point index", DamageKind::kSealedFlip);
  // Flags. Another layout than the footer's is damage, known or not.
  EXPECT_EQ(flips.of(Outcome::kUnknown), GetParam().is_resident ? 32u : 0u);
}

TEST_P(TableLies, OfTheFooter) {
  const Part& footer = judge_.footer();
  FlipEveryBit(file_, footer, [&](const std::string& what, std::string lying) {
    SealFooter(lying, kFile);
    if (lying == file_) return;  // It was the checksum.
    Add("footer", DamageKind::kSealedFlip, what, lying);
  });
  EXPECT_EQ(ledger_.of("footer", DamageKind::kSealedFlip).total(), (footer.bytes - kCrcBytes) * 8);
  size_t numbers = 0;
  const auto misstate = [&](size_t at, size_t width) {
    ++numbers;
    MisstateNumber(file_, "number", footer.begin + at, width,
                   [&](const std::string& what, std::string lying) {
                     SealFooter(lying, kFile);
                     Add("footer", DamageKind::kLie, what, lying);
                   });
  };
  for (size_t at = 0; at < 48; at += 8) misstate(at, 8);
  if (judge_.has_point_index()) misstate(56, 8);
  const size_t tail = footer.bytes - table::kFooterTailBytes;
  for (size_t at = 48; at < tail; at += 4) {
    if (at < 56 || at >= 64) misstate(at, 4);
  }
  for (const size_t at : {0u, 4u, 12u}) misstate(tail + at, 4);
  misstate(tail + 16, 8);
  EXPECT_GE(ledger_.of("footer", DamageKind::kLie).total(), 7 * numbers);
  ExpectNothingUndetected(0);
}

// Each section loses its last bytes, one more each time; whatever stands behind it moves up, the
// footer is told, and everything is sealed in its new place.
TEST_P(TableLies, OfSectionsThatWereShortened) {
  const std::map<std::string, size_t> length_at = {
      {"point index", 56}, {"filter", 8}, {"index", 16}};
  for (const Part& part : judge_.parts()) {
    const auto field = length_at.find(part.name);
    if (field == length_at.end()) continue;
    for (size_t gone = 1; gone <= part.bytes - kCrcBytes; ++gone) {
      std::string lying = file_;
      lying.erase(part.end() - kCrcBytes - gone, gone);
      const size_t left = part.bytes - gone;
      StoreNumber(lying, judge_.footer().begin - gone + field->second, 8, left);
      if (part.name == "point index" && left >= pointindex::kHeaderBytes) {
        StoreNumber(lying, part.begin + 16, 8, left);
      }
      SealTable(lying, kFile);
      Add(part.name, DamageKind::kSealedCut, absl::StrCat("without ", gone), lying);
    }
    EXPECT_EQ(ledger_.of(part.name, DamageKind::kSealedCut).total(), part.bytes - kCrcBytes);
  }
  ExpectNothingUndetected(0);
}

TEST_P(TableLies, OfPointersThatLeadToTheWrongThing) {
  if (!judge_.has_point_index()) return;
  const Part& part = PartNamed("point index");
  const std::string section = file_.substr(part.begin, part.bytes);
  const pointindex::SectionPlace place{"", kFile, part.begin};
  const pointindex::Header header = pointindex::OpenHeader(section, place).value();
  if (header.layout == pointindex::Layout::kPh2) {
    const size_t pilots = part.begin + pointindex::kHeaderBytes;
    const size_t slots = pilots + pointindex::kPh2Hash.encoded_bytes(header.key_count);
    SwapAndSeal(part, "pilots", pilots, 4, pointindex::kPh2Hash.bucket_count(header.key_count));
    SwapAndSeal(part, "slots", slots, pointindex::kPh2SlotBytes, header.key_count);
  } else {
    const char* const fields = section.data() + pointindex::kHeaderBytes;
    const auto layout = pointindex::Ph3Layout::Load(fields).value();
    const auto parts = pointindex::Ph3Parts::Of(header, layout);
    const auto& hash = pointindex::kPh3Hash;
    SwapAndSeal(part, "pilots", part.begin + parts.pilots, 2, hash.bucket_count(header.key_count));
    SwapAndSeal(part, "slots", part.begin + parts.slots, layout.slot_bytes(), header.key_count);
    SwapAndSeal(part, "versions", part.begin + parts.versions, layout.version.bytes(),
                header.older_count());
    SwapAndSeal(part, "bases", part.begin + pointindex::kHeaderBytes, 8,
                pointindex::kPh3FieldCount);
    SwapAndSeal(part, "widths",
                part.begin + pointindex::kHeaderBytes + 8 * pointindex::kPh3FieldCount, 1,
                pointindex::kPh3FieldCount);
  }
  ExpectNothingUndetected(0);
}

// The small table has one group of keys.
TEST(TableLiesOfGroups, AreRefused) {
  std::vector<table::OwnedEntry> entries;
  for (uint64_t i = 0; i <= pointindex::kKeysPerGroup; ++i) {
    entries.push_back({absl::StrCat("key", 10000 + i), 1 + i, table::Kind::kPut, "v"});
  }
  TableForm form{"ph3, 2 groups", {}, true};
  form.options.point_index = pointindex::BuilderOptions{};
  TableJudge judge(form, entries);
  const std::string& file = judge.file();
  const Part& part = judge.parts()[1];
  const auto header =
      pointindex::OpenHeader(file.substr(part.begin, part.bytes), {"", kFile, part.begin}).value();
  const char* const fields = file.data() + part.begin + pointindex::kHeaderBytes;
  const auto layout = pointindex::Ph3Layout::Load(fields).value();
  const size_t groups_at = part.begin + pointindex::Ph3Parts::Of(header, layout).groups;
  Ledger ledger(form.name);
  const Part groups{"groups", groups_at, 2 * pointindex::kPh3GroupBytes};
  FlipEveryBit(file, groups, [&](const std::string& what, std::string lying) {
    SealPart(lying, kFile, part);
    ledger.Add("groups", DamageKind::kSealedFlip, what, judge.Judge(lying));
  });
  EXPECT_EQ(ledger.total(Outcome::kRefused), groups.bytes * 8);
}

INSTANTIATE_TEST_SUITE_P(Forms, TableLies, testing::ValuesIn(AllTableForms()),
                         [](const auto& form) { return form.param.name; });

}  // namespace
}  // namespace kiban::suites
