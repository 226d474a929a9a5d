// Sorted tables, formats 3 and 4. Integers are little-endian, offsets count bytes, `varint` is
// LEB128.
//
//   table := block+ filter index footer              in the file <number>.sst; format 3
//   table := block+ point_index filter index footer  format 4
//
//   block                                        entry
//     entry+                                       varint shared_bytes     of the key before
//     u32[] restarts, offsets into the block       varint suffix_bytes     of the key
//     u32   restart_count, 1 ..                    varint value_bytes
//     u32   crc32                                  u64    sequence << 8 | kind
//                                                  u8[]   suffix, then value
//   filter                                       index
//     u8[]  bits, a multiple of 8 bytes            varint key_bytes, then the smallest key
//     u64   key_count, different keys              fence, one for each block
//     u32   bits_per_key, 1 .. 32                  u32    crc32
//     u32   probe_count
//     u32   crc32                                fence
//                                                  varint block_bytes, crc32 included
//   footer, format 3, 80 bytes                     varint shared_bytes     of the key before: of
//     0  u64  data_bytes, all blocks               varint suffix_bytes     a fence or the smallest
//     8  u64  filter_bytes                         varint sequence
//    16  u64  index_bytes                          u8[]   suffix
//    24  u64  entry_count, 1 ..
//    32  u64  sequence_min, of all entries
//    40  u64  sequence_max
//    48  u32  block_count
//    52  u32  zero
//    56  u32  footer_bytes = 80     These last 24 bytes are the same in every
//    60  u32  version = 3           version, so that a reader that does not know
//    64  u32  crc32                 a version can tell it from a damaged file.
//    68  u32  zero
//    72  u64  magic
//
//   footer, format 4, 96 bytes
//     0  as in format 3, to 56      point_index
//    56  u64  point_index_bytes       as in engine/pointindex/format.h: what is said there of
//    64  u32  layout of point_index   every record holds for every entry, and the value of an
//    68  u32  flags of it = 0         entry stands where it stands in this file
//    72  u32  footer_bytes = 96
//    76  u32  version = 4, and so on
//
// Every crc32 covers the number of the file, the offset of the part it stands in and all other
// bytes of that part: a block or a section in another place or another file is invalid. A table is
// valid if and only if
//   * every crc32 holds and the parts fill the file to the byte, in this order, without gaps;
//   * entries stand in the order of entry.h over the whole table, no two alike; sequences are at
//     most kSequenceMax, a kDelete has no value;
//   * an entry whose offset is in `restarts` has shared_bytes 0; the first entry is one, and so is
//     one at the latest after kRestartIntervalMax entries;
//   * fence i, as (key, sequence), is the last entry of block i, or stands behind it and has
//     sequence 0, and stands before the first of block i + 1. The last fence is the last entry, so
//     its key is the largest;
//   * the filter has the length and the probes that follow from key_count and bits_per_key
//     (filter.h), and admits every key;
//   * smallest key, counts and both sequences are those of the entries;
//   * in format 4, the point index is valid for the entries, and `layout` is its layout.
// A reader checks the sections when it opens a table and each block when it loads it, from first to
// last entry and against the fences on both sides; what only all blocks together can show (counts,
// sequences, filter, point index) is left to Verify(), and to an open that is to use the point
// index. One that does not looks at `layout` alone.
//
// Fences are as short as these rules allow: between two keys the shortest key that tells them
// apart, with sequence 0, which stands behind every version of its own key. The versions of one key
// may fill many blocks; between two such blocks the fence is the last entry itself. Hence a look-up
// of (key, sequence) needs one block only: the first whose fence does not stand before it. If no
// entry there is at or behind it, the next block begins with another key.
//
// Zeros are never valid: they lack magic, restart_count and bits_per_key.
//
// Differs from the reference. The numbers 3 and 4, and what such tables can do, are those of the
// Kiban that was published in Rust; the bytes are not, and neither engine takes the other's tables
// for its own: the magic tells them apart. There format 3 has
//   * checksums of a part's bytes alone, and none of the footer. Here they also cover file number
//     and offset, so that no part is valid in another place, and the footer has one;
//   * 21 bytes before each entry: kind, three u32, u64 sequence. Here three varints, mostly of a
//     byte, and a tag that holds sequence and kind: 11 bytes;
//   * a type byte in block, index and filter. Here nothing is compressed, and what would need
//     another type is another version;
//   * separators written out, each with offset and length of its block. Here a fence has a
//     sequence too, so that one block answers for a key whose versions fill many; its key leans on
//     the one before; and blocks have lengths alone, so that no gap and no overlap can be said. The
//     smallest key stands in front of them: a read outside the table's range needs no block;
//   * a filter of FNV-1a hashes, 7 probes at 10 bits a key, and no count of keys. Here hashes are
//     those of base/hash.h, which the point index uses too, probes follow from the bits, and the
//     count is there: length and probes have one right value each. In both, the filter of no key is
//     as long as a builder makes it, and denies everything;
//   * a footer of 44 bytes that says where filter and index are. Here it is 80 bytes: it counts
//     entries and blocks, bounds sequences, and says how long it is.
// Of format 4 the budgets were published, not the bytes: PH2 keeps to its 80.3 bytes a key (38-byte
// keys, one version each), PH3 stays far below 31.1 (engine/pointindex/README.md). Everything that
// is kept in memory only, as the 64-byte fence of index.h, is as there.
#pragma once

#include <cstdint>

#include "engine/base/sequence.h"

namespace kiban::table {

inline constexpr uint64_t kMagic = 0x4c42544e4142494b;  // "KIBANTBL"
inline constexpr uint32_t kVersionSorted = 3;
inline constexpr uint32_t kVersionIndexed = 4;

// What a table can be: a version, and the layout of its point index.
enum class TableFormat : uint8_t { kSorted, kPh2, kPh3 };

inline constexpr uint32_t kCrcBytes = 4;
inline constexpr uint32_t kFooterBytes = 80;
inline constexpr uint32_t kIndexedFooterBytes = 96;
inline constexpr uint32_t kFooterTailBytes = 24;
inline constexpr uint32_t kFilterTrailerBytes = 16;  // Without the crc32.

inline constexpr uint32_t kTagBytes = 8;
inline constexpr uint32_t kKindBits = 8;
inline constexpr uint32_t kEntryHeadBytesMin = 3 + kTagBytes;
inline constexpr uint32_t kBlockBytesMin = kEntryHeadBytesMin + 4 + 4 + kCrcBytes;
inline constexpr uint32_t kFenceBytesMin = 4;

inline constexpr uint32_t kRestartIntervalMax = 256;
inline constexpr uint32_t kFilterBitsPerKeyMax = 32;
inline constexpr uint64_t kEntryBytesMax = uint64_t{1} << 30;  // Key and value together.

static_assert((base::kSequenceMax << kKindBits) >> kKindBits == base::kSequenceMax,
              "a sequence and a kind share eight bytes");
static_assert(kFooterBytes % 8 == 0 && kIndexedFooterBytes % 8 == 0);
static_assert(kFooterTailBytes < kFooterBytes);
static_assert(kEntryBytesMax < UINT32_MAX / 2, "offsets inside a block are 32 bits");

}  // namespace kiban::table
