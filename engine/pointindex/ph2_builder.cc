#include "engine/pointindex/ph2_builder.h"

#include "engine/base/bytes.h"
#include "engine/pointindex/section.h"

namespace kiban::pointindex {

using base::AppendLittle;
using base::StoreLittle;

void Ph2Builder::Reserve(size_t record_count) {
  hashes_.reserve(record_count);
  offsets_.reserve(record_count);
}

void Ph2Builder::Add(const Record& record) {
  order_.Check(record);
  if (++record_count_ > kRecordCountMax) return;
  if (record.begins_key) {
    hashes_.push_back(record.hash);
    offsets_.push_back(arena_.size());
    AppendLittle(arena_, static_cast<uint32_t>(record.key.size()));
    AppendLittle(arena_, uint32_t{0});  // Versions are counted as they come.
    arena_.append(record.key);
  }
  char* const version_count = arena_.data() + offsets_.back() + 4;
  StoreLittle(version_count, base::LoadLittle<uint32_t>(version_count) + 1);
  const ValuePlace place = record.kind == Kind::kPut ? record.place : ValuePlace{};
  AppendLittle(arena_, record.sequence);
  arena_.push_back(static_cast<char>(record.kind));
  AppendLittle(arena_, place.offset);
  AppendLittle(arena_, place.bytes);
}

std::optional<std::string> Ph2Builder::Finish(uint64_t file_number, uint64_t offset) {
  if (hashes_.empty() || record_count_ > kRecordCountMax) return std::nullopt;
  const std::optional<BuiltHash> hash = BuildPerfectHash(hashes_, kPh2Hash, options_.seed_count);
  if (!hash) return std::nullopt;
  const uint64_t slots_at = kHeaderBytes + hash->bytes.size();
  const uint64_t arena_at = slots_at + hashes_.size() * kPh2SlotBytes;
  std::string section(arena_at + arena_.size() + kCrcBytes, '\0');
  section.replace(kHeaderBytes, hash->bytes.size(), hash->bytes);
  const PerfectHash slot_of(kPh2Hash, hashes_.size(), hash->seed, section.data() + kHeaderBytes);
  for (size_t i = 0; i < hashes_.size(); ++i) {
    char* const slot = section.data() + slots_at + slot_of.SlotOf(hashes_[i]) * kPh2SlotBytes;
    StoreLittle(slot, offsets_[i]);
    StoreLittle(slot + 8, static_cast<uint32_t>(hashes_[i]));
  }
  section.replace(arena_at, arena_.size(), arena_);
  const Header header = {.layout = Layout::kPh2,
                         .key_count = hashes_.size(),
                         .record_count = record_count_,
                         .arena_bytes = arena_.size(),
                         .seed = hash->seed};
  SealSection(section, header, {.file_number = file_number, .offset = offset});
  return section;
}

}  // namespace kiban::pointindex
