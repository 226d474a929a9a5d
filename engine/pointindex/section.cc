#include "engine/pointindex/section.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/status_util.h"

namespace kiban::pointindex {
namespace {

using base::LoadLittle;
using base::StoreLittle;

absl::Status NotKnown(std::string_view path, uint64_t offset, std::string_view what,
                      uint32_t number) {
  return absl::UnimplementedError(absl::StrCat(base::ToAbsl(path), ": offset ", offset,
                                               ": point index ", base::ToAbsl(what), " ", number,
                                               " is not known here"));
}

bool CountsArePlausible(const Header& header, uint64_t section_bytes) {
  return header.key_count >= 1 && header.key_count <= kKeyCountMax &&
         header.record_count >= header.key_count && header.record_count <= kRecordCountMax &&
         header.arena_bytes <= section_bytes && header.seed < kSeedCount;
}

}  // namespace

absl::Status LayoutTooNew(std::string_view path, uint64_t offset, Layout layout, Layout newest) {
  return absl::UnimplementedError(absl::StrCat(
      base::ToAbsl(path), ": offset ", offset, ": point index layout PH",
      static_cast<uint32_t>(layout), " is newer than PH", static_cast<uint32_t>(newest),
      ", the newest known here; to go back, compact with the point index off in the program that "
      "wrote it"));
}

absl::Status FlagsNotKnown(std::string_view path, uint64_t offset, uint32_t flags) {
  return NotKnown(path, offset, "flags", flags);
}

void SealSection(std::string& section, const Header& header, const SectionPlace& place) {
  CHECK(CountsArePlausible(header, section.size()));
  char* const at = section.data();
  StoreLittle(at, kMagic);
  StoreLittle(at + 8, static_cast<uint32_t>(header.layout));
  StoreLittle(at + 12, uint32_t{0});
  StoreLittle(at + 16, uint64_t{section.size()});
  StoreLittle(at + 24, header.key_count);
  StoreLittle(at + 32, header.record_count);
  StoreLittle(at + 40, header.arena_bytes);
  StoreLittle(at + 48, header.seed);
  StoreLittle(at + 52, uint32_t{0});
  const std::string_view covered(at, section.size() - kCrcBytes);
  StoreLittle(at + covered.size(), base::PlacedCrc32(place.file_number, place.offset, covered));
}

absl::StatusOr<Header> OpenHeader(std::string_view section, const SectionPlace& place) {
  const auto wrong = [&](std::string_view what) {
    return base::Corruption(place.path, place.offset, what);
  };
  if (section.size() < kHeaderBytes + kCrcBytes) return wrong("too short for a point index");
  const std::string_view covered = section.substr(0, section.size() - kCrcBytes);
  const char* const at = section.data();
  if (LoadLittle<uint32_t>(at + covered.size()) !=
      base::PlacedCrc32(place.file_number, place.offset, covered)) {
    return wrong("the point index's checksum does not hold");
  }
  if (LoadLittle<uint64_t>(at) != kMagic) return wrong("no point index begins like this");
  const auto layout = LoadLittle<uint32_t>(at + 8);
  const auto flags = LoadLittle<uint32_t>(at + 12);
  if (layout != static_cast<uint32_t>(Layout::kPh2) &&
      layout != static_cast<uint32_t>(Layout::kPh3)) {
    return NotKnown(place.path, place.offset, "layout", layout);
  }
  if (flags != 0) return FlagsNotKnown(place.path, place.offset, flags);

  Header header;
  header.layout = static_cast<Layout>(layout);
  header.key_count = LoadLittle<uint64_t>(at + 24);
  header.record_count = LoadLittle<uint64_t>(at + 32);
  header.arena_bytes = LoadLittle<uint64_t>(at + 40);
  header.seed = LoadLittle<uint32_t>(at + 48);
  if (LoadLittle<uint64_t>(at + 16) != section.size() || LoadLittle<uint32_t>(at + 52) != 0 ||
      !CountsArePlausible(header, section.size())) {
    return wrong("the point index's header contradicts itself or the section's length");
  }
  return header;
}

}  // namespace kiban::pointindex
