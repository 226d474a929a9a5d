// Damage to bytes, as values: a few edits, each of which shrinks to nothing.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace kiban::suites {

enum class EditKind : uint8_t {
  kFlip,       // One bit.
  kOverwrite,  // Up to eight bytes, with others.
  kSplice,     // Bytes out of another file, in the place of as many.
  kTruncate,
  kSwap,  // Two fields of 1, 2, 4 or 8 bytes; whoever has AreSealed() makes checksums good.
};

// Places are taken modulo what there is.
struct Edit {
  EditKind kind = EditKind::kFlip;
  uint32_t at = 0;
  uint32_t from = 0;   // kSplice, kSwap: a second place. kFlip: the bit.
  uint32_t bytes = 0;  // How many, less one; kSwap: the logarithm.
  uint64_t fill = 0;   // kOverwrite.
};

rc::Gen<Edit> Edits();
// One to `count_max`.
rc::Gen<std::vector<Edit>> EditLists(uint32_t count_max);

// `other` is what a splice takes from; `part` tells where the edits may strike.
struct Span {
  size_t begin = 0;
  size_t end = 0;
};
void Apply(const Edit& edit, std::string_view other, Span part, std::string& bytes);

// Whether any of them makes checksums good.
bool AreSealed(const std::vector<Edit>& edits);

void showValue(const Edit& edit, std::ostream& os);

}  // namespace kiban::suites
