#include "engine/pointindex/ph3_section.h"

#include "engine/base/status_util.h"

namespace kiban::pointindex {

absl::StatusOr<Ph3Section> Ph3Section::Open(const Header& header, std::string_view section,
                                            const SectionPlace& place) {
  const auto wrong = [&](std::string_view what) {
    return base::Corruption(place.path, place.offset, what);
  };
  if (section.size() < kHeaderBytes + kPh3FieldsBytes) return wrong("too short for PH3");
  const std::optional<Ph3Layout> layout = Ph3Layout::Load(section.data() + kHeaderBytes);
  if (!layout) return wrong("the point index's fields are impossible");
  const Ph3Parts parts = Ph3Parts::Of(header, *layout);
  if (parts.end != section.size()) return wrong("the point index's parts do not fill it");

  Ph3Section opened;
  opened.header = header;
  opened.layout = *layout;
  opened.parts = parts;
  opened.hash = PerfectHash(kPh3Hash, header.key_count, header.seed, section.data() + parts.pilots);
  opened.slots = section.data() + parts.slots;
  opened.versions = section.data() + parts.versions;
  opened.groups = section.data() + parts.groups;
  opened.arena = section.data() + parts.arena;
  if (!opened.hash.SparesAreSlots()) return wrong("a spare place of the point index has no slot");
  return opened;
}

const char* Ph3Section::FindOlder(uint64_t first, uint64_t count, base::Sequence at) const {
  const uint64_t version_bytes = layout.version.bytes();
  const char* const newest = versions + first * version_bytes;
  uint64_t newer_end = 0;  // Those before it are newer than `at`,
  uint64_t end = count;    // those from here on are not.
  while (newer_end < end) {
    const uint64_t middle = newer_end + (end - newer_end) / 2;
    const PackedReader<false> number(newest + middle * version_bytes);
    if (number(layout.version.fields[kSequence]) > at) {
      newer_end = middle + 1;
    } else {
      end = middle;
    }
  }
  return newer_end == count ? nullptr : newest + newer_end * version_bytes;
}

SectionSizes Ph3Section::sizes() const {
  uint64_t key_bits = 0;  // Of the fields that describe the key, not where it is.
  for (size_t field = kSharedBytes; field < kPh3KeyFields; ++field) {
    key_bits += layout.key_widths[field].bits;
  }
  const uint64_t described_bytes = header.key_count * key_bits / 8;
  SectionSizes sizes;
  sizes.pilots = parts.slots - parts.pilots;
  sizes.slots = header.key_count * layout.key.bytes() - described_bytes;
  sizes.keys = described_bytes + (parts.arena - parts.groups);
  sizes.versions = header.record_count * layout.version.bytes();
  sizes.arena = header.arena_bytes;
  sizes.total = parts.end;
  return sizes;
}

}  // namespace kiban::pointindex
