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

void Ph3Builder::Add(const Record& record) {
  const bool begins_key = order_.BeginsKey(record);
  if (++record_count_ > kRecordCountMax) return;
  const bool is_put = record.kind == Kind::kPut;
  const Version version = {.sequence = record.sequence,
                           .value_offset = is_put ? record.place.offset : 0,
                           .value_bytes = is_put ? record.place.bytes : 0,
                           .kind = record.kind};
  if (begins_key) {
    AddKey(record, version);
  } else {
    Key& key = keys_.back();
    if (key.older_count++ == 0) key.older_first = static_cast<uint32_t>(older_.size());
    older_.push_back(version);
  }
  uint64_t& value_base = groups_.back().value_base;
  if (is_put) value_base = std::min(value_base, record.place.offset);
}

void Ph3Builder::AddKey(const Record& record, const Version& newest) {
  if (keys_.size() % kKeysPerGroup == 0) {
    groups_.push_back({.arena_offset = arena_.size(),
                       .anchor_bytes = static_cast<uint32_t>(record.key.size()),
                       .value_base = UINT64_MAX});
    arena_.append(record.key);
  }
  const Group& group = groups_.back();
  const uint64_t suffixes_at = group.arena_offset + group.anchor_bytes;
  const auto anchor = std::string_view(arena_).substr(group.arena_offset, group.anchor_bytes);
  const size_t shared_bytes = CommonPrefixBytes(anchor, record.key);
  hashes_.push_back(record.hash);
  keys_.push_back({.suffix_offset = arena_.size() - suffixes_at,
                   .shared_bytes = static_cast<uint32_t>(shared_bytes),
                   .suffix_bytes = static_cast<uint32_t>(record.key.size() - shared_bytes),
                   .older_first = 0,
                   .older_count = 0,
                   .newest = newest});
  arena_.append(record.key.substr(shared_bytes));
}

std::array<uint64_t, kPh3KeyFields> Ph3Builder::KeyNumbers(size_t i) const {
  const Key& key = keys_[i];
  return {Ph3Fingerprint(hashes_[i]), i / kKeysPerGroup, key.shared_bytes, key.suffix_offset,
          key.suffix_bytes,           key.older_first,   key.older_count};
}

Ph3Layout Ph3Builder::LayoutOf() const {
  if (options_.is_wide) return Ph3Layout::Of(WidestKey(), WidestVersion());
  std::array<FieldRange, kPh3KeyFields> key_ranges;
  std::array<FieldRange, kPh3VersionFields> version_ranges;
  const auto add_version = [&](const Version& version, uint64_t value_base) {
    version_ranges[kSequence].Add(version.sequence);
    version_ranges[kKind].Add(static_cast<uint64_t>(version.kind));
    if (version.kind != Kind::kPut) return;
    version_ranges[kValueOffset].Add(version.value_offset - value_base);
    version_ranges[kValueBytes].Add(version.value_bytes);
  };
  for (size_t i = 0; i < keys_.size(); ++i) {
    const std::array<uint64_t, kPh3KeyFields> numbers = KeyNumbers(i);
    for (size_t field = 0; field < kPh3KeyFields; ++field) key_ranges[field].Add(numbers[field]);
    add_version(keys_[i].newest, ValueBase(i));
    for (uint32_t j = 0; j < keys_[i].older_count; ++j) {
      add_version(older_[keys_[i].older_first + j], ValueBase(i));
    }
  }
  std::array<FieldWidth, kPh3KeyFields> key_widths;
  std::array<FieldWidth, kPh3VersionFields> version_widths;
  std::transform(key_ranges.begin(), key_ranges.end(), key_widths.begin(), WidthOf);
  std::transform(version_ranges.begin(), version_ranges.end(), version_widths.begin(), WidthOf);
  key_widths[kFingerprint] = {.base = 0, .bits = kPh3FingerprintBits};
  return Ph3Layout::Of(key_widths, version_widths);
}

void Ph3Builder::StoreSlots(char* section, const Ph3Layout& layout, const Ph3Parts& parts,
                            uint32_t seed) const {
  const auto& fields = layout.version.fields;
  const auto store_version = [&](char* to, const Version& version, uint64_t value_base) {
    const bool is_put = version.kind == Kind::kPut;
    layout.version.Store(to,
                         {version.sequence, static_cast<uint64_t>(version.kind),
                          is_put ? version.value_offset - value_base : fields[kValueOffset].base,
                          is_put ? version.value_bytes : fields[kValueBytes].base});
  };
  const PerfectHash hash(kPh3Hash, keys_.size(), seed, section + parts.pilots);
  char* const slots = section + parts.slots;
  SlotsAhead ahead(hash, slots, layout.slot_bytes());
  for (size_t i = 0; i < keys_.size(); ++i) {
    while (ahead.pushed() < std::min(i + SlotsAhead::kSteps, keys_.size())) {
      ahead.Push(hashes_[ahead.pushed()]);
    }
    char* const slot = slots + (ahead.Slot(i) - slots);
    layout.key.Store(slot, KeyNumbers(i));
    store_version(slot + layout.key.bytes(), keys_[i].newest, ValueBase(i));
    char* older =
        section + parts.versions + uint64_t{keys_[i].older_first} * layout.version.bytes();
    for (uint32_t j = 0; j < keys_[i].older_count; ++j) {
      store_version(older, older_[keys_[i].older_first + j], ValueBase(i));
      older += layout.version.bytes();
    }
  }
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
