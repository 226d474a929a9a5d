#include "sim/digest.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"

namespace kiban::sim {

std::string Digest::Text() const { return absl::StrFormat("%016x%016x", high, low); }

std::optional<Digest> ParseDigest(std::string_view text) {
  const absl::string_view digits = base::ToAbsl(text);
  Digest digest;
  if (text.size() != 32 || text.find_first_not_of("0123456789abcdef") != text.npos ||
      !absl::SimpleHexAtoi(digits.substr(0, 16), &digest.high) ||
      !absl::SimpleHexAtoi(digits.substr(16), &digest.low)) {
    return std::nullopt;
  }
  return digest;
}

Digest InSweep(uint64_t seed, const Digest& life) {
  const uint64_t keyed = base::Mix64(seed + 1);
  return {.high = base::Mix64(life.high ^ keyed), .low = base::Mix64(life.low + keyed)};
}

}  // namespace kiban::sim
