// Goal:   a MANIFEST is read exactly as it was written, or not at all.
#include <gtest/gtest.h>

#include <functional>

#include "engine/base/bytes.h"
#include "engine/base/crc32.h"
#include "engine/lsm/manifest_format.h"

namespace kiban::lsm {
namespace {

TableInfo Table(uint64_t number, base::Sequence smallest, base::Sequence largest,
                std::string smallest_key, std::string largest_key) {
  return {.number = number,
          .size_bytes = 100 + number,
          .entry_count = 3,
          .smallest_sequence = smallest,
          .largest_sequence = largest,
          .smallest_key = std::move(smallest_key),
          .largest_key = std::move(largest_key)};
}

Manifest Example() {
  Manifest manifest{.min_log = 9, .next_file = 12, .last_sequence = 40, .levels = {}};
  manifest.levels[0] = {Table(7, 21, 30, "a", "z"), Table(8, 31, 40, "", "\xff\xff")};
  manifest.levels[1] = {Table(5, 1, 19, "b", "c"), Table(3, 2, 20, "d", "d")};
  manifest.levels[6] = {Table(1, 4, 4, std::string(70, 'k'), std::string(90, 'k'))};
  return manifest;
}

bool IsRefused(std::string_view bytes) {
  const auto decoded = DecodeManifest("db/MANIFEST", bytes);
  return absl::IsDataLoss(decoded.status()) &&
         decoded.status().message().find("db/MANIFEST: offset") != absl::string_view::npos;
}

// The checksum made right again, so that only what it covers can be found wrong.
void Sign(std::string& file) {
  const uint32_t before = base::PlacedCrc32(0, 0, std::string_view(file).substr(0, 12));
  base::StoreLittle(file.data() + 12, base::Crc32(before, std::string_view(file).substr(16)));
}

TEST(Manifest, IsReadAsItWasWritten) {
  const Manifest manifest = Example();
  const std::string file = EncodeManifest(manifest);
  const auto decoded = DecodeManifest("db/MANIFEST", file);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(*decoded, manifest);

  Manifest long_keys = manifest;
  long_keys.levels[6][0].largest_key = std::string(90'000, 'k');
  EXPECT_EQ(DecodeManifest("", EncodeManifest(long_keys)).value(), long_keys);

  const Manifest empty{.min_log = 1, .next_file = 2, .last_sequence = 0, .levels = {}};
  EXPECT_EQ(DecodeManifest("", EncodeManifest(empty)).value(), empty);
}

TEST(Manifest, IsRefusedWithAnyBitFlipped) {
  std::string file = EncodeManifest(Example());
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    const auto mask = static_cast<char>(1 << (bit % 8));
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ mask);
    ASSERT_TRUE(IsRefused(file)) << bit;
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ mask);
  }
  ASSERT_FALSE(IsRefused(file));
}

TEST(Manifest, IsRefusedAtAnyOtherLength) {
  const std::string file = EncodeManifest(Example());
  for (size_t bytes = 0; bytes < file.size(); ++bytes) {
    ASSERT_TRUE(IsRefused(file.substr(0, bytes))) << bytes;
    std::string padded = file.substr(0, bytes);
    padded.resize(file.size());
    ASSERT_TRUE(IsRefused(padded)) << bytes;
  }
  std::string longer = file + '\0';
  EXPECT_TRUE(IsRefused(longer));
  Sign(longer);
  EXPECT_TRUE(IsRefused(longer));
  base::StoreLittle(longer.data() + 16, uint64_t{longer.size() - kManifestHeadBytes});
  Sign(longer);
  EXPECT_TRUE(IsRefused(longer));
}

TEST(Manifest, OfAnotherFormatIsNamedUnlessItIsDamage) {
  std::string file = EncodeManifest(Example());
  base::StoreLittle(file.data() + 8, uint32_t{2});
  EXPECT_TRUE(IsRefused(file));
  Sign(file);
  const absl::Status status = DecodeManifest("db/MANIFEST", file).status();
  EXPECT_EQ(status, absl::UnimplementedError("db/MANIFEST: manifest format 2 is not known here"));
}

// Offsets of the layout in manifest_format.h.
TEST(Manifest, IsRefusedIfItBreaksARuleUnderAGoodChecksum) {
  constexpr size_t kFirstTable = 56;
  struct Lie {
    const char* what;
    size_t offset;
    uint64_t value;
    size_t bytes;
  };
  const Lie lies[] = {
      {"another magic", 0, 1, 8},
      {"min_log zero", 24, 0, 8},
      {"min_log not below next_file", 24, 12, 8},
      {"min_log of a table", 24, 5, 8},
      {"next_file not above a table", 32, 8, 8},
      {"next_file without end", 32, UINT64_MAX, 8},
      {"last_sequence below a table", 40, 39, 8},
      {"last_sequence without end", 40, base::kSequenceMax + 1, 8},
      {"one table too many", 48, 6, 8},
      {"one table too few", 48, 4, 8},
      {"tables without end", 48, UINT64_MAX, 8},
      {"levels out of order", kFirstTable, 2, 4},
      {"no such level", kFirstTable, kLevelCount, 4},
      {"key without end", kFirstTable + 4, UINT32_MAX, 4},
      {"keys cut elsewhere", kFirstTable + 4, 2, 4},
      {"table number zero", kFirstTable + 8, 0, 8},
      {"table number twice", kFirstTable + 8, 5, 8},
      {"level 0 out of order", kFirstTable + 8, 10, 8},
      {"empty file", kFirstTable + 16, 0, 8},
      {"no entry", kFirstTable + 24, 0, 8},
      {"sequence zero", kFirstTable + 32, 0, 8},
      {"sequences inverted", kFirstTable + 32, 31, 8},
      {"sequences overlap", kFirstTable + 40, 31, 8},
      {"not zero", kFirstTable + 52, 1, 4},
      {"keys inverted", kFirstTable + 56, 'z' + 1, 1},
  };
  const std::string file = EncodeManifest(Example());
  for (const Lie& lie : lies) {
    std::string changed = file;
    for (size_t i = 0; i < lie.bytes; ++i) {
      changed[lie.offset + i] = static_cast<char>(lie.value >> (8 * i));
    }
    ASSERT_NE(changed, file) << lie.what;
    Sign(changed);
    EXPECT_TRUE(IsRefused(changed)) << lie.what;
  }
}

TEST(Manifest, IsRefusedIfTablesOfALevelShareAKey) {
  Manifest manifest = Example();
  std::string file = EncodeManifest(manifest);
  const std::string keys = "bc";
  const size_t at = file.find(keys + std::string("\x01\0\0\0", 4));
  ASSERT_NE(at, file.npos);
  file[at + 1] = 'd';  // [b, d] and [d, d].
  Sign(file);
  EXPECT_TRUE(IsRefused(file));
}

TEST(ManifestDeathTest, IsNotWrittenIfItBreaksARule) {
  Manifest manifest = Example();
  manifest.levels[1][0].largest_key = "d";
  EXPECT_DEATH(EncodeManifest(manifest), "CHECK failed");
}

}  // namespace
}  // namespace kiban::lsm
