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
  if (older_left_ != 0) return "the point index has a version that the table has not";
  if (key_count_ == section_.header.key_count) return "the point index has too few keys";
  if (key_count_ % kKeysPerGroup == 0) {
    if (const char* const wrong = BeginGroup(record.key)) return wrong;
  }
  const size_t shared_bytes = CommonPrefixBytes(anchor_, record.key);
  const std::string_view suffix = record.key.substr(shared_bytes);
  const char* const slot = section_.SlotOf(record.hash);
  const PackedReader<false> number(slot);
  const auto& field = section_.layout.key.fields;
  older_left_ = number(field[kOlderCount]);
  if (number(field[kFingerprint]) != Ph3Fingerprint(record.hash) ||
      number(field[kGroup]) != key_count_ / kKeysPerGroup ||
      number(field[kSharedBytes]) != shared_bytes ||
      number(field[kSuffixOffset]) != arena_at_ - suffixes_at_ ||
      number(field[kSuffixBytes]) != suffix.size() ||
      number(field[kOlderFirst]) != (older_left_ == 0 ? 0 : older_at_) ||
      !section_.layout.key.EndsInZeros(slot)) {
    return "a slot of the point index is not that of its key";
  }
  if (!TakeFromArena(suffix)) return "a key of the point index is not the table's";
  ++key_count_;
  return CheckVersion(slot + section_.layout.key.bytes(), record);
}

const char* Ph3Check::Version(const Record& record) {
  if (older_left_ == 0 || older_at_ == section_.header.older_count()) {
    return "the point index lacks a version";
  }
  const char* const version = section_.versions + older_at_ * section_.layout.version.bytes();
  ++older_at_;
  --older_left_;
  return CheckVersion(version, record);
}

const char* Ph3Check::CheckVersion(const char* version, const Record& record) const {
  const PackedReader<false> number(version);
  const auto& field = section_.layout.version.fields;
  const uint64_t value_offset = number(field[kValueOffset]);
  const uint64_t value_bytes = number(field[kValueBytes]);
  const bool is_placed =
      record.kind == Kind::kPut
          ? value_base_ + value_offset == record.place.offset && value_bytes == record.place.bytes
          : value_offset == field[kValueOffset].base && value_bytes == field[kValueBytes].base;
  if (number(field[kSequence]) != record.sequence ||
      number(field[kKind]) != static_cast<uint64_t>(record.kind) || !is_placed ||
      !section_.layout.version.EndsInZeros(version)) {
    return "a version of the point index is not the table's";
  }
  return nullptr;
}

const char* Ph3Check::End() {
  const bool ends = older_left_ == 0 && key_count_ == section_.header.key_count &&
                    older_at_ == section_.header.older_count() &&
                    arena_at_ == section_.header.arena_bytes;
  return ends ? nullptr : "the point index has more than the table";
}

}  // namespace kiban::pointindex
