#include "suites/properties/cursor_script.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/memory/memory_env.h"
#include "models/complaint.h"
#include "suites/properties/keys.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

using Kind = CursorStepKind;
using Contents = std::map<std::string, std::string>;

constexpr std::string_view kNames[] = {"put",      "delete",        "flush", "compact",
                                       "snapshot", "open",          "first", "last",
                                       "seek",     "seek-for-prev", "next",  "prev"};

// What a cursor should do: a position in a map that holds what it may show.
struct MapCursor {
  Contents pairs;
  std::optional<Contents::const_iterator> at;

  void Stand(Contents::const_iterator place) {
    at.reset();
    if (place != pairs.end()) at = place;
  }
  void StandBefore(Contents::const_iterator place) {
    at.reset();
    if (place != pairs.begin()) at = std::prev(place);
  }
  void Move(Kind kind, const std::string& key) {
    if (kind == Kind::kFirst) Stand(pairs.begin());
    if (kind == Kind::kLast) StandBefore(pairs.end());
    if (kind == Kind::kSeek) Stand(pairs.lower_bound(key));
    if (kind == Kind::kSeekForPrev) StandBefore(pairs.upper_bound(key));
    if (kind == Kind::kNext) Stand(std::next(*at));
    if (kind == Kind::kPrev) StandBefore(*at);
  }
};

void Move(lsm::Cursor& cursor, Kind kind, const std::string& key) {
  if (kind == Kind::kFirst) cursor.SeekToFirst();
  if (kind == Kind::kLast) cursor.SeekToLast();
  if (kind == Kind::kSeek) cursor.Seek(key);
  if (kind == Kind::kSeekForPrev) cursor.SeekForPrev(key);
  if (kind == Kind::kNext) cursor.Next();
  if (kind == Kind::kPrev) cursor.Prev();
}

class Play {
 public:
  Play(const CursorScript& script, const WrapCursor& wrap, CursorReach& reach)
      : wrap_(wrap), reach_(reach) {
    const lsm::KibanOptions options{.write_buffer_bytes = 512,
                                    .block_bytes = script.block_bytes,
                                    .restart_interval = script.restart_interval,
                                    .block_cache_bytes = 4096,
                                    .l0_compaction_trigger = 3,
                                    .level1_bytes = 512,
                                    .level_multiplier = 2,
                                    .table_bytes = 512};
    db_ = lsm::Db::Open(env_.env(), "db", options).value();
  }

  std::string Do(const CursorStep& step) {
    switch (step.kind) {
      case Kind::kPut:
      case Kind::kDelete:
        return Write(step);
      case Kind::kFlush:
        return Wrong(db_->Flush());
      case Kind::kCompact:
        return Wrong(db_->Compact());
      case Kind::kSnapshot:
        snapshots_.push_back({.taken = db_->TakeSnapshot(), .contents = contents_});
        return "";
      case Kind::kOpen:
        Open(step);
        return "";
      default:
        return MoveBoth(step);
    }
  }

 private:
  struct HeldSnapshot {
    std::unique_ptr<lsm::Snapshot> taken;
    Contents contents;
  };

  static std::string Wrong(const absl::Status& status) {
    return status.ok() ? "" : status.ToString();
  }

  std::string Write(const CursorStep& step) {
    const std::string key = PoolKey(step.key);
    ++writes_;
    if (step.kind == Kind::kDelete) {
      if (contents_.erase(key) != 0) deleted_.insert(key);
      return Wrong(db_->Delete(key, {}).status());
    }
    std::string value = std::to_string(writes_);
    value.resize(std::max<size_t>(value.size(), step.number), '.');
    deleted_.erase(key);
    if (!contents_.insert_or_assign(key, value).second) put_again_.insert(key);
    return Wrong(db_->Put(key, value, {}).status());
  }

  // Half of all ranges have an end; the newest state is as frequent as any snapshot.
  void Open(const CursorStep& step) {
    lsm::KeyRange range{.from = PoolKey(step.key)};
    if (step.key % 4 == 0) range.from.clear();
    if (step.number % 2 == 1) range.to = PoolKey(step.number / 2 % kPoolKeys);
    const size_t chosen = step.number % (snapshots_.size() + 1);
    const bool is_now = chosen == snapshots_.size();
    const Contents& contents = is_now ? contents_ : snapshots_[chosen].contents;
    cursor_ = wrap_(db_->NewCursor(range, is_now ? nullptr : snapshots_[chosen].taken.get()));
    expected_.pairs.clear();
    expected_.at.reset();
    for (const auto& [key, value] : contents) {
      if (key >= range.from && (!range.to.has_value() || key < *range.to)) {
        expected_.pairs.emplace(key, value);
      }
    }
    opened_at_write_ = writes_;
    is_bounded_ = range.to.has_value();
    is_old_ = !is_now && contents != contents_;
    last_ = Kind::kOpen;
    reach_.over_tombstones += deleted_.size();
    reach_.over_versions += put_again_.size();
  }

  std::string MoveBoth(const CursorStep& step) {
    if (cursor_ == nullptr) Open({});
    const bool is_step = step.kind == Kind::kNext || step.kind == Kind::kPrev;
    if (is_step && !expected_.at.has_value()) return "";
    const std::string key = PoolKey(step.key);
    Count(step.kind, key);
    expected_.Move(step.kind, key);
    Move(*cursor_, step.kind, key);
    last_ = step.kind;
    if (!cursor_->status().ok()) return cursor_->status().ToString();
    if (!expected_.at.has_value()) {
      ++reach_.off_the_ends;
      return cursor_->Valid() ? "shows " + models::Quote(cursor_->key()) + " off an end" : "";
    }
    const auto& [right_key, right_value] = **expected_.at;
    const std::string should = ", should show " + models::Quote(right_key);
    if (!cursor_->Valid()) return "shows nothing" + should;
    if (cursor_->key() != right_key) return "shows " + models::Quote(cursor_->key()) + should;
    return cursor_->value() == right_value ? "" : "another value" + should;
  }

  void Count(Kind kind, const std::string& key) {
    ++reach_.moves;
    const bool is_seek = kind == Kind::kSeek || kind == Kind::kSeekForPrev;
    if (is_seek && !expected_.pairs.contains(key)) ++reach_.absent_targets;
    if (kind == Kind::kNext && last_ == Kind::kPrev) ++reach_.turns;
    if (kind == Kind::kPrev && last_ == Kind::kNext) ++reach_.turns;
    if (is_bounded_) ++reach_.bounded;
    if (is_old_) ++reach_.at_snapshots;
    if (writes_ > opened_at_write_) ++reach_.behind_writes;
    const std::vector<uint64_t> tables = db_->GetStats().level_tables;
    uint64_t table_count = 0;
    uint64_t level_count = 0;
    for (const uint64_t count : tables) {
      table_count += count;
      if (count > 0) ++level_count;
    }
    if (table_count >= 3) ++reach_.over_tables;
    if (level_count >= 2) ++reach_.over_levels;
  }

  const WrapCursor& wrap_;
  CursorReach& reach_;
  memory::MemoryEnv env_;
  std::unique_ptr<lsm::Db> db_;
  Contents contents_;
  std::set<std::string> deleted_;
  std::set<std::string> put_again_;
  uint64_t writes_ = 0;
  std::vector<HeldSnapshot> snapshots_;
  std::unique_ptr<lsm::Cursor> cursor_;  // Null until it is needed.
  MapCursor expected_;
  uint64_t opened_at_write_ = 0;
  bool is_bounded_ = false;
  bool is_old_ = false;
  Kind last_ = Kind::kOpen;
};

rc::Gen<CursorStep> Steps() {
  const auto kinds = rc::gen::weightedElement<Kind>({{20, Kind::kPut},
                                                     {6, Kind::kDelete},
                                                     {2, Kind::kFlush},
                                                     {1, Kind::kCompact},
                                                     {1, Kind::kSnapshot},
                                                     {3, Kind::kOpen},
                                                     {2, Kind::kFirst},
                                                     {2, Kind::kLast},
                                                     {4, Kind::kSeek},
                                                     {4, Kind::kSeekForPrev},
                                                     {12, Kind::kNext},
                                                     {12, Kind::kPrev}});
  return rc::gen::apply(
      [](Kind kind, uint32_t key, uint32_t number) {
        return CursorStep{kind, key, number};
      },
      kinds, rc::gen::inRange<uint32_t>(0, kPoolKeys), rc::gen::inRange<uint32_t>(0, 90));
}

}  // namespace

rc::Gen<CursorScript> CursorScripts() {
  return rc::gen::apply(
      [](uint32_t block_bytes, uint32_t restart_interval, std::vector<CursorStep> steps) {
        return CursorScript{block_bytes, restart_interval, std::move(steps)};
      },
      rc::gen::element<uint32_t>(4096, 256, 64), rc::gen::element<uint32_t>(16, 1, 2, 3),
      Larger(4, rc::gen::container<std::vector<CursorStep>>(Steps())));
}

std::string WhyNotSorted(const CursorScript& script, const WrapCursor& wrap, CursorReach& reach) {
  Play play(script, wrap, reach);
  for (size_t i = 0; i < script.steps.size(); ++i) {
    const std::string wrong = play.Do(script.steps[i]);
    if (!wrong.empty()) return "step " + std::to_string(i) + " " + wrong;
  }
  return "";
}

void showValue(const CursorScript& script, std::ostream& os) {
  os << "blocks of " << script.block_bytes << " bytes, restarts every " << script.restart_interval
     << '\n';
  for (const CursorStep& step : script.steps) {
    os << kNames[static_cast<size_t>(step.kind)] << ' ' << models::Quote(PoolKey(step.key)) << ' '
       << step.number << '\n';
  }
}

}  // namespace kiban::suites
