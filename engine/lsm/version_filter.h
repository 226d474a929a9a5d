// Which versions of a key a compaction may forget.
//
// A version goes if a newer one is visible to every reader who could see it: no live snapshot lies
// between the two. A tombstone goes if, besides, nothing older is left for it to hide: all older
// versions in the compaction go by the first rule, and no deeper level can hold the key. What stays
// out of the compaction in its own levels and above is newer (compaction_plan.h).
#pragma once

#include <string>
#include <vector>

#include "engine/base/sequence.h"
#include "engine/table/entry.h"

namespace kiban::lsm {

enum class Fate {
  kKept,
  kKeptForSnapshot,  // Hidden now, but not from every snapshot.
  kShadowed,         // Dropped.
  kTombstone,        // A tombstone with nothing left to hide: dropped.
};

class VersionFilter {
 public:
  explicit VersionFilter(std::vector<base::Sequence> snapshots)
      : snapshots_(std::move(snapshots)) {}

  // Entries come in order, all of them. `may_lie_deeper` is asked about tombstones only.
  template <typename MayLieDeeper>
  Fate Judge(const table::Entry& entry, const MayLieDeeper& may_lie_deeper) {
    if (is_first_ || entry.key != key_) {
      is_first_ = false;
      key_ = entry.key;
      newer_ = entry.sequence;
      return JudgeNewest(entry, may_lie_deeper);
    }
    const bool seen = SnapshotIn(entry.sequence, newer_);
    newer_ = entry.sequence;
    if (!seen) return Fate::kShadowed;
    const Fate fate = JudgeNewest(entry, may_lie_deeper);
    return fate == Fate::kKept ? Fate::kKeptForSnapshot : fate;
  }

 private:
  template <typename MayLieDeeper>
  Fate JudgeNewest(const table::Entry& entry, const MayLieDeeper& may_lie_deeper) const {
    if (entry.kind != table::Kind::kDelete) return Fate::kKept;
    if (SnapshotIn(0, entry.sequence) || may_lie_deeper(entry.key)) return Fate::kKept;
    return Fate::kTombstone;
  }

  // Whether a live snapshot lies in [from, to).
  bool SnapshotIn(base::Sequence from, base::Sequence to) const;

  const std::vector<base::Sequence> snapshots_;  // Ascending.
  bool is_first_ = true;
  std::string key_;
  base::Sequence newer_ = 0;  // Of the version of key_ judged last.
};

}  // namespace kiban::lsm
