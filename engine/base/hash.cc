#include "engine/base/hash.h"

#include <xxhash.h>

namespace kiban::base {

uint64_t Hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace kiban::base
