#include "engine/lsm/version_filter.h"

#include <algorithm>

namespace kiban::lsm {

bool VersionFilter::SnapshotIn(base::Sequence from, base::Sequence to) const {
  const auto first = std::lower_bound(snapshots_.begin(), snapshots_.end(), from);
  return first != snapshots_.end() && *first < to;
}

}  // namespace kiban::lsm
