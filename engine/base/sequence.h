// The order of all mutations of one database. Every put and delete takes one number, a batch takes
// one interval; 0 is before the first.
#pragma once

#include <cstdint>

namespace kiban::base {

using Sequence = uint64_t;

// The largest that may be given out; what lies above is kept free for encodings.
inline constexpr Sequence kSequenceMax = (uint64_t{1} << 56) - 1;

}  // namespace kiban::base
