// Goal:   a block says what it was made of, and nothing else after any damage.
// Method: random entries through builder, check, cursor and look-up; random edits of the bytes,
//         under a checksum that breaks and under one that is made good again.
#include <gtest/gtest.h>

#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/memory/memory_env.h"
#include "engine/table/block.h"
#include "engine/table/block_builder.h"
#include "engine/table/block_cursor.h"
#include "engine/table/table_file.h"
#include "suites/properties/edits.h"
#include "suites/properties/entries.h"
#include "suites/properties/keys.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

constexpr uint64_t kFile = 12;

struct BlockCase {
  std::vector<OwnedEntry> entries;
  uint32_t restart_interval = 1;
  std::vector<Edit> edits;
  std::vector<uint32_t> targets;  // Of seeks: key, sequence; in between moves.
};

void showValue(const BlockCase& c, std::ostream& os) {
  os << "restarts every " << c.restart_interval << ", ";
  rc::show(c.entries, os);
  os << '\n';
  rc::show(c.edits, os);
  os << '\n';
  rc::show(c.targets, os);
}

rc::Gen<BlockCase> BlockCases() {
  return rc::gen::apply(
      [](std::vector<OwnedEntry> entries, uint32_t restart_interval, std::vector<Edit> edits,
         std::vector<uint32_t> targets) {
        return BlockCase{std::move(entries), restart_interval, std::move(edits),
                         std::move(targets)};
      },
      EntryLists(), rc::gen::element<uint32_t>(16, 1, 2, 3, 256), EditLists(8),
      rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, 1u << 12)));
}

std::string BlockOf(const BlockCase& c) {
  table::BlockBuilder builder(c.restart_interval);
  for (const OwnedEntry& entry : c.entries) builder.Add(entry.view());
  std::string block;
  builder.Finish(block, kFile, 0);
  return block;
}

// A cursor that has passed the check, walked to both ends.
std::vector<OwnedEntry> Forward(std::string_view block) {
  std::vector<OwnedEntry> entries;
  table::BlockCursor cursor;
  cursor.Reset(block);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) entries.push_back(Own(cursor.entry()));
  return entries;
}

std::vector<OwnedEntry> Backward(std::string_view block) {
  std::vector<OwnedEntry> entries;
  table::BlockCursor cursor;
  cursor.Reset(block);
  for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) entries.push_back(Own(cursor.entry()));
  return {entries.rbegin(), entries.rend()};
}

// Seeks to any place, from any place, and steps away from it.
std::string WhyNotFound(const std::vector<OwnedEntry>& entries, std::string_view block,
                        const std::vector<uint32_t>& targets) {
  table::BlockCursor cursor;
  cursor.Reset(block);
  for (const uint32_t target : targets) {
    const std::string key = PoolKey(target % kPoolKeys);
    const base::Sequence sequence = target / kPoolKeys % 66;
    size_t expected = 0;
    while (expected < entries.size() &&
           table::Compare(entries[expected].key, entries[expected].sequence, key, sequence) < 0) {
      ++expected;
    }
    if (target % 2 == 0) {
      cursor.Seek(key, sequence);
    } else {
      cursor.SeekBefore(key, sequence);
      expected = expected == 0 ? entries.size() : expected - 1;
    }
    if (cursor.Valid() && target % 3 == 0) {
      target % 4 < 2 ? cursor.Next() : cursor.Prev();
      expected = target % 4 < 2 ? expected + 1 : expected == 0 ? entries.size() : expected - 1;
    }
    if (cursor.Valid() != (expected < entries.size())) return "a seek ends elsewhere";
    if (cursor.Valid() && Own(cursor.entry()) != entries[expected]) return "a seek finds another";

    table::RawEntry found;
    const bool is_found = table::FindInBlock(block, key, sequence, found);
    const OwnedEntry* const newest = NewestIn(entries, key, sequence);
    if (is_found != (newest != nullptr)) return "a look-up and the list disagree";
    if (is_found && (found.sequence() != newest->sequence || found.kind() != newest->kind ||
                     found.value != newest->value)) {
      return "a look-up finds another version";
    }
  }
  return "";
}

std::string WhyNotOriginal(const BlockCase& c) {
  const std::string file = BlockOf(c);
  const std::string_view block(file.data(), file.size() - table::kCrcBytes);
  table::BlockEnds ends;
  if (const char* const wrong = table::CheckBlock(block, ends)) return wrong;
  if (ends.entry_count != c.entries.size() || ends.first_key != c.entries.front().key ||
      ends.last_key != c.entries.back().key || ends.first_sequence != c.entries.front().sequence ||
      ends.last_sequence != c.entries.back().sequence) {
    return "its ends are not those of its entries";
  }
  if (Forward(block) != c.entries) return "forward it holds something else";
  if (Backward(block) != c.entries) return "backward it holds something else";
  return WhyNotFound(c.entries, block, c.targets);
}

// The only way to a block is through its checksum.
absl::StatusOr<std::string> ReadAsFile(std::string_view bytes) {
  if (bytes.size() < table::kBlockBytesMin) return absl::DataLossError("an index names none such");
  memory::MemoryEnv env;
  engine::FileSystem& files = *env.env().files;
  const auto file = files.Open("12.sst", engine::OpenMode::kMustCreate).value();
  CHECK(file->Append(base::AsBytes(bytes)).ok());
  absl::StatusOr<table::TableFile> table = table::TableFile::Open(files, "12.sst", kFile);
  if (!table.ok()) return table.status();
  if (!table->HasItsCrc(0, bytes)) return absl::DataLossError("the checksum does not hold");
  return std::string(bytes.substr(0, bytes.size() - table::kCrcBytes));
}

std::string WhyNotSafe(const BlockCase& c, uint64_t& sound) {
  const std::string original = BlockOf(c);
  std::string file = original;
  const BlockCase other{.entries = {c.entries.back()}, .restart_interval = 1};
  for (const Edit& edit : c.edits) Apply(edit, BlockOf(other), {0, file.size()}, file);
  if (AreSealed(c.edits) && file.size() > table::kCrcBytes) {
    const std::string_view covered(file.data(), file.size() - table::kCrcBytes);
    base::StoreLittle(file.data() + covered.size(), base::PlacedCrc32(kFile, 0, covered));
  }
  const absl::StatusOr<std::string> block = ReadAsFile(file);
  if (!block.ok()) return absl::IsDataLoss(block.status()) ? "" : block.status().ToString();
  if (!AreSealed(c.edits)) return file == original ? "" : "damage has passed the checksum";
  table::BlockEnds ends;
  if (table::CheckBlock(*block, ends) != nullptr) return "";
  // Another block, but a block: all ways to read it agree.
  ++sound;
  const std::vector<OwnedEntry> entries = Forward(*block);
  if (entries.size() != ends.entry_count) return "the check has counted other entries";
  if (Backward(*block) != entries) return "forward and backward disagree";
  return WhyNotFound(entries, *block, c.targets);
}

TEST(BlockProperties, ABlockHoldsWhatItWasMadeOf) {
  Holds<BlockCase>(BlockCases(), WhyNotOriginal);
}

TEST(BlockProperties, ADamagedBlockIsRefusedOrSound) {
  uint64_t sound = 0;
  const bool held = Holds<BlockCase>(
      BlockCases(), [&](const BlockCase& c) { return WhyNotSafe(c, sound); }, /*times=*/4);
  if (!held) return;
  EXPECT_GT(sound, 80u);  // Or the second half has not been asked.
}

}  // namespace
}  // namespace kiban::suites
