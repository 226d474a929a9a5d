// Slicing by eight: M. E. Kounavis and F. L. Berry, "A systematic approach to building high
// performance software-based CRC generators", ISCC 2005.
#include "engine/base/crc32.h"

#include <array>
#include <cstddef>

#include "engine/base/bytes.h"

namespace kiban::base {
namespace {

constexpr uint32_t kPolynomial = 0xedb88320;

using Tables = std::array<std::array<uint32_t, 256>, 8>;

// tables[k][b] is the effect of byte b followed by k zero bytes.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (size_t byte = 0; byte < 256; ++byte) {
    for (size_t k = 1; k < 8; ++k) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

}  // namespace

uint32_t Crc32(uint32_t crc, std::string_view bytes) {
  const char* at = bytes.data();
  size_t left = bytes.size();
  crc = ~crc;
  for (; left >= 8; left -= 8, at += 8) {
    const uint32_t low = LoadLittle<uint32_t>(at) ^ crc;
    const uint32_t high = LoadLittle<uint32_t>(at + 4);
    crc = kTables[7][low & 0xff] ^ kTables[6][(low >> 8) & 0xff] ^ kTables[5][(low >> 16) & 0xff] ^
          kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][(high >> 8) & 0xff] ^
          kTables[1][(high >> 16) & 0xff] ^ kTables[0][high >> 24];
  }
  for (; left > 0; --left, ++at) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(*at)) & 0xff];
  }
  return ~crc;
}

uint32_t PlacedCrc32(uint64_t file_number, uint64_t offset, std::string_view bytes) {
  char place[16];
  StoreLittle(place, file_number);
  StoreLittle(place + 8, offset);
  return Crc32(Crc32(0, {place, sizeof place}), bytes);
}

}  // namespace kiban::base
