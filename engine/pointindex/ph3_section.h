// A PH3 section in memory: look-up, without allocation, in about as many cache misses as it has to
// look at things: pilot, slot, suffix.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/pointindex/ph3_layout.h"
#include "engine/pointindex/record.h"

namespace kiban::pointindex {

// Views into a section that outlives it.
struct Ph3Section {
  Header header;
  Ph3Layout layout;
  Ph3Parts parts{};
  PerfectHash hash;
  const char* slots = nullptr;
  const char* versions = nullptr;
  const char* groups = nullptr;
  const char* arena = nullptr;

  // Looks at widths, at the lengths of all parts and at the spare places; Ph3Check (ph3_check.h)
  // looks at the rest.
  static absl::StatusOr<Ph3Section> Open(const Header& header, std::string_view section,
                                         const SectionPlace& place);

  // Needs a section that Ph3Check has passed.
  Answer Find(std::string_view key, uint64_t key_hash, base::Sequence at) const {
    return is_compact() ? FindIn<true>(key, key_hash, at) : FindIn<false>(key, key_hash, at);
  }
  // What common tables have: each part of a slot is one load.
  bool is_compact() const { return layout.key.fits_a_word() && layout.version.fits_a_word(); }
  const char* SlotOf(uint64_t key_hash) const {
    return slots + hash.SlotOf(key_hash) * layout.slot_bytes();
  }
  SectionSizes sizes() const;

 private:
  template <bool kIsCompact>
  Answer FindIn(std::string_view key, uint64_t key_hash, base::Sequence at) const {
    const char* const slot = SlotOf(key_hash);
    const PackedReader<kIsCompact> number(slot);
    const auto& field = layout.key.fields;
    if (number(field[kFingerprint]) != Ph3Fingerprint(key_hash)) return {};
    const uint64_t shared_bytes = number(field[kSharedBytes]);
    const uint64_t suffix_bytes = number(field[kSuffixBytes]);
    if (key.size() != shared_bytes + suffix_bytes) return {};
    const char* const group = groups + number(field[kGroup]) * kPh3GroupBytes;
    const char* const anchor = arena + base::LoadLittle<uint64_t>(group);
    const char* const suffix =
        anchor + base::LoadLittle<uint32_t>(group + 16) + number(field[kSuffixOffset]);
    if (!AreSame(key.data(), anchor, shared_bytes) ||
        !AreSame(key.data() + shared_bytes, suffix, suffix_bytes)) {
      return {};
    }
    const char* version = slot + layout.key.bytes();
    if (PackedReader<kIsCompact>(version)(layout.version.fields[kSequence]) > at) {
      version = FindOlder(number(field[kOlderFirst]), number(field[kOlderCount]), at);
      if (version == nullptr) return {};
    }
    return AnswerAt<kIsCompact>(version, base::LoadLittle<uint64_t>(group + 8));
  }

  template <bool kIsCompact>
  Answer AnswerAt(const char* version, uint64_t value_base) const {
    const PackedReader<kIsCompact> number(version);
    const auto& field = layout.version.fields;
    const base::Sequence sequence = number(field[kSequence]);
    if (number(field[kKind]) != static_cast<uint64_t>(Kind::kPut)) {
      return {.found = Found::kDelete, .sequence = sequence};
    }
    return {.found = Found::kPut,
            .sequence = sequence,
            .place = {.offset = value_base + number(field[kValueOffset]),
                      .bytes = static_cast<uint32_t>(number(field[kValueBytes]))}};
  }

  // The newest of `count` versions that is not newer than `at`; null if there is none.
  const char* FindOlder(uint64_t first, uint64_t count, base::Sequence at) const;
};

}  // namespace kiban::pointindex
