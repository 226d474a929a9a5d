// The tables of one level above 0, one behind the other, as one sequence of entries.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/lsm/version.h"
#include "engine/table/iterator.h"

namespace kiban::lsm {

class LevelIterator final : public table::Iterator {
 public:
  // `tables` are in order, do not overlap, and outlive the iterator.
  explicit LevelIterator(const std::vector<TableRef>& tables) : tables_(tables) {}

  bool Valid() const override { return current_ != nullptr && current_->Valid(); }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(std::string_view key, base::Sequence sequence) override;
  void SeekBefore(std::string_view key, base::Sequence sequence) override;
  void Next() override;
  void Prev() override;
  const table::Entry& entry() const override { return current_->entry(); }
  absl::Status status() const override;

 private:
  void Open(size_t index);  // Past the end: no table.
  bool Ended() const;       // The current table has run off an end, without an error.
  void SkipForward();
  void SkipBackward();

  const std::vector<TableRef>& tables_;
  size_t index_ = 0;
  std::unique_ptr<table::Iterator> current_;  // Of tables_[index_]; null if there is none.
};

}  // namespace kiban::lsm
