// Which of the fates that a cut lists is meant for which of the micro-operations owed there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/faults/faults.h"

namespace kiban::sim {

enum class FateMatch : uint8_t {
  kExact,  // By their whole text.
  // What has no namesake may stand for another of its kind: the n-th from the end of those that
  // differ in nothing but the making of their file, the version and numbers in names; failing that,
  // in their pages. For lives that were edited before the cut.
  kAlike,
  kAlikeElseLost,  // The same; what is not listed is lost, not kept.
};

struct FatesFound {
  std::vector<const ListedFate*> fates;  // For each that is owed; null: not listed.
  uint64_t not_owed = 0;                 // Listed for nothing, and the first of them.
  std::string first_not_owed;
};

FatesFound FindFates(std::span<const ListedFate> listed, std::span<const std::string> owed,
                     FateMatch match);

}  // namespace kiban::sim
