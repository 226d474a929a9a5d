#include "engine/wal/reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/crc32.h"
#include "engine/base/mark.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/wal/format.h"

namespace kiban::wal {
namespace {

using base::Corruption;
using base::LoadLittle;
using base::Sequence;

// A segment in memory, as it was found. Nothing in it is believed before it has been checked.
struct Segment {
  const std::string& path;
  uint64_t id;
  std::string_view bytes;
};

struct RecordHead {
  uint32_t crc;
  uint32_t payload_bytes;
  Sequence sequence;
  Sequence durable_through;
};

// Everything about a record at `offset` but its bytes: head and frame fit, numbers are within
// bounds.
bool ReadHead(std::string_view bytes, uint64_t offset, RecordHead& head) {
  const uint64_t left = bytes.size() - offset;
  if (left < kRecordHeadBytes) return false;
  const char* const at = bytes.data() + offset;
  head.crc = LoadLittle<uint32_t>(at);
  head.payload_bytes = LoadLittle<uint32_t>(at + 4);
  head.sequence = LoadLittle<uint64_t>(at + 8);
  head.durable_through = LoadLittle<uint64_t>(at + 16);
  return head.payload_bytes >= 1 && head.payload_bytes <= kPayloadBytesMax &&
         FrameBytes(head.payload_bytes) <= left && head.sequence >= 1 &&
         head.sequence <= base::kSequenceMax && head.durable_through < head.sequence;
}

bool BytesHold(const Segment& segment, uint64_t offset, const RecordHead& head) {
  const std::string_view frame = segment.bytes.substr(offset, FrameBytes(head.payload_bytes));
  const uint64_t end = kRecordHeadBytes + head.payload_bytes;
  if (frame.find_first_not_of('\0', end) != frame.npos) return false;
  const std::string_view covered = frame.substr(sizeof head.crc, end - sizeof head.crc);
  return base::PlacedCrc32(segment.id, offset, covered) == head.crc;
}

// Looks for proof, behind the place where a log ends, that something there had been promised.
// Payloads may be made to look like records, so what it hashes is bounded.
class Search {
 public:
  explicit Search(const Segment& segment) : segment_(segment) {}

  // The log has a header and ends at `hole_offset`, where `hole` should have stood.
  absl::Status BehindHole(uint64_t hole_offset, Sequence hole) {
    const Sequence sequence_max = hole + (segment_.bytes.size() - hole_offset);
    RecordHead head;
    for (uint64_t at = hole_offset + kAlignBytes; at < segment_.bytes.size(); at += kAlignBytes) {
      if (!ReadHead(segment_.bytes, at, head)) continue;
      // Valid or not, it could not be a witness. (Nor could one whose sequence is not past the
      // hole: its durable_through, which is smaller, would be before the hole.)
      if (head.durable_through < hole || head.sequence > sequence_max) continue;
      ASSIGN_OR_RETURN(const bool valid, Hash(at, head));
      if (valid) return Promised(hole_offset, at);
    }
    return absl::OkStatus();
  }

  // The header is unreadable: the cases of format.h. True if there is a valid record.
  absl::StatusOr<bool> WithoutHeader() {
    std::optional<Sequence> durable_through;
    RecordHead head;
    for (uint64_t at = kHeaderBytes; at < segment_.bytes.size(); at += kAlignBytes) {
      if (!ReadHead(segment_.bytes, at, head)) continue;
      // What stood before it took at least one byte an operation.
      if (head.sequence - head.durable_through - 1 > at - kHeaderBytes) continue;
      const bool follows_sync = at > kHeaderBytes && head.sequence == head.durable_through + 1;
      if (durable_through == head.durable_through && !follows_sync) continue;  // No news.
      ASSIGN_OR_RETURN(const bool valid, Hash(at, head));
      if (!valid) continue;
      if (durable_through.has_value() || follows_sync) return Promised(0, at);
      durable_through = head.durable_through;
    }
    return durable_through.has_value();
  }

 private:
  absl::StatusOr<bool> Hash(uint64_t at, const RecordHead& head) {
    hashed_bytes_ += head.payload_bytes;
    if (hashed_bytes_ > 4 * segment_.bytes.size()) {
      return Corruption(segment_.path, at, "gave up looking for records behind a hole");
    }
    return BytesHold(segment_, at, head);
  }

  absl::Status Promised(uint64_t hole_offset, uint64_t at) const {
    return Corruption(segment_.path, hole_offset,
                      absl::StrCat("synced records are gone, says the record at ", at));
  }

  const Segment& segment_;
  uint64_t hashed_bytes_ = 0;
};

absl::StatusOr<ReplayResult> ReplayHeaderless(const Segment& segment, TailRule tail) {
  if (tail == TailRule::kWhole) {
    return Corruption(segment.path, 0, "the header of a synced log is gone");
  }
  ASSIGN_OR_RETURN(const bool has_stray_record, Search(segment).WithoutHeader());
  if (has_stray_record) MARK("wal.header_lost");
  ReplayResult result;
  result.dropped_bytes = segment.bytes.size();
  result.has_stray_record = has_stray_record;
  return result;
}

}  // namespace

absl::StatusOr<std::optional<Sequence>> ReadHeader(std::string_view path, uint64_t segment_id,
                                                   std::string_view bytes) {
  const std::optional<Sequence> none;
  if (bytes.size() < kHeaderBytes) return none;
  const char* const at = bytes.data();
  if (LoadLittle<uint64_t>(at) != kMagic) return none;
  const uint32_t before = base::PlacedCrc32(segment_id, 0, {at, 12});
  if (LoadLittle<uint32_t>(at + 12) != base::Crc32(before, {at + 16, 16})) return none;
  if (const auto format = LoadLittle<uint32_t>(at + 8); format != kFormat) {
    return absl::UnimplementedError(
        absl::StrCat(base::ToAbsl(path), ": log format ", format, " is not known here"));
  }
  if (LoadLittle<uint64_t>(at + 16) != segment_id) return none;
  const auto first_sequence = LoadLittle<uint64_t>(at + 24);
  if (first_sequence == 0 || first_sequence > base::kSequenceMax + 1) return none;
  return first_sequence;
}

absl::StatusOr<ReplayResult> Replay(
    engine::FileSystem& files, const std::string& path, uint64_t segment_id, TailRule tail,
    const std::function<absl::StatusOr<Sequence>(const Record&)>& visit) {
  ASSIGN_OR_RETURN(const std::string contents, base::ReadWholeFile(files, path));
  const Segment segment{path, segment_id, contents};
  ASSIGN_OR_RETURN(const std::optional<Sequence> first_sequence,
                   ReadHeader(path, segment_id, contents));
  if (!first_sequence.has_value()) return ReplayHeaderless(segment, tail);

  ReplayResult result;
  result.has_header = true;
  result.first_sequence = *first_sequence;
  result.end_offset = kHeaderBytes;
  Sequence next = *first_sequence;
  RecordHead head;
  while (ReadHead(contents, result.end_offset, head) && head.sequence == next &&
         BytesHold(segment, result.end_offset, head)) {
    const std::string_view payload(contents.data() + result.end_offset + kRecordHeadBytes,
                                   head.payload_bytes);
    ASSIGN_OR_RETURN(next,
                     visit({result.end_offset, head.sequence, head.durable_through, payload}));
    CHECK(next > head.sequence);
    result.end_offset += FrameBytes(head.payload_bytes);
    ++result.records;
  }

  result.dropped_bytes = contents.size() - result.end_offset;
  if (result.dropped_bytes == 0) return result;
  if (tail == TailRule::kWhole) {
    return Corruption(path, result.end_offset, "a synced log does not end cleanly");
  }
  RETURN_IF_ERROR(Search(segment).BehindHole(result.end_offset, next));
  MARK("wal.tail_dropped");
  return result;
}

}  // namespace kiban::wal
