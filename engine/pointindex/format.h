// The point-index section of a table, layouts PH2 and PH3. Integers are little-endian, offsets
// count bytes. The section names every record of its table once: which slot of a perfect hash
// (mphf.h) a key has, and for each version of the key its sequence, its kind and where among the
// sorted blocks its value stands. Values are nowhere but there.
//
//   PH2 := header pilots slots arena crc32
//   PH3 := header fields pilots slots versions groups arena crc32
//
//   header, 56 bytes                            pilots, as in mphf.h
//     0  u64  magic                               u16 or u32, one for each bucket
//     8  u32  layout, 2 or 3                      u32, the slot of each spare place
//    12  u32  flags = 0
//    16  u64  section_bytes, from here to the end
//    24  u64  key_count, 1 .. kKeyCountMax      PH2 has 3 keys a bucket, pilots of four bytes,
//    32  u64  record_count, key_count ..        no spare place; PH3 has 2 keys a bucket, pilots
//             kRecordCountMax                   of two bytes, a spare place for every 32 keys.
//    40  u64  arena_bytes
//    48  u32  seed, below kSeedCount            crc32: of the number of the file, the offset of
//    52  u32  zero                              the section, and all other bytes of it
//
//   PH2 slot, 12 bytes                          PH3 fields, 104 bytes
//     u64  offset of its key in the arena         u64[11]  base
//     u32  fingerprint: low bits of the hash      u8[11]   bits, 0 .. kFieldBitsMax
//   PH2 arena, of each key in order               u8[5]    zeros
//     u32  key_bytes                            PH3 slot: two parts of whole bytes
//     u32  version_count, 1 ..                    fingerprint   8 bits, low bits of the hash
//     u8[] key                                    group         1,024 keys in order share one
//     versions, newest first, 21 bytes each       shared_bytes  of the group's anchor
//       u64  sequence                             suffix_offset in the group's suffixes
//       u8   kind                                 suffix_bytes
//       u64  offset of the value                  older_first   in versions; 0 if none is older
//       u32  bytes of the value                   older_count
//                                                 -- then the newest version:
//   PH3 group, 24 bytes                           sequence
//     u64  offset of its anchor in the arena      kind
//     u64  value_base                             value_offset  from the group's value_base
//     u32  anchor_bytes                           value_bytes
//     u32  zero                                 PH3 versions: parts like the second, of all older
//   PH3 arena, of each group in order             versions of all keys in order, newest first
//     u8[] anchor, which is its first key
//     u8[] suffixes of its keys in order
//
// A field of a part has the number of bits that `fields` gives it, lowest bit first, no gap between
// two, zeros after the last; its number is base + these bits. Fields stand in `fields` in the order
// above. A writer takes for base the smallest number of the field in this table and as few bits as
// the largest needs; a reader takes any. What a delete says of its value: PH2 zeros, PH3 bits of 0.
//
// A section is valid for a table if and only if
//   * the crc32 holds, and the parts fill section_bytes, which is the section, to the byte;
//   * the header is as above; in PH3 the fingerprint has base 0 and 8 bits;
//   * the slot of every spare place is below key_count;
//   * for every record of the table, in order: the slot of its key has the fingerprint of its key
//     and leads to this very key; keys, suffixes and versions stand in the order of records without
//     a gap, and nothing stands behind the last; a suffix is what follows the longest prefix that
//     the key shares with its anchor; sequence, kind and place of the value are the record's.
// A different key leads to a different slot then, for one slot has one key: key_count slots, each
// taken once. A reader walks through all records before it answers anything. Pilots of empty
// buckets and slots of spare places that no key has may be anything the crc32 covers, and the last
// field of a part may be said to take in zeros behind it: no answer depends on these.
//
// Extensions. An unknown layout and a flag that is not known are refused, and say so; they are not
// damage. Bit 0 of flags is reserved for a checksum of the value in every version, which would let
// a reader with a small cache check a value without its block; flags = 0 means for ever what is
// written here. A new field or part is a new flag or a new layout. A reader that knows only PH2
// refuses PH3; who wants to go back rewrites the tables without a point index.
//
// Zeros are never valid: they lack the magic.
#pragma once

#include <cstdint>

#include "engine/pointindex/mphf.h"

namespace kiban::pointindex {

enum class Layout : uint32_t { kPh2 = 2, kPh3 = 3 };

inline constexpr uint64_t kMagic = 0x5849504e4142494b;  // "KIBANPIX"
inline constexpr uint32_t kHeaderBytes = 56;
inline constexpr uint32_t kCrcBytes = 4;
inline constexpr uint32_t kSectionBytesMin = kHeaderBytes + kCrcBytes;
inline constexpr uint32_t kFlagValueChecksums = 1;  // Reserved: refused.
inline constexpr uint64_t kRecordCountMax = UINT32_MAX;

inline constexpr HashShape kPh2Hash = {.keys_per_bucket = 3, .keys_per_spare = 0, .pilot_bytes = 4};
inline constexpr uint32_t kPh2SlotBytes = 12;
inline constexpr uint32_t kPh2KeyHeadBytes = 8;
inline constexpr uint32_t kPh2VersionBytes = 21;

inline constexpr HashShape kPh3Hash = {
    .keys_per_bucket = 2, .keys_per_spare = 32, .pilot_bytes = 2};
inline constexpr uint32_t kPh3KeyFields = 7;
inline constexpr uint32_t kPh3VersionFields = 4;
inline constexpr uint32_t kPh3FieldCount = kPh3KeyFields + kPh3VersionFields;
inline constexpr uint32_t kPh3FieldsBytes = 104;
inline constexpr uint32_t kPh3FingerprintBits = 8;
inline constexpr uint32_t kPh3GroupBytes = 24;
inline constexpr uint32_t kKeysPerGroup = 1024;

static_assert(kPh3FieldsBytes == kPh3FieldCount * 8 + 16);
static_assert(kPh3FieldsBytes % 8 == 0 && kHeaderBytes % 8 == 0);
static_assert(kPh3GroupBytes >= 8, "a part may be read eight bytes at a time; a group follows");
static_assert(kPh2VersionBytes == 8 + 1 + 8 + 4);
static_assert(kKeyCountMax <= UINT32_MAX, "slots of spare places are 32 bits");

}  // namespace kiban::pointindex
