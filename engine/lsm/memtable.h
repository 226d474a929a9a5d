// The newest entries, in memory, in order: a skip list in an arena.
//
// William Pugh, "Skip lists: a probabilistic alternative to balanced trees", CACM 33(6), 1990. The
// heights come from a hash of a counter, not from chance, so that the same writes make the same
// list.
//
// One task adds, any tasks read meanwhile: a node is built before the link that leads to it is
// stored. Entries are only added, never changed or moved, so an iterator stays where it is while
// others are added around it; it may or may not meet those. Readers hide them by their sequence.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/base/atomic.h"
#include "engine/base/sequence.h"
#include "engine/lsm/arena.h"
#include "engine/table/entry.h"
#include "engine/table/iterator.h"

namespace kiban::lsm {

class Memtable {
 public:
  // What an entry takes besides its key and its value, on the average: no less.
  static constexpr uint64_t kEntryOverheadBytes = 80;

  // What it holds is in this log; 0: in none.
  explicit Memtable(uint64_t log_number = 0) : log_number_(log_number) {}

  // Copies the entry. No two may have the same key and sequence (CHECK).
  void Add(const table::Entry& entry);

  // The newest version of `key` with a sequence of at most `at`; null if there is none.
  const table::Entry* Find(std::string_view key, base::Sequence at) const;

  // The iterator keeps the memtable alive.
  static std::unique_ptr<table::Iterator> NewIterator(std::shared_ptr<const Memtable> memtable);

  // Nothing is added any more; `limit` is the last sequence in it.
  void Freeze(base::Sequence limit) { limit_.Store(limit); }
  // No sequence above it is in here or ever will be; kSequenceMax until it is frozen.
  base::Sequence limit() const { return limit_.Load(); }

  uint64_t log_number() const { return log_number_; }
  bool empty() const { return head_[0].Load() == nullptr; }
  // For the task that adds, or once it is frozen. What the entries take:
  uint64_t used_bytes() const { return arena_.used_bytes(); }
  uint64_t entry_count() const { return entry_count_; }

 private:
  class Iterator;
  struct Node;
  static constexpr uint32_t kHeightMax = 12;
  using Link = base::Atomic<Node*>;
  using Path = std::array<Node*, kHeightMax>;

  // The links that lead onwards from `node`; null is the place before the first.
  const Link* LinksFrom(const Node* node) const;
  Link* LinksFrom(Node* node);
  // The nodes around the place of (key, sequence), null at an end, as the search met them. Looked
  // up again, the node behind `before` might be a newer version that has come in since.
  struct Gap {
    const Node* before = nullptr;
    const Node* after = nullptr;
  };
  Gap GapAt(std::string_view key, base::Sequence sequence) const;
  // What stands before the place at each height, for the task that adds.
  Path PathTo(std::string_view key, base::Sequence sequence);
  const Node* First() const { return head_[0].Load(); }
  const Node* Last() const;

  const uint64_t log_number_;
  std::array<Link, kHeightMax> head_;
  // Read without order: whoever sees it too small searches longer, who sees it too large finds the
  // links up there null.
  base::Atomic<uint32_t> height_{1};
  base::Atomic<base::Sequence> limit_{base::kSequenceMax};
  Arena arena_;
  uint64_t entry_count_ = 0;
};

}  // namespace kiban::lsm
