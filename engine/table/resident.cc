#include "engine/table/resident.h"

#include <optional>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/mark.h"
#include "engine/base/status_util.h"

namespace kiban::table {

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
  RETURN_IF_ERROR(sections.file.Read(0, {resident->bytes_.get(), resident->size_bytes_}));
  const std::string_view bytes = resident->bytes();
  TableWalk walk(sections, [&](size_t i) {
    const auto offset = static_cast<size_t>(sections.index.block_offset(i));
    return sections.CheckBlock(
        i, bytes.substr(offset, static_cast<size_t>(sections.index.block_bytes(i))));
  });
  const auto section_at = static_cast<size_t>(footer.point_index_offset());
  ASSIGN_OR_RETURN(resident->index_,
                   OpenPointIndex(sections, bytes.substr(section_at), std::move(walk)));
  MARK("table.index_admitted");
  return resident;
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
