// What a database can hold, beyond what a user chooses in options.h.
#pragma once

#include <cstdint>

#include "engine/wal/format.h"

namespace kiban::lsm {

inline constexpr uint32_t kLevelCount = 7;  // Level 0 may overlap; 1 to 6 do not.

// A longer key is kInvalidArgument in a write and simply not there in a read.
inline constexpr uint64_t kKeyBytesMax = 1u << 20;

// One batch is one log record. A value may take what its batch has left.
inline constexpr uint64_t kBatchBytesMax = wal::kPayloadBytesMax;

// Numbers of logs and tables. Names with a larger number are not ours.
inline constexpr uint64_t kFileNumberMax = (uint64_t{1} << 48) - 1;

}  // namespace kiban::lsm
