#include "engine/pointindex/ph3_builder.h"

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/pointindex/slots_ahead.h"

namespace kiban::pointindex {
namespace {

using base::StoreLittle;

std::array<FieldWidth, kPh3VersionFields> WidestVersion() {
  std::array<FieldWidth, kPh3VersionFields> widths;
  widths.fill({.base = 0, .bits = kFieldBitsMax});
  return widths;
}

std::array<FieldWidth, kPh3KeyFields> WidestKey() {
  std::array<FieldWidth, kPh3KeyFields> widths;
  widths.fill({.base = 0, .bits = kFieldBitsMax});
  widths[kFingerprint].bits = kPh3FingerprintBits;
  return widths;
}

}  // namespace

void Ph3Builder::Reserve(size_t record_count) {
  hashes_.reserve(record_count);
  keys_.reserve(record_count);
  versions_.reserve(record_count);
}

void Ph3Builder::Add(const Record& record) {
  order_.Check(record);
  if (++record_count_ > kRecordCountMax) return;
  if (record.begins_key) AddKey(record);
  ++keys_.back().version_count;
  // Filled in where it stands, like the key: a copy of what has just been stored piece by piece
  // would have to wait until the pieces have left the processor, and all stores before them.
  Version& version = versions_.emplace_back();
  version.sequence = record.sequence;
  version.kind = record.kind;
  if (record.kind != Kind::kPut) return;
  version.value_offset = record.place.offset;
  version.value_bytes = record.place.bytes;
  uint64_t& value_base = groups_.back().value_base;
  value_base = std::min(value_base, record.place.offset);
}

void Ph3Builder::AddKey(const Record& record) {
  if (keys_.size() % kKeysPerGroup == 0) {
    groups_.push_back({.arena_offset = arena_.size(),
                       .anchor_bytes = static_cast<uint32_t>(record.key.size()),
                       .value_base = UINT64_MAX});
    arena_.append(record.key);
  }
  const Group& group = groups_.back();
  const auto anchor = std::string_view(arena_).substr(group.arena_offset, group.anchor_bytes);
  const size_t shared_bytes = base::CommonPrefixBytes(anchor, record.key);
  hashes_.push_back(record.hash);
  Key& key = keys_.emplace_back();
  key.shared_bytes = static_cast<uint32_t>(shared_bytes);
  key.suffix_bytes = static_cast<uint32_t>(record.key.size() - shared_bytes);
  arena_.append(record.key.substr(shared_bytes));
}

template <typename Visit>
void Ph3Builder::ForEachKey(Visit visit) const {
  const Version* versions = versions_.data();
  uint64_t suffix_offset = 0;
  uint64_t older_first = 0;
  for (size_t i = 0; i < keys_.size(); ++i) {
    const Key& key = keys_[i];
    const size_t group = i / kKeysPerGroup;
    if (i % kKeysPerGroup == 0) suffix_offset = 0;
    const uint64_t older_count = key.version_count - 1;
    const std::array<uint64_t, kPh3KeyFields> numbers = {Ph3Fingerprint(hashes_[i]),
                                                         group,
                                                         key.shared_bytes,
                                                         suffix_offset,
                                                         key.suffix_bytes,
                                                         older_count == 0 ? 0 : older_first,
                                                         older_count};
    visit(i, numbers, Versions(versions, key.version_count), groups_[group].value_base);
    versions += key.version_count;
    suffix_offset += key.suffix_bytes;
    older_first += older_count;
  }
}

Ph3Layout Ph3Builder::LayoutOf() const {
  if (options_.is_wide) return Ph3Layout::Of(WidestKey(), WidestVersion());
  std::array<FieldRange, kPh3KeyFields> key_ranges;
  std::array<FieldRange, kPh3VersionFields> version_ranges;
  ForEachKey([&](size_t, const auto& numbers, Versions versions, uint64_t value_base) {
    for (size_t field = 0; field < kPh3KeyFields; ++field) key_ranges[field].Add(numbers[field]);
    for (const Version& version : versions) {
      version_ranges[kSequence].Add(version.sequence);
      version_ranges[kKind].Add(static_cast<uint64_t>(version.kind));
      if (version.kind != Kind::kPut) continue;
      version_ranges[kValueOffset].Add(version.value_offset - value_base);
      version_ranges[kValueBytes].Add(version.value_bytes);
    }
  });
  std::array<FieldWidth, kPh3KeyFields> key_widths;
  std::array<FieldWidth, kPh3VersionFields> version_widths;
  std::transform(key_ranges.begin(), key_ranges.end(), key_widths.begin(), WidthOf);
  std::transform(version_ranges.begin(), version_ranges.end(), version_widths.begin(), WidthOf);
  key_widths[kFingerprint] = {.base = 0, .bits = kPh3FingerprintBits};
  return Ph3Layout::Of(key_widths, version_widths);
}

void Ph3Builder::StoreSlots(char* section, const Ph3Layout& layout, const Ph3Parts& parts,
                            uint32_t seed) const {
  const auto store_version = [&](char* to, const Version& version, uint64_t value_base) {
    const ValuePlace place = {.offset = version.value_offset, .bytes = version.value_bytes};
    layout.version.Store(to,
                         layout.VersionNumbers(version.sequence, version.kind, place, value_base));
  };
  const PerfectHash hash(kPh3Hash, keys_.size(), seed, section + parts.pilots);
  char* const slots = section + parts.slots;
  char* older = section + parts.versions;
  SlotsAhead ahead(hash, slots, layout.slot_bytes());
  ForEachKey([&](size_t i, const auto& numbers, Versions versions, uint64_t value_base) {
    while (ahead.pushed() < std::min(i + SlotsAhead::kSteps, keys_.size())) {
      ahead.Push(hashes_[ahead.pushed()]);
    }
    char* const slot = slots + (ahead.Slot(i) - slots);
    layout.key.Store(slot, numbers);
    store_version(slot + layout.key.bytes(), versions.front(), value_base);
    for (const Version& version : versions.subspan(1)) {
      store_version(older, version, value_base);
      older += layout.version.bytes();
    }
  });
}

void Ph3Builder::StoreGroups(char* to) const {
  for (const Group& group : groups_) {
    StoreLittle(to, group.arena_offset);
    StoreLittle(to + 8, group.value_base);
    StoreLittle(to + 16, group.anchor_bytes);
    to += kPh3GroupBytes;
  }
}

std::optional<std::string> Ph3Builder::Finish(uint64_t file_number, uint64_t offset) {
  if (keys_.empty() || record_count_ > kRecordCountMax) return std::nullopt;
  const std::optional<BuiltHash> hash = BuildPerfectHash(hashes_, kPh3Hash, options_.seed_count);
  if (!hash) return std::nullopt;
  for (Group& group : groups_) {
    if (group.value_base == UINT64_MAX) group.value_base = 0;  // Deletes only.
  }
  const Ph3Layout layout = LayoutOf();
  const Header header = {.layout = Layout::kPh3,
                         .key_count = keys_.size(),
                         .record_count = record_count_,
                         .arena_bytes = arena_.size(),
                         .seed = hash->seed};
  const Ph3Parts parts = Ph3Parts::Of(header, layout);
  std::string section(parts.end, '\0');
  layout.Store(section.data() + kHeaderBytes);
  section.replace(parts.pilots, hash->bytes.size(), hash->bytes);
  StoreSlots(section.data(), layout, parts, hash->seed);
  StoreGroups(section.data() + parts.groups);
  section.replace(parts.arena, arena_.size(), arena_);
  SealSection(section, header, {.file_number = file_number, .offset = offset});
  return section;
}

}  // namespace kiban::pointindex
