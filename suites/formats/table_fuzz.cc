// A table whose checksums hold is refused, or does not crash; and if it passes its verification, a
// scan, the same scan backward and a get of each entry agree.
#include <cstddef>
#include <cstdint>

#include "engine/base/check.h"
#include "suites/formats/fuzz_seeds.h"
#include "suites/formats/seal.h"
#include "suites/formats/table_forms.h"

namespace kiban::suites {

std::vector<std::string> MakeFuzzSeeds() {
  std::vector<std::string> seeds;
  for (const TableForm& form : AllTableForms()) {
    seeds.push_back(TableJudge(form, EntriesOfAllKinds()).file());
  }
  return seeds;
}

namespace {

bool IsRefusal(const absl::Status& status) {
  return absl::IsDataLoss(status) || absl::IsUnimplemented(status);
}

void ReadAll(const table::TableReader& table) {
  const std::unique_ptr<table::Iterator> iterator = table.NewIterator();
  iterator->SeekToFirst();
  const std::vector<table::OwnedEntry> entries = table::Rest(*iterator);
  const absl::Status verified = table.Verify();
  CHECK(verified.ok() || IsRefusal(verified));
  if (!verified.ok()) return;
  CHECK(iterator->status().ok());
  CHECK(entries.size() == table.entry_count());
  size_t left = entries.size();
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
    CHECK(left > 0);
    CHECK(table::Own(iterator->entry()) == entries[--left]);
  }
  CHECK(left == 0);
  for (const table::OwnedEntry& entry : entries) {
    const auto found = table.Get(entry.key, entry.sequence);
    CHECK(found.ok());
    CHECK(found->has_value());
    CHECK((*found)->value == entry.value);
  }
}

void Read(std::string file) {
  SealTable(file, TableJudge::kFileNumber);
  table::TableDir dir;
  dir.SetBytes(file);
  const auto cache = cache::BlockCache::Create(1u << 20);
  for (const bool point_index : {false, true}) {
    const auto table =
        dir.Open(table::ReaderOptions{.cache = cache.get(), .point_index = point_index});
    CHECK(table.ok() || IsRefusal(table.status()));
    if (table.ok()) ReadAll(**table);
  }
}

}  // namespace
}  // namespace kiban::suites

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kiban::suites::Read({reinterpret_cast<const char*>(data), size});
  return 0;
}
