// CRC-32 (IEEE 802.3, reflected polynomial 0xEDB88320), the checksum of everything on disk.
//
// Every checksum also covers the number of its file and its own offset, so that a block, record or
// section in the wrong place is not valid: start from PlacedCrc32() instead of Crc32().
#pragma once

#include <cstdint>
#include <string_view>

namespace kiban::base {

// Continues `crc` (0 to begin) over `bytes`: Crc32(Crc32(0, a), b) == Crc32(0, a + b).
uint32_t Crc32(uint32_t crc, std::string_view bytes);

// The checksum of `bytes` at `offset` of file number `file_number`.
uint32_t PlacedCrc32(uint64_t file_number, uint64_t offset, std::string_view bytes);

}  // namespace kiban::base
