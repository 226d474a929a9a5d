#include "engine/table/footer.h"

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/status_util.h"
#include "engine/pointindex/section.h"
#include "engine/table/format.h"

namespace kiban::table {
namespace {

using base::AppendLittle;
using base::Corruption;
using base::LoadLittle;

constexpr size_t kCrcFromEnd = 16;

// Of a footer that is whole but for its crc.
uint32_t FooterCrc(uint64_t file_number, uint64_t offset, std::string_view footer) {
  const size_t crc_at = footer.size() - kCrcFromEnd;
  const uint32_t before = base::PlacedCrc32(file_number, offset, footer.substr(0, crc_at));
  return base::Crc32(before, footer.substr(crc_at + kCrcBytes));
}

// What `footer` says can be true of a file this long. Sums do not wrap: each part is checked alone.
bool IsPlausible(const Footer& footer, uint64_t file_bytes) {
  if (footer.data_bytes > file_bytes || footer.point_index_bytes > file_bytes ||
      footer.filter_bytes > file_bytes || footer.index_bytes > file_bytes) {
    return false;
  }
  if (footer.layout && footer.point_index_bytes < pointindex::kSectionBytesMin) return false;
  return footer.footer_offset() + footer.footer_bytes() == file_bytes && footer.block_count >= 1 &&
         footer.data_bytes / kBlockBytesMin >= footer.block_count &&
         footer.index_bytes / kFenceBytesMin >= footer.block_count &&
         footer.filter_bytes > kFilterTrailerBytes + kCrcBytes &&
         footer.entry_count >= footer.block_count &&
         footer.entry_count <= footer.data_bytes / kEntryHeadBytesMin &&
         footer.sequence_min <= footer.sequence_max && footer.sequence_max <= base::kSequenceMax;
}

// A layout is the number of its name: PH2, PH3.
absl::StatusOr<pointindex::Layout> ReadLayout(std::string_view path, uint64_t offset,
                                              const char* at, pointindex::Layout newest) {
  const auto layout = static_cast<pointindex::Layout>(LoadLittle<uint32_t>(at));
  if (layout < pointindex::Layout::kPh2) {
    return Corruption(path, offset, "the footer names no layout of a point index");
  }
  if (layout > newest) return pointindex::LayoutTooNew(path, offset, layout, newest);
  return layout;
}

}  // namespace

TableFormat Footer::format() const {
  if (!layout) return TableFormat::kSorted;
  return *layout == pointindex::Layout::kPh2 ? TableFormat::kPh2 : TableFormat::kPh3;
}

void AppendFooter(std::string& to, uint64_t file_number, const Footer& footer) {
  std::string bytes;
  AppendLittle(bytes, footer.data_bytes);
  AppendLittle(bytes, footer.filter_bytes);
  AppendLittle(bytes, footer.index_bytes);
  AppendLittle(bytes, footer.entry_count);
  AppendLittle(bytes, footer.sequence_min);
  AppendLittle(bytes, footer.sequence_max);
  AppendLittle(bytes, footer.block_count);
  AppendLittle(bytes, uint32_t{0});
  if (footer.layout) {
    AppendLittle(bytes, footer.point_index_bytes);
    AppendLittle(bytes, static_cast<uint32_t>(*footer.layout));
    AppendLittle(bytes, uint32_t{0});  // Flags.
  }
  AppendLittle(bytes, footer.footer_bytes());
  AppendLittle(bytes, footer.layout ? kVersionIndexed : kVersionSorted);
  AppendLittle(bytes, uint32_t{0});  // The crc's place.
  AppendLittle(bytes, uint32_t{0});
  AppendLittle(bytes, kMagic);
  CHECK(bytes.size() == footer.footer_bytes());
  base::StoreLittle(bytes.data() + bytes.size() - kCrcFromEnd,
                    FooterCrc(file_number, footer.footer_offset(), bytes));
  to.append(bytes);
}

absl::StatusOr<uint32_t> ReadVersion(std::string_view path, uint64_t file_number,
                                     uint64_t file_bytes, std::string_view tail) {
  if (tail.size() < kFooterTailBytes) return Corruption(path, 0, "too short for a table");
  const char* const end = tail.data() + tail.size();
  if (LoadLittle<uint64_t>(end - 8) != kMagic) {
    return Corruption(path, file_bytes - 8, "no table ends like this");
  }
  const auto footer_bytes = LoadLittle<uint32_t>(end - kFooterTailBytes);
  if (footer_bytes < kFooterTailBytes || footer_bytes > tail.size()) {
    return Corruption(path, file_bytes - kFooterTailBytes, "the footer's length is damaged");
  }
  const uint64_t offset = file_bytes - footer_bytes;
  const std::string_view footer = tail.substr(tail.size() - footer_bytes);
  if (LoadLittle<uint32_t>(end - kCrcFromEnd) != FooterCrc(file_number, offset, footer)) {
    return Corruption(path, offset, "the footer's checksum does not hold");
  }
  return LoadLittle<uint32_t>(end - kFooterTailBytes + 4);
}

absl::Status UnknownVersion(std::string_view path, uint32_t version) {
  return absl::UnimplementedError(
      absl::StrCat(base::ToAbsl(path), ": table version ", version, " is not known here"));
}

absl::StatusOr<Footer> ReadFooter(std::string_view path, uint64_t file_bytes, std::string_view tail,
                                  uint32_t version, pointindex::Layout newest) {
  const bool is_indexed = version == kVersionIndexed;
  const uint32_t footer_bytes = is_indexed ? kIndexedFooterBytes : kFooterBytes;
  const char* const end = tail.data() + tail.size();
  if (LoadLittle<uint32_t>(end - kFooterTailBytes) != footer_bytes) {
    return Corruption(path, file_bytes - kFooterTailBytes,
                      "the footer's length is not that of its version");
  }
  const uint64_t offset = file_bytes - footer_bytes;
  const char* const at = end - footer_bytes;
  Footer footer;
  footer.data_bytes = LoadLittle<uint64_t>(at);
  footer.filter_bytes = LoadLittle<uint64_t>(at + 8);
  footer.index_bytes = LoadLittle<uint64_t>(at + 16);
  footer.entry_count = LoadLittle<uint64_t>(at + 24);
  footer.sequence_min = LoadLittle<uint64_t>(at + 32);
  footer.sequence_max = LoadLittle<uint64_t>(at + 40);
  footer.block_count = LoadLittle<uint32_t>(at + 48);
  const bool zeros = LoadLittle<uint32_t>(at + 52) == 0 && LoadLittle<uint32_t>(end - 12) == 0;
  if (is_indexed) {
    footer.point_index_bytes = LoadLittle<uint64_t>(at + 56);
    ASSIGN_OR_RETURN(footer.layout, ReadLayout(path, offset, at + 64, newest));
    if (const auto flags = LoadLittle<uint32_t>(at + 68); flags != 0) {
      return pointindex::FlagsNotKnown(path, offset, flags);
    }
  }
  if (!zeros || !IsPlausible(footer, file_bytes)) {
    return Corruption(path, offset, "the footer contradicts itself or the file's length");
  }
  return footer;
}

}  // namespace kiban::table
