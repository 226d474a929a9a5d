#include "engine/table/inspect.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/pointindex/ph2_section.h"
#include "engine/pointindex/ph3_section.h"
#include "engine/table/block.h"
#include "engine/table/format.h"
#include "engine/table/reader.h"
#include "engine/table/sections.h"

namespace kiban::table {
namespace {

absl::Status DescribeFooter(const TableFile& file, TableDescription& description) {
  description.file_bytes = file.size_bytes();
  PartDescription& part = description.footer_part;
  part.bytes = std::min<uint64_t>(file.size_bytes(), kFooterTailBytes);
  part.offset = file.size_bytes() - part.bytes;
  ASSIGN_OR_RETURN(description.version,
                   ReadVersion(file.path(), file.file_number(), file.size_bytes(), file.tail()));
  if (description.version != kVersionSorted && description.version != kVersionIndexed) {
    return UnknownVersion(file.path(), description.version);
  }
  ASSIGN_OR_RETURN(description.footer,
                   ReadFooter(file.path(), file.size_bytes(), file.tail(), description.version,
                              ReaderOptions().newest_layout));
  part.offset = description.footer.footer_offset();
  part.bytes = description.footer.footer_bytes();
  return absl::OkStatus();
}

// Everything that a section tells of itself.
absl::Status DescribeSection(std::string_view section, const pointindex::SectionPlace& place,
                             PointIndexDescription& description) {
  ASSIGN_OR_RETURN(description.header, pointindex::OpenHeader(section, place));
  if (description.header.layout == pointindex::Layout::kPh2) {
    ASSIGN_OR_RETURN(const auto ph2,
                     pointindex::Ph2Section::Open(description.header, section, place));
    description.sizes = ph2.sizes();
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const auto ph3,
                   pointindex::Ph3Section::Open(description.header, section, place));
  description.sizes = ph3.sizes();
  description.fields = ph3.layout;
  return absl::OkStatus();
}

PointIndexDescription DescribePointIndex(const TableFile& file, const Footer& footer) {
  PointIndexDescription description;
  description.part = {.offset = footer.point_index_offset(), .bytes = footer.point_index_bytes};
  const pointindex::SectionPlace place{.path = file.path(),
                                       .file_number = file.file_number(),
                                       .offset = footer.point_index_offset()};
  description.part.status = DescribeSection(
      file.InTail(footer.point_index_offset(), footer.point_index_bytes), place, description);
  return description;
}

FilterDescription DescribeFilter(const TableFile& file, const Footer& footer) {
  FilterDescription description;
  description.part = {.offset = footer.filter_offset(), .bytes = footer.filter_bytes};
  const std::optional<Filter> filter =
      Filter::Decode(file.file_number(), footer.filter_offset(),
                     file.InTail(footer.filter_offset(), footer.filter_bytes));
  if (!filter.has_value() || filter->key_count() > footer.entry_count) {
    description.part.status =
        base::Corruption(file.path(), footer.filter_offset(), "the filter is damaged");
    return description;
  }
  description.key_count = filter->key_count();
  description.bit_count = filter->bit_count();
  description.bits_per_key = filter->bits_per_key();
  description.probe_count = filter->probe_count();
  return description;
}

BlockDescription DescribeBlock(const Sections& sections, size_t i) {
  BlockDescription description;
  const Index& index = sections.index;
  description.part = {.offset = index.block_offset(i), .bytes = index.block_bytes(i)};
  description.fence_key = index.key(i);
  description.fence_sequence = index.sequence(i);
  const absl::StatusOr<std::string> block = sections.ReadBlock(i);
  description.part.status = block.status();
  if (!block.ok()) return description;
  BlockEnds ends;
  CHECK(CheckBlock(*block, ends) == nullptr);
  description.entry_count = ends.entry_count;
  description.first_key = ends.first_key;
  description.first_sequence = ends.first_sequence;
  return description;
}

void DescribeIndexAndBlocks(TableFile file, TableDescription& description) {
  const Footer& footer = description.footer;
  description.index.part = {.offset = footer.index_offset(), .bytes = footer.index_bytes};
  absl::StatusOr<Index> index =
      Index::Decode(file.path(), file.file_number(), footer,
                    file.InTail(footer.index_offset(), footer.index_bytes));
  description.index.part.status = index.status();
  if (!index.ok()) return;
  description.index.smallest_key = index->smallest_key();
  // A block is checked against the index alone, so a damaged filter does not hide it.
  const Sections sections{std::move(file), footer, Filter(), *std::move(index)};
  for (size_t i = 0; i < sections.index.block_count(); ++i) {
    description.blocks.push_back(DescribeBlock(sections, i));
  }
}

bool EveryPartHolds(const TableDescription& description) {
  return (!description.point_index || description.point_index->part.status.ok()) &&
         description.filter.part.status.ok() && description.index.part.status.ok() &&
         std::all_of(description.blocks.begin(), description.blocks.end(),
                     [](const BlockDescription& block) { return block.part.status.ok(); });
}

absl::Status VerifyWhole(engine::FileSystem& files, const std::string& path, uint64_t file_number) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const TableReader> table,
                   TableReader::Open(files, path, file_number, {}));
  return table->Verify();
}

}  // namespace

absl::StatusOr<TableDescription> Describe(engine::FileSystem& files, const std::string& path,
                                          uint64_t file_number) {
  ASSIGN_OR_RETURN(TableFile file, TableFile::Open(files, path, file_number));
  TableDescription description;
  description.footer_part.status = DescribeFooter(file, description);
  if (!description.footer_part.status.ok()) {
    if (absl::IsDataLoss(description.footer_part.status)) return description;
    return description.footer_part.status;
  }
  const Footer& footer = description.footer;
  RETURN_IF_ERROR(file.ExtendTail(footer.point_index_offset()));
  if (footer.layout) description.point_index = DescribePointIndex(file, footer);
  description.filter = DescribeFilter(file, footer);
  DescribeIndexAndBlocks(std::move(file), description);
  if (EveryPartHolds(description)) description.whole = VerifyWhole(files, path, file_number);
  return description;
}

}  // namespace kiban::table
