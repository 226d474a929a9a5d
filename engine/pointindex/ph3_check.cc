#include "engine/pointindex/ph3_check.h"

namespace kiban::pointindex {
namespace {

constexpr char kWrongVersion[] = "a version of the point index is not the table's";

}  // namespace

bool Ph3Check::TakeFromArena(std::string_view bytes) {
  if (bytes.size() > section_.header.arena_bytes - arena_at_ ||
      !AreSame(section_.arena + arena_at_, bytes.data(), bytes.size())) {
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
  const size_t shared_bytes = base::CommonPrefixBytes(anchor_, record.key);
  const std::string_view suffix = record.key.substr(shared_bytes);
  const uint64_t suffix_offset = arena_at_ - suffixes_at_;
  if (!TakeFromArena(suffix)) return "a key of the point index is not the table's";
  ahead_.Push(record.hash);
  ++key_count_;
  last() = {.key = {Ph3Fingerprint(record.hash), (key_count_ - 1) / kKeysPerGroup, shared_bytes,
                    suffix_offset, suffix.size(), 0, 0},
            .newest = NumbersOf(record)};
  return nullptr;
}

const char* Ph3Check::Version(const Record& record) {
  if (older_at_ == section_.header.older_count()) return "the point index lacks a version";
  auto& numbers = last().key;
  if (numbers[kOlderCount]++ == 0) numbers[kOlderFirst] = older_at_;
  const auto& layout = section_.layout.version;
  const char* const version = section_.versions + older_at_ * layout.bytes();
  ++older_at_;
  return layout.Holds(version, NumbersOf(record)) ? nullptr : kWrongVersion;
}

const char* Ph3Check::CheckNextSlot() {
  const Expected& expected = expected_[checked_ % SlotsAhead::kRing];
  const char* const slot = ahead_.Slot(checked_);
  ++checked_;
  const Ph3Layout& layout = section_.layout;
  if (!layout.key.Holds(slot, expected.key)) {
    return "a slot of the point index is not that of its key";
  }
  const bool holds = layout.version.Holds(slot + layout.key.bytes(), expected.newest);
  return holds ? nullptr : kWrongVersion;
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
