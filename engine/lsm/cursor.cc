#include "engine/lsm/cursor.h"

#include <optional>
#include <string>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/mark.h"
#include "engine/lsm/merging_iterator.h"

namespace kiban::lsm {
namespace {

// No write has sequence 0: the place (key, 0) is behind every version of a key, (key, max) before.
constexpr base::Sequence kBehindKey = 0;
constexpr base::Sequence kBeforeKey = base::kSequenceMax;

class MergedCursor final : public Cursor {
 public:
  MergedCursor(ReadView view, KeyRange range)
      : view_(std::move(view)),
        range_(std::move(range)),
        entries_(SourcesOf(*view_.view, range_.from, range_.to)) {}

  bool Valid() const override { return state_ != State::kNowhere; }
  void SeekToFirst() override { Seek(range_.from); }
  void SeekToLast() override;
  void Seek(std::string_view key) override;
  void SeekForPrev(std::string_view key) override;
  void Next() override;
  void Prev() override;
  std::string_view key() const override;
  std::string_view value() const override;
  absl::Status status() const override { return entries_.status(); }
  base::Sequence sequence() const override { return view_.sequence; }

 private:
  enum class State {
    kNowhere,
    kForward,   // entries_ stands at the version that is shown.
    kBackward,  // entries_ stands before the key that is shown; a copy of it is in key_ and value_.
  };

  bool InRange(std::string_view key) const {
    return key >= range_.from && (!range_.to.has_value() || key < *range_.to);
  }
  void FindForward();
  void FindBackward();
  void SkipVersionsOf(std::string_view key);

  const ReadView view_;
  const KeyRange range_;
  MergingIterator entries_;
  State state_ = State::kNowhere;
  std::string key_;  // Reused: the copies of kBackward; a key that is sought or skipped.
  std::string value_;
};

// From where entries_ stands, which is no version of a key already shown, to the next live key.
void MergedCursor::FindForward() {
  state_ = State::kNowhere;
  while (entries_.Valid()) {
    const table::Entry& entry = entries_.entry();
    if (!InRange(entry.key)) return;
    if (entry.sequence > view_.sequence) {
      entries_.Next();
    } else if (entry.kind == table::Kind::kDelete) {
      SkipVersionsOf(entry.key);
    } else {
      state_ = State::kForward;
      return;
    }
  }
}

// `key` may lie in the current entry, which goes away.
void MergedCursor::SkipVersionsOf(std::string_view key) {
  key_ = key;
  while (entries_.Valid() && entries_.entry().key == key_) entries_.Next();
}

// From where entries_ stands, the oldest version of a key not yet shown, to the live key before. A
// key's versions come oldest first, so the last visible one before the key changes decides.
void MergedCursor::FindBackward() {
  state_ = State::kNowhere;
  while (entries_.Valid()) {
    const table::Entry& entry = entries_.entry();
    const bool same_key = state_ == State::kBackward && entry.key == key_;
    if (state_ == State::kBackward && !same_key) return;
    if (!InRange(entry.key)) return;
    if (entry.sequence <= view_.sequence) {
      state_ = entry.kind == table::Kind::kPut ? State::kBackward : State::kNowhere;
      if (!same_key) key_ = entry.key;
      if (entry.kind == table::Kind::kPut) value_ = entry.value;
    }
    entries_.Prev();
  }
  // A source that fails may have held the version that decides.
  if (!entries_.status().ok()) state_ = State::kNowhere;
}

// The key is copied first: it may be a view of what this cursor shows.
void MergedCursor::Seek(std::string_view key) {
  SPAN("scan");
  key_ = key < range_.from ? std::string_view(range_.from) : key;
  entries_.Seek(key_, kBeforeKey);
  FindForward();
}

void MergedCursor::SeekForPrev(std::string_view key) {
  SPAN("scan");
  if (range_.to.has_value() && key >= *range_.to) return SeekToLast();
  key_ = key;
  entries_.SeekBefore(key_, kBehindKey);
  FindBackward();
}

void MergedCursor::SeekToLast() {
  SPAN("scan");
  if (range_.to.has_value()) {
    entries_.SeekBefore(*range_.to, kBeforeKey);
  } else {
    entries_.SeekToLast();
  }
  FindBackward();
}

void MergedCursor::Next() {
  SPAN("scan");
  CHECK(Valid());
  if (state_ == State::kForward) {
    SkipVersionsOf(entries_.entry().key);
  } else {
    entries_.Seek(key_, kBehindKey);
  }
  FindForward();
}

void MergedCursor::Prev() {
  SPAN("scan");
  CHECK(Valid());
  if (state_ == State::kForward) {
    key_ = entries_.entry().key;
    entries_.SeekBefore(key_, kBeforeKey);
  }
  FindBackward();
}

std::string_view MergedCursor::key() const {
  CHECK(Valid());
  return state_ == State::kForward ? entries_.entry().key : std::string_view(key_);
}

std::string_view MergedCursor::value() const {
  CHECK(Valid());
  return state_ == State::kForward ? entries_.entry().value : std::string_view(value_);
}

class FailedCursor final : public Cursor {
 public:
  explicit FailedCursor(absl::Status status) : status_(std::move(status)) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(std::string_view) override {}
  void SeekForPrev(std::string_view) override {}
  void Next() override { CHECK(Valid()); }
  void Prev() override { CHECK(Valid()); }
  std::string_view key() const override { return {}; }
  std::string_view value() const override { return {}; }
  absl::Status status() const override { return status_; }
  base::Sequence sequence() const override { return 0; }

 private:
  const absl::Status status_;
};

// The first string behind all those that begin with `prefix`; nullopt if nothing is behind them.
std::optional<std::string> Behind(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  if (end.empty()) return std::nullopt;
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

}  // namespace

std::unique_ptr<Cursor> NewCursor(ReadView view, KeyRange range) {
  return std::make_unique<MergedCursor>(std::move(view), std::move(range));
}

std::unique_ptr<Cursor> NewFailedCursor(absl::Status status) {
  return std::make_unique<FailedCursor>(std::move(status));
}

absl::StatusOr<std::vector<KeyValue>> LatestK(ReadView view, std::string_view prefix, uint32_t k) {
  KeyRange range{.from = std::string(prefix), .to = Behind(prefix)};
  MergedCursor cursor(std::move(view), std::move(range));
  std::vector<KeyValue> latest;
  if (k == 0) return latest;
  for (cursor.SeekToLast(); cursor.Valid(); cursor.Prev()) {
    latest.push_back({.key = std::string(cursor.key()), .value = std::string(cursor.value())});
    if (latest.size() == k) return latest;
  }
  if (!cursor.status().ok()) return cursor.status();
  return latest;
}

}  // namespace kiban::lsm
