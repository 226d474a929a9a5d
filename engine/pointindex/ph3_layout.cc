#include "engine/pointindex/ph3_layout.h"

#include <algorithm>

#include "engine/base/bytes.h"

namespace kiban::pointindex {
namespace {

constexpr uint32_t kBitsAt = kPh3FieldCount * 8;

}  // namespace

Ph3Layout Ph3Layout::Of(const std::array<FieldWidth, kPh3KeyFields>& key_widths,
                        const std::array<FieldWidth, kPh3VersionFields>& version_widths) {
  return {.key_widths = key_widths,
          .version_widths = version_widths,
          .key = PackedPart<kPh3KeyFields>::Of(key_widths),
          .version = PackedPart<kPh3VersionFields>::Of(version_widths)};
}

void Ph3Layout::Store(char* to) const {
  for (uint32_t i = 0; i < kPh3FieldCount; ++i) {
    const FieldWidth& width = i < kPh3KeyFields ? key_widths[i] : version_widths[i - kPh3KeyFields];
    base::StoreLittle(to + i * 8, width.base);
    to[kBitsAt + i] = static_cast<char>(width.bits);
  }
}

std::optional<Ph3Layout> Ph3Layout::Load(const char* from) {
  std::array<FieldWidth, kPh3KeyFields> key_widths;
  std::array<FieldWidth, kPh3VersionFields> version_widths;
  for (uint32_t i = 0; i < kPh3FieldCount; ++i) {
    FieldWidth& width = i < kPh3KeyFields ? key_widths[i] : version_widths[i - kPh3KeyFields];
    width.base = base::LoadLittle<uint64_t>(from + i * 8);
    width.bits = static_cast<unsigned char>(from[kBitsAt + i]);
    if (width.bits > kFieldBitsMax) return std::nullopt;
  }
  const bool ends_in_zeros = std::all_of(from + kBitsAt + kPh3FieldCount, from + kPh3FieldsBytes,
                                         [](char byte) { return byte == 0; });
  const FieldWidth& fingerprint = key_widths[kFingerprint];
  if (!ends_in_zeros || fingerprint.base != 0 || fingerprint.bits != kPh3FingerprintBits) {
    return std::nullopt;
  }
  return Of(key_widths, version_widths);
}

Ph3Parts Ph3Parts::Of(const Header& header, const Ph3Layout& layout) {
  // Counts are below 2^32, parts below 2^7 bytes, arena_bytes below the section's: no sum wraps.
  Ph3Parts parts;
  parts.pilots = kHeaderBytes + kPh3FieldsBytes;
  parts.slots = parts.pilots + kPh3Hash.encoded_bytes(header.key_count);
  parts.versions = parts.slots + header.key_count * layout.slot_bytes();
  parts.groups = parts.versions + header.older_count() * layout.version.bytes();
  parts.arena = parts.groups + GroupCount(header.key_count) * kPh3GroupBytes;
  parts.end = parts.arena + header.arena_bytes + kCrcBytes;
  return parts;
}

}  // namespace kiban::pointindex
