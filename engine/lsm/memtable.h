// The newest entries, in memory, in order: a skip list in an arena.
//
// William Pugh, "Skip lists: a probabilistic alternative to balanced trees", CACM 33(6), 1990. The
// heights come from a hash of a counter, not from chance, so that the same writes make the same
// list.
//
// Entries are only added, never changed or moved, so an iterator stays where it is while others are
// added around it; it may or may not meet those. Readers hide them by their sequence.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/base/sequence.h"
#include "engine/lsm/arena.h"
#include "engine/table/entry.h"
#include "engine/table/iterator.h"

namespace kiban::lsm {

class Memtable {
 public:
  // Copies the entry. No two may have the same key and sequence (CHECK).
  void Add(const table::Entry& entry);

  // The newest version of `key` with a sequence of at most `at`; null if there is none.
  const table::Entry* Find(std::string_view key, base::Sequence at) const;

  // The iterator keeps the memtable alive.
  static std::unique_ptr<table::Iterator> NewIterator(std::shared_ptr<const Memtable> memtable);

  bool empty() const { return entry_count_ == 0; }
  uint64_t entry_count() const { return entry_count_; }
  // What its entries take.
  uint64_t used_bytes() const { return arena_.used_bytes(); }

 private:
  class Iterator;
  struct Node;
  static constexpr uint32_t kHeightMax = 12;
  using Links = std::array<Node*, kHeightMax>;

  // The links that lead onwards from `node`; null is the place before the first.
  Node* const* LinksFrom(const Node* node) const;
  // The last node that stands before (key, sequence), null if none does; with `path`, the same for
  // each height.
  Node* Before(std::string_view key, base::Sequence sequence, Links* path) const;
  const Node* Last() const;

  Arena arena_;
  Links head_ = {};
  uint32_t height_ = 1;
  uint64_t entry_count_ = 0;
};

}  // namespace kiban::lsm
