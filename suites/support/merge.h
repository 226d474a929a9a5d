// Several shards' results as one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/support/results.h"

namespace kiban::suites {

// What stands in one file of results.
struct SweepFile {
  std::string path;  // For complaints.
  Provenance provenance;
  std::vector<SweepResult> results;
};

// One result for each suite, as if one machine had lived all seeds: counts, digests and CPU time
// add up, failures are grouped anew, floors are judged. Its seconds are those of the slowest shard,
// its memory that of the largest worker. It is complete if all shards are, and broken if one is. An
// error names what does not fit: files of different sweeps, revisions or builds, a shard twice, or
// none.
absl::StatusOr<std::vector<SweepResult>> MergeShards(std::span<const SweepFile> files);

// A line for each shard that ended before its last seed.
std::string EarlyEndsText(std::span<const SweepFile> files);

}  // namespace kiban::suites
