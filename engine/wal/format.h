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
// Validity. A header is valid if and only if the file has its 32 bytes, magic, format and
// segment_id are right, first_sequence is 1 .. kSequenceMax + 1, and the crc is that of bytes
// [0, 12) and [16, 32) at offset 0 of this segment. A record is valid if and only if
//   * it begins at a multiple of 8 and lies in the file whole, padding included;
//   * payload_bytes is within its bounds, and the padding is zeros;
//   * its sequence is 1 .. kSequenceMax, and durable_through is smaller;
//   * its crc is that of bytes [4, 24 + payload_bytes) at this offset of this segment.
// A copy of a record anywhere else is therefore invalid, be it left over in a recycled file,
// written to the wrong place, or sitting inside somebody's payload. So are zeros, because
// payload_bytes is at least 1.
//
// durable_through is the last sequence known to be synced when this record was
// written. It decides what a hole means. The log ends at the first record that is
// invalid or does not take up the sequence where the one before left it; if any
// valid record beyond it (sought at every 8-byte boundary) has a
// durable_through at or past the hole, acknowledged data is gone and recovery
// fails with DataLoss. If none has, the hole and all after it were never
// promised to anyone, and recovery drops them without a word.
//
// A segment is only begun once everything before its first_sequence is durable, so
// no durable_through in it is below first_sequence - 1. That is what tells a header
// which was lost, because nobody had synced it, from one that was damaged:
//   * no valid record: an empty log;
//   * valid records whose durable_through is one and the same, and none of them beyond
//     the first place has sequence durable_through + 1: they were all written before
//     the first sync, which would have carried the header. Dropped without a word;
//   * anything else: a sync came between two of them, or between what stood before one
//     and that one. DataLoss.
// (Damage that takes the header, every record up to a sync, and the one written just
// after it can pass for the second. So can, with a good header, damage to the last
// record of a log: the hole rule knows what was promised only from what comes after.)
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

// What a record takes in the file.
constexpr uint64_t FrameBytes(uint64_t payload_bytes) {
  return (kRecordHeadBytes + payload_bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes;
}

}  // namespace kiban::wal
