// The numbers of a PH3 section (format.h): which fields there are, how wide they are in this table,
// and where the parts stand that follow from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/bytes.h"
#include "engine/pointindex/packed.h"
#include "engine/pointindex/record.h"
#include "engine/pointindex/section.h"

namespace kiban::pointindex {

enum KeyField : size_t {
  kFingerprint,
  kGroup,
  kSharedBytes,
  kSuffixOffset,
  kSuffixBytes,
  kOlderFirst,
  kOlderCount,
};
enum VersionField : size_t { kSequence, kKind, kValueOffset, kValueBytes };

static_assert(kOlderCount + 1 == kPh3KeyFields);
static_assert(kValueBytes + 1 == kPh3VersionFields);

struct Ph3Layout {
  std::array<FieldWidth, kPh3KeyFields> key_widths;
  std::array<FieldWidth, kPh3VersionFields> version_widths;
  PackedPart<kPh3KeyFields> key;
  PackedPart<kPh3VersionFields> version;

  static Ph3Layout Of(const std::array<FieldWidth, kPh3KeyFields>& key_widths,
                      const std::array<FieldWidth, kPh3VersionFields>& version_widths);

  // Stores kPh3FieldsBytes that were zeros.
  void Store(char* to) const;
  // None unless the bytes at `from` are as Store() can leave them.
  static std::optional<Ph3Layout> Load(const char* from);

  uint64_t slot_bytes() const { return uint64_t{key.bytes()} + version.bytes(); }

  // What stands for a version; `place` is not looked at for kDelete.
  std::array<uint64_t, kPh3VersionFields> VersionNumbers(base::Sequence sequence, Kind kind,
                                                         const ValuePlace& place,
                                                         uint64_t value_base) const {
    const bool is_put = kind == Kind::kPut;
    return {sequence, static_cast<uint64_t>(kind),
            is_put ? place.offset - value_base : version.fields[kValueOffset].base,
            is_put ? place.bytes : version.fields[kValueBytes].base};
  }
};

// Offsets in the section.
struct Ph3Parts {
  uint64_t pilots;
  uint64_t slots;
  uint64_t versions;
  uint64_t groups;
  uint64_t arena;
  uint64_t end;  // Of the section.

  static Ph3Parts Of(const Header& header, const Ph3Layout& layout);
};

inline uint64_t GroupCount(uint64_t key_count) {
  return (key_count + kKeysPerGroup - 1) / kKeysPerGroup;
}

// The part of the hash that a slot remembers.
inline uint64_t Ph3Fingerprint(uint64_t hash) {
  return hash & ((uint64_t{1} << kPh3FingerprintBits) - 1);
}

// Whether two pieces of `bytes` are the same. They are short: a call of memcmp costs more than
// they.
inline bool AreSame(const char* a, const char* b, size_t bytes) {
  using base::LoadLittle;
  if (bytes >= 8) {
    for (size_t at = 0; at + 8 < bytes; at += 8) {
      if (LoadLittle<uint64_t>(a + at) != LoadLittle<uint64_t>(b + at)) return false;
    }
    return LoadLittle<uint64_t>(a + bytes - 8) == LoadLittle<uint64_t>(b + bytes - 8);
  }
  if (bytes >= 4) {
    const uint32_t heads = LoadLittle<uint32_t>(a) ^ LoadLittle<uint32_t>(b);
    return (heads | (LoadLittle<uint32_t>(a + bytes - 4) ^ LoadLittle<uint32_t>(b + bytes - 4))) ==
           0;
  }
  if (bytes == 0) return true;
  return a[0] == b[0] && a[bytes / 2] == b[bytes / 2] && a[bytes - 1] == b[bytes - 1];
}

}  // namespace kiban::pointindex
