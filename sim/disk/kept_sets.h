// Draws what a power cut keeps of what was owed: structured sets first, then random ones.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/disk/disk.h"
#include "sim/rng.h"

namespace kiban::sim {

// The shapes of fault model section 5.
enum class KeptShape : uint8_t {
  kNone,
  kAll,
  kPrefix,
  kOneLost,
  kOneKept,
  kPerFile,
  kNamesOnly,
  kBytesOnly,
  kNewestFile,
  kRandom,
};
std::string_view Name(KeptShape shape);

struct DrawnKeptSet {
  KeptShape shape;
  KeptSet kept;
};

// Always legal under disk.profile(). `rng` is the stream of this cut; draws are keyed by
// Disk::Key().
DrawnKeptSet DrawKeptSet(const Disk& disk, const Rng& rng);

// The largest legal part of a wish: what cannot be kept without something lost is lost as well, and
// a page whose last kept version is not the torn one is whole.
KeptSet LegalPart(const Disk& disk, KeptSet wish);

}  // namespace kiban::sim
