#include "engine/pointindex/ph2_section.h"

#include "engine/base/status_util.h"

namespace kiban::pointindex {
namespace {

using base::LoadLittle;

base::Sequence SequenceAt(const char* version) { return LoadLittle<uint64_t>(version); }

Answer AnswerAt(const char* version) {
  const auto kind = static_cast<Kind>(version[8]);
  return {.found = kind == Kind::kPut ? Found::kPut : Found::kDelete,
          .sequence = SequenceAt(version),
          .place = {.offset = LoadLittle<uint64_t>(version + 9),
                    .bytes = LoadLittle<uint32_t>(version + 17)}};
}

}  // namespace

absl::StatusOr<Ph2Section> Ph2Section::Open(const Header& header, std::string_view section,
                                            const SectionPlace& place) {
  // Counts are below 2^32 and arena_bytes below the section's: no sum wraps.
  const uint64_t slots_at = kHeaderBytes + kPh2Hash.encoded_bytes(header.key_count);
  const uint64_t arena_at = slots_at + header.key_count * kPh2SlotBytes;
  if (arena_at + header.arena_bytes + kCrcBytes != section.size()) {
    return base::Corruption(place.path, place.offset, "the point index's parts do not fill it");
  }
  Ph2Section opened;
  opened.header = header;
  opened.hash = PerfectHash(kPh2Hash, header.key_count, header.seed, section.data() + kHeaderBytes);
  opened.slots = section.data() + slots_at;
  opened.arena = section.data() + arena_at;
  return opened;
}

Answer Ph2Section::Find(std::string_view key, uint64_t key_hash, base::Sequence at) const {
  const char* const slot = slots + hash.SlotOf(key_hash) * kPh2SlotBytes;
  if (LoadLittle<uint32_t>(slot + 8) != static_cast<uint32_t>(key_hash)) return {};
  const char* const head = arena + LoadLittle<uint64_t>(slot);
  const auto key_bytes = LoadLittle<uint32_t>(head);
  if (std::string_view(head + kPh2KeyHeadBytes, key_bytes) != key) return {};
  const char* const versions = head + kPh2KeyHeadBytes + key_bytes;
  const auto count = LoadLittle<uint32_t>(head + 4);
  uint32_t first = 0;    // The versions before it are newer than `at`,
  uint32_t end = count;  // those from here on are not.
  while (first < end) {
    const uint32_t middle = first == 0 ? 0 : first + (end - first) / 2;  // The newest is likely.
    if (SequenceAt(versions + uint64_t{middle} * kPh2VersionBytes) > at) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first == count ? Answer{} : AnswerAt(versions + uint64_t{first} * kPh2VersionBytes);
}

SectionSizes Ph2Section::sizes() const {
  SectionSizes sizes;
  sizes.pilots = kPh2Hash.encoded_bytes(header.key_count);
  sizes.slots = header.key_count * kPh2SlotBytes;
  sizes.keys = header.key_count * kPh2KeyHeadBytes;
  sizes.versions = header.record_count * kPh2VersionBytes;
  sizes.arena = header.arena_bytes - sizes.keys - sizes.versions;
  sizes.total = kHeaderBytes + sizes.pilots + sizes.slots + header.arena_bytes + kCrcBytes;
  return sizes;
}

bool Ph2Check::Take(uint64_t bytes, const char*& from) {
  if (bytes > section_.header.arena_bytes - arena_at_) return false;
  from = section_.arena + arena_at_;
  arena_at_ += bytes;
  return true;
}

const char* Ph2Check::Key(const Record& record) {
  if (versions_left_ != 0) return "the point index has a version that the table has not";
  if (key_count_ == section_.header.key_count) return "the point index has too few keys";
  ++key_count_;
  const char* const slot = section_.slots + section_.hash.SlotOf(record.hash) * kPh2SlotBytes;
  if (LoadLittle<uint64_t>(slot) != arena_at_ ||
      LoadLittle<uint32_t>(slot + 8) != static_cast<uint32_t>(record.hash)) {
    return "a slot of the point index is not that of its key";
  }
  const char* head = nullptr;
  const char* key = nullptr;
  if (!Take(kPh2KeyHeadBytes, head) || LoadLittle<uint32_t>(head) != record.key.size() ||
      !Take(record.key.size(), key) || std::string_view(key, record.key.size()) != record.key) {
    return "a key of the point index is not the table's";
  }
  versions_left_ = LoadLittle<uint32_t>(head + 4);
  return Version(record);
}

const char* Ph2Check::Version(const Record& record) {
  const char* version = nullptr;
  if (versions_left_ == 0 || !Take(kPh2VersionBytes, version)) {
    return "the point index lacks a version";
  }
  --versions_left_;
  ++record_count_;
  const bool is_put = record.kind == Kind::kPut;
  const Answer expected = {.found = is_put ? Found::kPut : Found::kDelete,
                           .sequence = record.sequence,
                           .place = is_put ? record.place : ValuePlace{}};
  if (version[8] != static_cast<char>(record.kind) || AnswerAt(version) != expected) {
    return "a version of the point index is not the table's";
  }
  return nullptr;
}

const char* Ph2Check::End() {
  const bool ends = versions_left_ == 0 && key_count_ == section_.header.key_count &&
                    record_count_ == section_.header.record_count &&
                    arena_at_ == section_.header.arena_bytes;
  return ends ? nullptr : "the point index has more than the table";
}

}  // namespace kiban::pointindex
