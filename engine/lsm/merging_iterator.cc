#include "engine/lsm/merging_iterator.h"

#include <string>
#include <utility>

#include "engine/base/check.h"

namespace kiban::lsm {
namespace {

bool StandsBefore(const table::Entry& a, const table::Entry& b) {
  return table::Compare(a.key, a.sequence, b.key, b.sequence) < 0;
}

}  // namespace

MergingIterator::MergingIterator(std::vector<std::unique_ptr<table::Iterator>> sources)
    : sources_(std::move(sources)) {}

void MergingIterator::Settle(Direction direction) {
  direction_ = direction;
  current_ = nullptr;
  for (const auto& source : sources_) {
    if (!source->Valid()) {
      if (status_.ok()) status_ = source->status();
      continue;
    }
    if (current_ == nullptr) {
      current_ = source.get();
      continue;
    }
    const bool before = StandsBefore(source->entry(), current_->entry());
    if (before == (direction == Direction::kForward)) current_ = source.get();
  }
  if (!status_.ok()) current_ = nullptr;
}

void MergingIterator::Turn(Direction direction) {
  if (direction == direction_) return;
  // Views of the current entry stay good: only the others move.
  const table::Entry& at = current_->entry();
  for (const auto& source : sources_) {
    if (source.get() == current_) continue;
    if (direction == Direction::kForward) {
      source->Seek(at.key, at.sequence);
    } else {
      source->SeekBefore(at.key, at.sequence);
    }
  }
}

void MergingIterator::SeekToFirst() {
  for (const auto& source : sources_) source->SeekToFirst();
  Settle(Direction::kForward);
}

void MergingIterator::SeekToLast() {
  for (const auto& source : sources_) source->SeekToLast();
  Settle(Direction::kBackward);
}

void MergingIterator::Seek(std::string_view key, base::Sequence sequence) {
  for (const auto& source : sources_) source->Seek(key, sequence);
  Settle(Direction::kForward);
}

void MergingIterator::SeekBefore(std::string_view key, base::Sequence sequence) {
  for (const auto& source : sources_) source->SeekBefore(key, sequence);
  Settle(Direction::kBackward);
}

void MergingIterator::Next() {
  CHECK(Valid());
  Turn(Direction::kForward);
  current_->Next();
  Settle(Direction::kForward);
}

void MergingIterator::Prev() {
  CHECK(Valid());
  Turn(Direction::kBackward);
  current_->Prev();
  Settle(Direction::kBackward);
}

}  // namespace kiban::lsm
