#include "engine/pointindex/ph3_check.h"

namespace kiban::pointindex {

bool Ph3Check::TakeFromArena(std::string_view bytes) {
  if (bytes.size() > section_.header.arena_bytes - arena_at_ ||
      std::string_view(section_.arena + arena_at_, bytes.size()) != bytes) {
    return false;
  }
  arena_at_ += bytes.size();
  return true;
}

const char* Ph3Check::BeginGroup(std::string_view anchor) {
  const char* const group = section_.groups + key_count_ / kKeysPerGroup * kPh3GroupBytes;
  if (base::LoadLittle<uint64_t>(group) != arena_at_ ||
      base::LoadLittle<uint32_t>(group + 16) != anchor.size() ||
      base::LoadLittle<uint32_t>(group + 20) != 0) {
    return "a group of the point index is damaged";
  }
  anchor_ = {section_.arena + arena_at_, anchor.size()};
  if (!TakeFromArena(anchor)) return "an anchor of the point index is not the table's key";
  suffixes_at_ = arena_at_;
  value_base_ = base::LoadLittle<uint64_t>(group + 8);
  return nullptr;
}

const char* Ph3Check::Key(const Record& record) {
  if (key_count_ == section_.header.key_count) return "the point index has too few keys";
  if (key_count_ - checked_ == SlotsAhead::kSteps) {
    if (const char* const wrong = CheckNextSlot()) return wrong;
  }
  if (key_count_ % kKeysPerGroup == 0) {
    if (const char* const wrong = BeginGroup(record.key)) return wrong;
  }
  const size_t shared_bytes = CommonPrefixBytes(anchor_, record.key);
  const std::string_view suffix = record.key.substr(shared_bytes);
  const uint64_t suffix_offset = arena_at_ - suffixes_at_;
  if (!TakeFromArena(suffix)) return "a key of the point index is not the table's";
  ahead_.Push(record.hash);
  ++key_count_;
  last() = {.numbers = {Ph3Fingerprint(record.hash), (key_count_ - 1) / kKeysPerGroup, shared_bytes,
                        suffix_offset, suffix.size(), 0, 0},
            .newest = record,
            .value_base = value_base_};
  return nullptr;
}

const char* Ph3Check::Version(const Record& record) {
  if (older_at_ == section_.header.older_count()) return "the point index lacks a version";
  auto& numbers = last().numbers;
  if (numbers[kOlderCount]++ == 0) numbers[kOlderFirst] = older_at_;
  const char* const version = section_.versions + older_at_ * section_.layout.version.bytes();
  ++older_at_;
  return CheckVersion(version, record, value_base_);
}

const char* Ph3Check::CheckNextSlot() {
  const Expected& expected = expected_[checked_ % SlotsAhead::kRing];
  const char* const slot = ahead_.Slot(checked_);
  ++checked_;
  const PackedReader<false> number(slot);
  bool is_right = section_.layout.key.EndsInZeros(slot);
  for (size_t field = 0; field < kPh3KeyFields; ++field) {
    is_right &= number(section_.layout.key.fields[field]) == expected.numbers[field];
  }
  if (!is_right) return "a slot of the point index is not that of its key";
  return CheckVersion(slot + section_.layout.key.bytes(), expected.newest, expected.value_base);
}

const char* Ph3Check::CheckVersion(const char* version, const Record& record,
                                   uint64_t value_base) const {
  const PackedReader<false> number(version);
  const auto& field = section_.layout.version.fields;
  const uint64_t value_offset = number(field[kValueOffset]);
  const uint64_t value_bytes = number(field[kValueBytes]);
  const bool is_placed =
      record.kind == Kind::kPut
          ? value_base + value_offset == record.place.offset && value_bytes == record.place.bytes
          : value_offset == field[kValueOffset].base && value_bytes == field[kValueBytes].base;
  if (number(field[kSequence]) != record.sequence ||
      number(field[kKind]) != static_cast<uint64_t>(record.kind) || !is_placed ||
      !section_.layout.version.EndsInZeros(version)) {
    return "a version of the point index is not the table's";
  }
  return nullptr;
}

const char* Ph3Check::End() {
  while (checked_ < key_count_) {
    if (const char* const wrong = CheckNextSlot()) return wrong;
  }
  const bool ends = key_count_ == section_.header.key_count &&
                    older_at_ == section_.header.older_count() &&
                    arena_at_ == section_.header.arena_bytes;
  return ends ? nullptr : "the point index has more than the table";
}

}  // namespace kiban::pointindex
