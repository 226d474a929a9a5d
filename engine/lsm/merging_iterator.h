// Several ordered sources as one. No two of them hold the same version of a key.
//
// An error of any source ends the merge at once and sticks: what has failed is never taken for what
// has ended, because a scan would then miss keys and a compaction would lose them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/table/iterator.h"

namespace kiban::lsm {

class MergingIterator final : public table::Iterator {
 public:
  explicit MergingIterator(std::vector<std::unique_ptr<table::Iterator>> sources);

  bool Valid() const override { return current_ != nullptr; }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(std::string_view key, base::Sequence sequence) override;
  void SeekBefore(std::string_view key, base::Sequence sequence) override;
  void Next() override;
  void Prev() override;
  const table::Entry& entry() const override { return current_->entry(); }
  absl::Status status() const override { return status_; }

 private:
  // Where the sources stand: at the current entry or behind it, or at it or before it.
  enum class Direction { kForward, kBackward };

  void Settle(Direction direction);  // All have moved: chooses the current one.
  void Turn(Direction direction);    // Brings the others to the other side of the current entry.

  std::vector<std::unique_ptr<table::Iterator>> sources_;
  table::Iterator* current_ = nullptr;
  Direction direction_ = Direction::kForward;
  absl::Status status_;
};

}  // namespace kiban::lsm
