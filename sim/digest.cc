#include "sim/digest.h"

#include "absl/strings/str_format.h"
#include "engine/base/hash.h"

namespace kiban::sim {

std::string Digest::Text() const { return absl::StrFormat("%016x%016x", high, low); }

Digest InSweep(uint64_t seed, const Digest& life) {
  const uint64_t keyed = base::Mix64(seed + 1);
  return {.high = base::Mix64(life.high ^ keyed), .low = base::Mix64(life.low + keyed)};
}

}  // namespace kiban::sim
