// Goal:   a damaged, cut, swapped or foreign table says so, with file and offset, and never gives a
// wrong answer. Method: a table of a few blocks, changed bit by bit and byte by byte; blocks and
// files put in each other's
//         place; sections that lie with checksums that hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/crc32.h"
#include "engine/table/footer.h"
#include "engine/table/format.h"
#include "engine/table/inspect.h"
#include "engine/table/table_test_util.h"

namespace kiban::table {
namespace {

using testing::HasSubstr;

std::vector<OwnedEntry> FewEntries(char value = 'v') {
  std::vector<OwnedEntry> entries;
  for (uint64_t i = 0; i < 12; ++i) {
    entries.push_back(
        {"key" + std::to_string(10 + i / 2), 100 - i, Kind::kPut, std::string(9, value)});
  }
  return entries;
}

constexpr BuilderOptions kSmallBlocks = {.block_bytes = 100, .restart_interval = 3};

TableDescription DescribeTable(TableDir& dir) {
  return Describe(dir.files(), TableDir::Name(TableDir::kFile), TableDir::kFile).value();
}

// The first damage that opening, verifying or reading everything comes upon.
absl::Status Damage(TableDir& dir) {
  const auto table = dir.Open();
  if (!table.ok()) return table.status();
  absl::Status verified = (*table)->Verify();
  const auto iterator = (*table)->NewIterator();
  iterator->SeekToFirst();
  const std::vector<OwnedEntry> forward = Rest(*iterator);
  if (iterator->status().ok()) {
    EXPECT_EQ(forward, FewEntries());
  } else {
    EXPECT_FALSE(verified.ok()) << "a scan found what Verify() did not: " << iterator->status();
  }
  for (const OwnedEntry& entry : FewEntries()) {  // Point reads: right, or the same verdict.
    const auto found = (*table)->Get(entry.key, entry.sequence);
    if (found.ok()) {
      EXPECT_TRUE(found->has_value());
    } else {
      EXPECT_TRUE(absl::IsDataLoss(found.status()));
      EXPECT_FALSE(verified.ok());
    }
  }
  return verified;
}

std::vector<PartDescription> BlocksOf(TableDir& dir) {
  std::vector<PartDescription> blocks;
  for (const BlockDescription& block : DescribeTable(dir).blocks) blocks.push_back(block.part);
  return blocks;
}

TEST(TableDamage, EveryFlippedBitIsDataLoss) {
  TableDir dir;
  dir.Build(FewEntries(), kSmallBlocks);
  EXPECT_TRUE(Damage(dir).ok());
  std::string bytes = dir.Bytes();
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << (bit % 8));
    dir.SetBytes(bytes);
    const absl::Status damage = Damage(dir);
    ASSERT_TRUE(absl::IsDataLoss(damage)) << bit << ": " << damage;
    EXPECT_THAT(std::string(damage.message()), HasSubstr("12.sst: offset "));
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << (bit % 8));
  }
}

TEST(TableDamage, EveryOtherLengthIsDataLoss) {
  TableDir dir;
  dir.Build(FewEntries(), kSmallBlocks);
  const std::string bytes = dir.Bytes();
  for (size_t length = 0; length < bytes.size(); ++length) {
    dir.SetBytes(bytes.substr(0, length));
    EXPECT_TRUE(absl::IsDataLoss(dir.Open().status())) << length;
    dir.SetBytes(bytes.substr(length));  // Without its beginning, unless that is nothing.
    EXPECT_EQ(absl::IsDataLoss(dir.Open().status()), length > 0) << length;
  }
  for (const char more : {'\0', '\xff'}) {
    dir.SetBytes(bytes + more);
    EXPECT_TRUE(absl::IsDataLoss(dir.Open().status()));
  }
  dir.SetBytes(std::string(8192, '\0'));
  EXPECT_TRUE(absl::IsDataLoss(dir.Open().status()));
}

TEST(TableDamage, ABlockFromAnotherPlaceOrTableIsDataLoss) {
  TableDir dir;
  dir.Build(FewEntries(), kSmallBlocks);
  dir.Build(FewEntries('w'), kSmallBlocks, TableDir::kFile + 1);
  const std::string bytes = dir.Bytes();
  const std::string other = dir.Bytes(TableDir::kFile + 1);
  const std::vector<PartDescription> blocks = BlocksOf(dir);
  ASSERT_GE(blocks.size(), 3u);
  ASSERT_EQ(blocks[0].bytes, blocks[1].bytes);  // So that one fits in the other's place.
  std::string swapped = bytes;
  swapped.replace(blocks[0].offset, blocks[0].bytes, bytes, blocks[1].offset, blocks[1].bytes);
  dir.SetBytes(swapped);
  EXPECT_TRUE(absl::IsDataLoss(Damage(dir)));

  for (const PartDescription& block : blocks) {
    std::string foreign = bytes;
    foreign.replace(block.offset, block.bytes, other, block.offset, block.bytes);
    dir.SetBytes(foreign);
    const absl::Status damage = Damage(dir);
    EXPECT_TRUE(absl::IsDataLoss(damage));
    EXPECT_THAT(std::string(damage.message()),
                HasSubstr("offset " + std::to_string(block.offset) + ":"));
  }
}

// Its checksum holds: it was written to this place of this file, for a table that did not come to
// be.
TEST(TableDamage, ABlockOfAnEarlierTableOfTheSameNumberIsOutsideItsFences) {
  TableDir dir;
  dir.Build(FewEntries(), kSmallBlocks);
  const std::string bytes = dir.Bytes();
  const std::vector<PartDescription> blocks = BlocksOf(dir);
  for (const int shift : {-3, 3}) {
    std::vector<OwnedEntry> earlier = FewEntries();
    for (OwnedEntry& entry : earlier) entry.key[4] = static_cast<char>(entry.key[4] + shift);
    TableDir before;
    before.Build(earlier, kSmallBlocks);
    for (const PartDescription& block : blocks) {
      std::string stale = bytes;
      stale.replace(block.offset, block.bytes, before.Bytes(), block.offset, block.bytes);
      dir.SetBytes(stale);
      EXPECT_TRUE(absl::IsDataLoss(Damage(dir))) << shift << " " << block.offset;
    }
  }
}

TEST(TableDamage, ATableUnderAnotherNumberIsDataLoss) {
  TableDir dir;
  dir.Build(FewEntries());
  dir.SetBytes(dir.Bytes(), TableDir::kFile + 1);
  EXPECT_TRUE(absl::IsDataLoss(dir.Open(nullptr, TableDir::kFile + 1).status()));
  EXPECT_EQ(dir.Open(nullptr, 99).status().code(), absl::StatusCode::kNotFound);
}

// `bytes` with its footer changed and the checksum made to hold again.
std::string WithFooter(std::string bytes, size_t at, uint64_t value, size_t width) {
  const size_t footer = bytes.size() - kFooterBytes;
  std::memcpy(bytes.data() + footer + at, &value, width);
  const std::string_view all = std::string_view(bytes).substr(footer);
  const uint32_t before = base::PlacedCrc32(TableDir::kFile, footer, all.substr(0, 64));
  base::StoreLittle(bytes.data() + footer + 64, base::Crc32(before, all.substr(68)));
  return bytes;
}

TEST(TableDamage, AnUnknownVersionIsNamedUnlessItIsDamage) {
  TableDir dir;
  dir.Build(FewEntries());
  const std::string bytes = dir.Bytes();
  for (const uint32_t version : {0u, 2u, 5u, 1000u}) {
    dir.SetBytes(WithFooter(bytes, 60, version, 4));
    const absl::Status status = dir.Open().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_EQ(status.message(),
              absl::StrCat("12.sst: table version ", version, " is not known here"));
  }
}

TEST(TableDamage, AFooterThatLiesIsDataLoss) {
  TableDir dir;
  dir.Build(FewEntries(), kSmallBlocks);
  const std::string bytes = dir.Bytes();
  dir.SetBytes(WithFooter(bytes, 52, 0, 4));
  ASSERT_TRUE(
      Damage(dir).ok());  // The forger knows the trade: what follows fails for what it says.
  for (size_t at = 0; at < 56; at += at < 48 ? 8 : 4) {
    const size_t width = at < 48 ? 8 : 4;
    uint64_t old = 0;
    std::memcpy(&old, bytes.data() + bytes.size() - kFooterBytes + at, width);
    for (const uint64_t value : {uint64_t{0}, old - 1, old + 1, old * 2 + 1, UINT64_MAX}) {
      if (std::memcmp(&value, &old, width) == 0) continue;
      dir.SetBytes(WithFooter(bytes, at, value, width));
      EXPECT_TRUE(absl::IsDataLoss(Damage(dir))) << at << " " << value;
    }
  }
  dir.SetBytes(WithFooter(bytes, 56, kFooterBytes + 8, 4));
  EXPECT_TRUE(absl::IsDataLoss(dir.Open().status()));
}

TEST(TableDamage, InspectionTellsWhatIsThere) {
  TableDir dir;
  dir.Build(FewEntries(), kSmallBlocks);
  const TableDescription whole = DescribeTable(dir);
  EXPECT_TRUE(whole.whole.ok()) << whole.whole;
  EXPECT_EQ(whole.version, kVersionSorted);
  EXPECT_EQ(whole.file_bytes, dir.Bytes().size());
  EXPECT_EQ(whole.footer.entry_count, 12u);
  EXPECT_EQ(whole.index.smallest_key, "key10");
  EXPECT_EQ(whole.blocks.back().fence_key, "key15");
  EXPECT_EQ(whole.filter.key_count, 6u);
  EXPECT_EQ(whole.filter.probe_count, 6u);
  uint64_t entries = 0;
  uint64_t end = 0;
  for (const BlockDescription& block : whole.blocks) {
    EXPECT_EQ(block.part.offset, end);
    end += block.part.bytes;
    entries += block.entry_count;
  }
  EXPECT_EQ(entries, 12u);
  for (const PartDescription& part : {whole.filter.part, whole.index.part, whole.footer_part}) {
    EXPECT_EQ(part.offset, end);
    end += part.bytes;
  }
  EXPECT_EQ(end, whole.file_bytes);
}

// A part that is damaged hides nothing but what only it could show.
TEST(TableDamage, InspectionTellsEachPartFromTheOthers) {
  TableDir dir;
  dir.Build(FewEntries(), kSmallBlocks);
  const std::string bytes = dir.Bytes();
  const TableDescription whole = DescribeTable(dir);
  const auto with_change_at = [&](uint64_t offset) {
    std::string changed = bytes;
    changed[offset] ^= 1;
    dir.SetBytes(changed);
    return DescribeTable(dir);
  };
  const uint64_t offset = whole.blocks[1].part.offset;
  TableDescription damaged = with_change_at(offset + 20);
  EXPECT_TRUE(damaged.blocks[0].part.status.ok());
  EXPECT_TRUE(absl::IsDataLoss(damaged.blocks[1].part.status));
  EXPECT_THAT(std::string(damaged.blocks[1].part.status.message()),
              HasSubstr(absl::StrCat("offset ", offset, ":")));
  EXPECT_EQ(damaged.blocks[2].first_key, whole.blocks[2].first_key);
  EXPECT_EQ(damaged.filter.key_count, 6u);

  damaged = with_change_at(whole.filter.part.offset);
  EXPECT_TRUE(absl::IsDataLoss(damaged.filter.part.status));
  EXPECT_EQ(damaged.blocks.size(), whole.blocks.size());
  EXPECT_TRUE(damaged.index.part.status.ok());

  damaged = with_change_at(whole.index.part.offset);
  EXPECT_TRUE(absl::IsDataLoss(damaged.index.part.status));
  EXPECT_TRUE(damaged.blocks.empty());
  EXPECT_EQ(damaged.filter.key_count, 6u);

  damaged = with_change_at(bytes.size() - 1);
  EXPECT_TRUE(absl::IsDataLoss(damaged.footer_part.status));
}

}  // namespace
}  // namespace kiban::table
