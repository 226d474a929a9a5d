// Reading through the seam without mistaking a short read for an end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/env.h"

namespace kiban::base {

// Fills `out` in one call. `path` is for the message: kDataLoss if the file ends before that.
absl::Status ReadExactly(engine::File& file, std::string_view path, uint64_t offset,
                         std::span<char> out);

// The whole file as it was when its size was asked for.
absl::StatusOr<std::string> ReadWholeFile(engine::FileSystem& files, std::string_view path);

}  // namespace kiban::base
