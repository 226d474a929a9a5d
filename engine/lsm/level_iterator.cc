#include "engine/lsm/level_iterator.h"

#include <algorithm>

#include "engine/base/check.h"

namespace kiban::lsm {

absl::Status LevelIterator::status() const {
  return current_ == nullptr ? absl::OkStatus() : current_->status();
}

void LevelIterator::Open(size_t index) {
  if (current_ != nullptr && index == index_ && current_->status().ok()) return;
  index_ = index;
  current_ = index < tables_.size() ? tables_[index]->reader->NewIterator() : nullptr;
}

bool LevelIterator::Ended() const {
  return current_ != nullptr && !current_->Valid() && current_->status().ok();
}

void LevelIterator::SkipForward() {
  while (Ended()) {
    Open(index_ + 1);
    if (current_ != nullptr) current_->SeekToFirst();
  }
}

void LevelIterator::SkipBackward() {
  while (Ended()) {
    if (index_ == 0) {
      current_ = nullptr;
      return;
    }
    Open(index_ - 1);
    current_->SeekToLast();
  }
}

void LevelIterator::SeekToFirst() {
  Open(0);
  if (current_ != nullptr) current_->SeekToFirst();
  SkipForward();
}

void LevelIterator::SeekToLast() {
  if (tables_.empty()) return;
  Open(tables_.size() - 1);
  current_->SeekToLast();
  SkipBackward();
}

void LevelIterator::Seek(std::string_view key, base::Sequence sequence) {
  Open(FirstEndingAtOrBehind(tables_, key));
  if (current_ != nullptr) current_->Seek(key, sequence);
  SkipForward();
}

void LevelIterator::SeekBefore(std::string_view key, base::Sequence sequence) {
  if (tables_.empty()) return;
  // Either the key lies in this table, or all that is before it lies in those before.
  Open(std::min(FirstEndingAtOrBehind(tables_, key), tables_.size() - 1));
  current_->SeekBefore(key, sequence);
  SkipBackward();
}

void LevelIterator::Next() {
  CHECK(Valid());
  current_->Next();
  SkipForward();
}

void LevelIterator::Prev() {
  CHECK(Valid());
  current_->Prev();
  SkipBackward();
}

}  // namespace kiban::lsm
