#include "engine/table/sorted_table.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"
#include "engine/table/block.h"
#include "engine/table/table_iterator.h"

namespace kiban::table {

namespace {

// The index knows every version: what it does not find is not there.
std::optional<Found> GetFromIndex(const Resident& table, std::string_view key, base::Sequence at) {
  const pointindex::Answer answer = table.Find(key, at);
  switch (answer.found) {
    case pointindex::Found::kNothing:
      return std::nullopt;
    case pointindex::Found::kDelete:
      return Found{answer.sequence, Kind::kDelete, Tier::kIndex, {}};
    case pointindex::Found::kPut:
      return Found{answer.sequence, Kind::kPut, Tier::kIndex,
                   std::string(table.ValueAt(answer.place))};
  }
  CHECK(false);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const SortedTable>> SortedTable::Open(TableFile file,
                                                                     uint32_t version,
                                                                     const ReaderOptions& options) {
  ASSIGN_OR_RETURN(Sections sections,
                   Sections::Open(std::move(file), version, options.newest_layout));
  const std::shared_ptr<const SortedTable> table(new SortedTable(std::move(sections), options));
  if (table->format() != TableFormat::kSorted && !table->uses_index_) {
    MARK("table.index_left_alone");
  }
  RETURN_IF_ERROR(table->TryToBeResident().status());
  return table;
}

SortedTable::SortedTable(Sections sections, const ReaderOptions& options)
    : sections_(std::move(sections)),
      cache_(options.cache),
      uses_index_(options.point_index && options.cache != nullptr &&
                  sections_.footer.format() != TableFormat::kSorted) {}

absl::StatusOr<bool> SortedTable::TryToBeResident() const {
  if (!uses_index_ || load_failed_ || is_resident()) return false;
  absl::StatusOr<std::unique_ptr<const Resident>> loaded = Resident::Load(sections_, *cache_);
  load_failed_ = !loaded.ok();
  RETURN_IF_ERROR(loaded.status());
  if (*loaded == nullptr) return false;
  resident_.Store(loaded->release());
  cache_->Forget(file_number());  // Nobody will look for its blocks there.
  return true;
}

absl::StatusOr<std::optional<Found>> SortedTable::Get(std::string_view key,
                                                      base::Sequence at) const {
  const std::optional<Found> none;
  if (const Resident* const in_memory = resident()) return GetFromIndex(*in_memory, key, at);
  if (!sections_.filter.MayContain(Filter::HashOf(key))) return none;
  const size_t i = index().Find(key, at);
  if (i == index().block_count()) return none;
  ASSIGN_OR_RETURN(const BlockInMemory found, FindBlock(i));
  RawEntry raw;
  if (!FindInBlock(found.block, key, at, raw)) return none;
  return Found{raw.sequence(), raw.kind(), found.tier, std::string(raw.value)};
}

std::unique_ptr<Iterator> SortedTable::NewIterator() const {
  return std::make_unique<TableIterator>(shared_from_this());
}

absl::StatusOr<SortedTable::BlockInMemory> SortedTable::FindBlock(size_t i) const {
  if (const Resident* const in_memory = resident()) {
    return BlockInMemory{in_memory->Block(index(), i), nullptr};
  }
  const auto load = [this, i]() -> absl::StatusOr<cache::Block> {
    ASSIGN_OR_RETURN(std::string block, sections_.ReadBlock(i));
    return std::make_shared<const std::string>(std::move(block));
  };
  cache::BlockCache::Found found;
  if (cache_ == nullptr) {
    ASSIGN_OR_RETURN(found.block, load());
  } else {
    ASSIGN_OR_RETURN(found, cache_->FindOrLoad(file_number(), index().block_offset(i), load));
  }
  const std::string_view block = *found.block;
  return BlockInMemory{block, std::move(found.block),
                       found.was_cached ? Tier::kCache : Tier::kDisk};
}

absl::Status SortedTable::Verify() const {
  if (is_resident()) return absl::OkStatus();  // Load() has seen all of it.
  std::string block;
  TableWalk walk(sections_, [&](size_t i) -> absl::StatusOr<std::string_view> {
    ASSIGN_OR_RETURN(block, sections_.ReadBlock(i));
    return block;
  });
  if (format() != TableFormat::kSorted) {
    std::string bytes(static_cast<size_t>(footer().point_index_bytes), '\0');
    RETURN_IF_ERROR(sections_.file.Read(footer().point_index_offset(), bytes));
    return OpenPointIndex(sections_, bytes, std::move(walk)).status();
  }
  pointindex::Record record;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_record, walk.Next(record));
    if (!has_record) return absl::OkStatus();
  }
}

}  // namespace kiban::table
