// Live keys out of versions: of each key the newest version that the view may see, unless it is a
// tombstone.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/lsm/db.h"
#include "engine/lsm/read_path.h"

namespace kiban::lsm {

std::unique_ptr<Cursor> NewCursor(ReadView view, KeyRange range);

// A cursor that is never valid and has this status.
std::unique_ptr<Cursor> NewFailedCursor(absl::Status status);

// The last `k` live keys of the view that begin with `prefix`, in descending order.
absl::StatusOr<std::vector<KeyValue>> LatestK(ReadView view, std::string_view prefix, uint32_t k);

}  // namespace kiban::lsm
