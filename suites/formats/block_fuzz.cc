// A block that passes its check reads the same forward and backward, and each of its entries is
// found.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/check.h"
#include "engine/table/block.h"
#include "engine/table/block_cursor.h"
#include "suites/formats/fuzz_seeds.h"
#include "suites/formats/table_judge.h"

namespace kiban::suites {

std::vector<std::string> MakeFuzzSeeds() {
  const TableJudge table({"", {.block_bytes = 150, .restart_interval = 3}}, EntriesOfAllKinds());
  std::vector<std::string> blocks;
  for (const Part& block : table.EachBlock()) {
    blocks.push_back(table.file().substr(block.begin, block.bytes - table::kCrcBytes));
  }
  return blocks;
}

namespace {

void Read(std::string_view block) {
  table::BlockEnds ends;
  if (table::CheckBlock(block, ends) != nullptr || ends.entry_count == 0) return;
  table::BlockCursor cursor;
  cursor.Reset(block);
  std::vector<table::OwnedEntry> entries;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    entries.push_back(table::Own(cursor.entry()));
  }
  CHECK(entries.size() == ends.entry_count);
  CHECK(entries.front().key == ends.first_key);
  CHECK(entries.back().key == ends.last_key);
  size_t left = entries.size();
  for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) {
    CHECK(left > 0);
    CHECK(table::Own(cursor.entry()) == entries[--left]);
  }
  CHECK(left == 0);
  for (const table::OwnedEntry& entry : entries) {
    table::RawEntry found;
    CHECK(table::FindInBlock(block, entry.key, entry.sequence, found));
    CHECK(found.sequence() == entry.sequence);
    CHECK(found.value == entry.value);
  }
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
