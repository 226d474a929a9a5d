#include "engine/table/inspect.h"

#include <memory>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/table/block.h"
#include "engine/table/format.h"
#include "engine/table/sorted_table.h"

namespace kiban::table {
namespace {

BlockDescription DescribeBlock(const SortedTable& table, size_t i) {
  BlockDescription description;
  description.offset = table.index().block_offset(i);
  description.bytes = table.index().block_bytes(i);
  const absl::StatusOr<std::string> block = table.sections().ReadBlock(i);
  description.status = block.status();
  if (!block.ok()) return description;
  BlockEnds ends;
  CHECK(CheckBlock(*block, ends) == nullptr);
  description.entry_count = ends.entry_count;
  description.first_key = ends.first_key;
  return description;
}

}  // namespace

absl::StatusOr<TableDescription> Describe(engine::FileSystem& files, const std::string& path,
                                          uint64_t file_number) {
  ASSIGN_OR_RETURN(TableFile file, TableFile::Open(files, path, file_number));
  TableDescription description;
  ASSIGN_OR_RETURN(description.version,
                   ReadVersion(path, file_number, file.size_bytes(), file.tail()));
  if (description.version != kVersionSorted && description.version != kVersionIndexed) {
    return UnknownVersion(path, description.version);
  }
  ASSIGN_OR_RETURN(const std::shared_ptr<const SortedTable> table,
                   SortedTable::Open(std::move(file), description.version, {}));

  description.file_bytes = table->size_bytes();
  description.data_bytes = table->footer().data_bytes;
  description.filter_bytes = table->footer().filter_bytes;
  description.index_bytes = table->footer().index_bytes;
  description.entry_count = table->entry_count();
  description.smallest_key = table->smallest_key();
  description.largest_key = table->largest_key();
  description.sequence_min = table->smallest_sequence();
  description.sequence_max = table->largest_sequence();
  description.filter_key_count = table->sections().filter.key_count();
  description.filter_bit_count = table->sections().filter.bit_count();
  description.filter_bits_per_key = table->sections().filter.bits_per_key();
  description.filter_probe_count = table->sections().filter.probe_count();
  for (size_t i = 0; i < table->index().block_count(); ++i) {
    description.blocks.push_back(DescribeBlock(*table, i));
  }
  description.status = table->Verify();
  return description;
}

}  // namespace kiban::table
