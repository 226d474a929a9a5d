// Write-ahead log segment, format 1. Integers are little-endian, offsets count bytes.
//
//   segment := header record*            in the file <number>.wal
//
//   header, 32 bytes                     record, 24 bytes + payload, zero-padded to 8
//     0  u64  magic                        0  u32  crc32, see below
//     8  u32  format = 1                   4  u32  payload_bytes, 1 .. kPayloadBytesMax
//    12  u32  crc32 of all the rest       8  u64  sequence of its first operation
//    16  u64  segment_id                  16  u64  durable_through
//    24  u64  first_sequence              24  u8[] payload
//
// A record's crc covers segment_id, the record's own offset, and bytes
// [4, 24 + payload_bytes). A copy of a record anywhere else is therefore invalid,
// be it left over in a recycled file, written to the wrong place, or sitting
// inside somebody's payload. So are zeros, because payload_bytes is at least 1.
// The header's crc covers segment_id, offset 0, and bytes [0, 12) and [16, 32).
//
// durable_through is the last sequence known to be synced when this record was
// written. It decides what a hole means. The log ends at the first invalid
// record; if any valid record beyond it (sought at every 8-byte boundary) has a
// durable_through at or past the hole, acknowledged data is gone and recovery
// fails with DataLoss. If none has, the hole and all after it were never
// promised to anyone, and recovery drops them without a word.
//
// Recovery never appends to a segment it has read, and adopts what it read by
// rewriting it as a table (engine/lsm/README.md), so that a record dropped once
// cannot come back behind a newer one.
#pragma once

#include <cstdint>

namespace kiban::wal {

inline constexpr uint64_t kMagic = 0x4c41574e4142494b;  // "KIBANWAL"
inline constexpr uint32_t kFormat = 1;
inline constexpr uint32_t kHeaderBytes = 32;
inline constexpr uint32_t kRecordHeadBytes = 24;
inline constexpr uint32_t kAlignBytes = 8;
inline constexpr uint32_t kPayloadBytesMax = 64u << 20;

static_assert(kHeaderBytes % kAlignBytes == 0);
static_assert(kRecordHeadBytes % kAlignBytes == 0);

}  // namespace kiban::wal
