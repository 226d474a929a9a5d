// Reading one key, and the view that a longer read holds on to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/lsm/core.h"
#include "engine/lsm/view.h"
#include "engine/table/iterator.h"

namespace kiban::lsm {

// Everything that a reader at `sequence` needs, kept alive by holding it: later writes are hidden
// by their sequence, later maintenance replaces but does not change.
struct ReadView {
  std::shared_ptr<const View> view;
  base::Sequence sequence = 0;
};

// `snapshot` null: now. kFailedPrecondition if the database is closed.
absl::StatusOr<ReadView> ViewOf(const Core& core, const Snapshot* snapshot);

// Iterators over all of the view that can hold keys in [from, to). The view outlives them.
std::vector<std::unique_ptr<table::Iterator>> SourcesOf(const View& view, std::string_view from,
                                                        const std::optional<std::string>& to);

// The value of `key`; nullopt if it is not there. Counts in `stats` where it was found.
absl::StatusOr<std::optional<std::string>> Get(const ReadView& read, std::string_view key,
                                               Counters& stats);

}  // namespace kiban::lsm
