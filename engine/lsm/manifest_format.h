// MANIFEST, format 1: what the database consists of, one whole snapshot. Integers are
// little-endian, offsets count bytes.
//
//   head, 24 bytes                         body
//     0  u64  magic                          24  u64  min_log
//     8  u32  format = 1                     32  u64  next_file
//    12  u32  crc32 of all the rest          40  u64  last_sequence
//    16  u64  body_bytes                     48  u64  table_count
//                                            56  table[table_count]
//   table, 56 bytes and two keys
//     0  u32  level                          40  u64  largest_sequence
//     4  u32  smallest_key_bytes             48  u32  largest_key_bytes
//     8  u64  number                         52  u32  zero
//    16  u64  size_bytes                     56  u8[] smallest key, largest key
//    24  u64  entry_count
//    32  u64  smallest_sequence
//
// The crc covers file number 0, offset 0, and bytes [0, 12) and [16, end).
//
// A MANIFEST is valid if and only if it is exactly 24 + body_bytes long, its crc is right, the body
// is read up without rest, and all that Manifest says below holds. There is then one way to write
// it.
//
// It alone says what belongs to the database: every log numbered >= min_log is live (one that does
// not exist is legal), every lower one and every table that is not named is garbage.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/lsm/limits.h"

namespace kiban::lsm {

inline constexpr uint64_t kManifestMagic = 0x4e414d4e4142494b;  // "KIBANMAN"
inline constexpr uint32_t kManifestFormat = 1;
inline constexpr uint32_t kManifestHeadBytes = 24;
inline constexpr uint32_t kManifestBodyBytesMin = 32;
inline constexpr uint32_t kManifestTableBytes = 56;

// Everything in it is at least 1, except that keys may be empty.
struct TableInfo {
  uint64_t number = 0;
  uint64_t size_bytes = 0;
  uint64_t entry_count = 0;
  base::Sequence smallest_sequence = 0;  // At most largest_sequence.
  base::Sequence largest_sequence = 0;   // At most the manifest's last_sequence.
  std::string smallest_key;              // At most largest_key.
  std::string largest_key;
  friend bool operator==(const TableInfo&, const TableInfo&) = default;
};

struct Manifest {
  uint64_t min_log = 0;    // At least 1, below next_file, not a table's number.
  uint64_t next_file = 0;  // Above every number that the database has given to a file.
  // Everything up to it is in the tables, and the first live log begins right after it.
  base::Sequence last_sequence = 0;
  // All numbers are distinct and below next_file. Level 0: oldest first, numbers ascending,
  // sequences of one table all below those of the next. Other levels: keys of one table all below
  // those of the next.
  std::array<std::vector<TableInfo>, kLevelCount> levels;
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

// The manifest must be valid (CHECK): what is checked after reading is checked before writing.
std::string EncodeManifest(const Manifest& manifest);

// kDataLoss naming `path` and an offset; kUnimplemented, naming the format, for an intact manifest
// of another format.
absl::StatusOr<Manifest> DecodeManifest(std::string_view path, std::string_view bytes);

}  // namespace kiban::lsm
