#include "engine/table/block_cursor.h"

#include <algorithm>

#include "engine/base/check.h"

namespace kiban::table {

void BlockCursor::Reset(std::string_view block) {
  view_ = BlockView(block);
  run_ = kNoRun;
  position_ = kNowhere;
}

void BlockCursor::SeekToFirst() {
  LoadRun(0);
  StandAt(0);
}

void BlockCursor::SeekToLast() {
  LoadRun(view_.restart_count() - 1);
  StandAt(items_.size() - 1);
}

void BlockCursor::Seek(std::string_view key, base::Sequence sequence) {
  LoadRun(view_.FindRestart(key, sequence));
  const size_t before = CountBefore(key, sequence);
  if (before < items_.size()) return StandAt(before);
  if (run_ + 1 == view_.restart_count()) return StandAt(kNowhere);
  LoadRun(run_ + 1);
  StandAt(0);
}

void BlockCursor::SeekBefore(std::string_view key, base::Sequence sequence) {
  LoadRun(view_.FindRestart(key, sequence));
  StandAt(CountBefore(key, sequence) - 1);  // From 0 it wraps to kNowhere.
}

void BlockCursor::Next() {
  CHECK(Valid());
  if (position_ + 1 < items_.size()) return StandAt(position_ + 1);
  if (run_ + 1 == view_.restart_count()) return StandAt(kNowhere);
  LoadRun(run_ + 1);
  StandAt(0);
}

void BlockCursor::Prev() {
  CHECK(Valid());
  if (position_ > 0) return StandAt(position_ - 1);
  if (run_ == 0) return StandAt(kNowhere);
  LoadRun(run_ - 1);
  StandAt(items_.size() - 1);
}

void BlockCursor::LoadRun(uint32_t run) {
  if (run == run_) return;
  run_ = run;
  items_.clear();
  keys_.clear();
  RawEntry raw;
  size_t last_offset = 0;
  size_t last_bytes = 0;
  for (std::string_view left = view_.Run(run); !left.empty();) {
    CHECK(TakeEntry(left, raw));
    CHECK(raw.shared_bytes <= last_bytes);
    // Without a suffix it is another version of the key before, which needs no copy.
    if (items_.empty() || !raw.suffix.empty()) {
      const size_t offset = keys_.size();
      keys_.append(keys_, last_offset, raw.shared_bytes);
      keys_.append(raw.suffix);
      last_offset = offset;
      last_bytes = raw.shared_bytes + raw.suffix.size();
    }
    items_.push_back({last_offset, last_bytes, raw.sequence(), raw.kind(), raw.value});
  }
}

size_t BlockCursor::CountBefore(std::string_view key, base::Sequence sequence) const {
  const auto stands_before = [&](const Item& item) {
    return Compare(KeyOf(item), item.sequence, key, sequence) < 0;
  };
  const auto end = std::partition_point(items_.begin(), items_.end(), stands_before);
  return static_cast<size_t>(end - items_.begin());
}

void BlockCursor::StandAt(size_t position) {
  position_ = position;
  if (!Valid()) return;
  const Item& item = items_[position];
  entry_ = {KeyOf(item), item.sequence, item.kind, item.value};
}

}  // namespace kiban::table
