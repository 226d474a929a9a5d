#include "engine/table/resident.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"

namespace kiban::table {

namespace {

// Of blocks at a time: few calls, and what was read is still in the processor's cache when it is
// checked.
constexpr size_t kReadBytes = size_t{128} << 10;

}  // namespace

Resident::Resident(cache::Reservation charge, uint64_t size_bytes)
    : charge_(std::move(charge)),
      size_bytes_(static_cast<size_t>(size_bytes)),
      bytes_(std::make_unique_for_overwrite<char[]>(size_bytes_)) {}

absl::StatusOr<std::unique_ptr<const Resident>> Resident::Load(const Sections& sections,
                                                               cache::BlockCache& cache) {
  const Footer& footer = sections.footer;
  const uint64_t size_bytes = footer.data_bytes + footer.point_index_bytes;
  std::optional<cache::Reservation> charge = cache.Reserve(size_bytes);
  if (!charge.has_value()) {
    MARK("table.index_does_not_fit");
    return nullptr;
  }
  std::unique_ptr<Resident> resident(new Resident(*std::move(charge), size_bytes));
  const auto section_at = static_cast<size_t>(footer.point_index_offset());
  RETURN_IF_ERROR(resident->Read(sections.file, section_at, resident->size_bytes_));
  size_t loaded_bytes = 0;  // Of the blocks.
  TableWalk walk(sections, [&](size_t i) -> absl::StatusOr<std::string_view> {
    const auto begin = static_cast<size_t>(sections.index.block_offset(i));
    const size_t end = begin + static_cast<size_t>(sections.index.block_bytes(i));
    if (end > loaded_bytes) {
      const size_t next = std::min(section_at, std::max(end, loaded_bytes + kReadBytes));
      RETURN_IF_ERROR(resident->Read(sections.file, loaded_bytes, next));
      loaded_bytes = next;
    }
    return sections.CheckBlock(i, resident->bytes().substr(begin, end - begin));
  });
  ASSIGN_OR_RETURN(resident->index_,
                   OpenPointIndex(sections, resident->bytes().substr(section_at), std::move(walk)));
  MARK("table.index_admitted");
  return resident;
}

absl::Status Resident::Read(const TableFile& file, size_t begin, size_t end) {
  return file.Read(begin, {bytes_.get() + begin, end - begin});
}

std::string_view Resident::Block(const Index& index, size_t i) const {
  return bytes().substr(static_cast<size_t>(index.block_offset(i)),
                        static_cast<size_t>(index.block_bytes(i)) - kCrcBytes);
}

absl::StatusOr<std::unique_ptr<const pointindex::PointIndex>> OpenPointIndex(
    const Sections& sections, std::string_view bytes, TableWalk walk) {
  const uint64_t offset = sections.footer.point_index_offset();
  const pointindex::SectionPlace place{
      .path = sections.file.path(), .file_number = sections.file.file_number(), .offset = offset};
  // Before the section is asked: what contradicts its footer is damage, whatever it may mean.
  if (bytes.size() < pointindex::kSectionBytesMin ||
      base::LoadLittle<uint32_t>(bytes.data() + 8) !=
          static_cast<uint32_t>(*sections.footer.layout)) {
    return base::Corruption(place.path, offset, "the point index is not of the footer's layout");
  }
  return pointindex::PointIndex::Open(
      bytes, place, {}, [&](pointindex::Record& record) { return walk.Next(record); });
}

}  // namespace kiban::table
