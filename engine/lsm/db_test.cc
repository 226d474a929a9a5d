// Goal:   whatever is written, flushed, compacted and reopened, every read equals that of a sorted
// map. Method: long random lives with buffers and tables so small that every step happens often.
// Snapshots keep the
//         map they were taken of; cursors are moved at random in both directions and compared at
//         each stop.
#include "engine/lsm/db.h"

#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <utility>

#include "engine/lsm/db_for_test.h"
#include "engine/lsm/limits.h"
#include "engine/memory/memory_env.h"

namespace kiban::lsm {
namespace {

constexpr WriteOptions kUnsynced{.sync = false};
constexpr WriteOptions kSynced{.sync = true};

std::string KeyOf(uint64_t n) {
  // Some share prefixes, some are binary, one is empty.
  if (n == 0) return "";
  std::string key(n % 5, n % 2 == 0 ? '\xff' : 'k');
  key.push_back(static_cast<char>(n * 37));
  return key;
}

// A cursor on a map, by the words of db.h.
class MapCursor {
 public:
  MapCursor(const Contents& contents, const KeyRange& range) {
    for (const auto& [key, value] : contents) {
      if (key >= range.from && (!range.to.has_value() || key < *range.to))
        keys_.emplace(key, value);
    }
    at_ = keys_.end();
  }
  bool Valid() const { return at_ != keys_.end(); }
  void SeekToFirst() { at_ = keys_.begin(); }
  void SeekToLast() { at_ = keys_.empty() ? keys_.end() : std::prev(keys_.end()); }
  void Seek(const std::string& key) { at_ = keys_.lower_bound(key); }
  void SeekForPrev(const std::string& key) {
    at_ = keys_.upper_bound(key);
    at_ = at_ == keys_.begin() ? keys_.end() : std::prev(at_);
  }
  void Next() { ++at_; }
  void Prev() { at_ = at_ == keys_.begin() ? keys_.end() : std::prev(at_); }
  const std::string& key() const { return at_->first; }
  const std::string& value() const { return at_->second; }

  MapCursor(const MapCursor&) = delete;
  MapCursor& operator=(const MapCursor&) = delete;

 private:
  Contents keys_;
  Contents::iterator at_;
};

class Life {
 public:
  explicit Life(uint64_t seed) : dice_(seed) { db_ = OpenDb(env_.env(), Draw()); }

  void Step();
  void Finish();
  const Stats& totals() const { return totals_; }

 private:
  struct Held {
    std::unique_ptr<Snapshot> snapshot;
    Contents contents;
  };

  KibanOptions Draw();
  void Mutate();
  void Reopen();
  void Snap();
  void Wander(const Snapshot* snapshot, const Contents& contents);
  std::string Value() { return std::string(dice_.Below(60), static_cast<char>(++values_)); }
  void Check() { ASSERT_EQ(ReadAll(*db_), contents_); }

  memory::MemoryEnv env_;
  Dice dice_;
  std::unique_ptr<Db> db_;
  Contents contents_;
  base::Sequence last_sequence_ = 0;
  uint64_t values_ = 0;
  std::vector<Held> held_;
  std::vector<std::pair<std::unique_ptr<Cursor>, std::unique_ptr<MapCursor>>>
      cursors_;  // Left standing somewhere.
  Stats totals_;
};

KibanOptions Life::Draw() {
  KibanOptions options = TinyOptions();
  options.write_buffer_bytes = 256 + dice_.Below(2000);
  options.l0_compaction_trigger = static_cast<uint32_t>(1 + dice_.Below(4));
  constexpr uint64_t kCaches[] = {0, 4096, 65536};  // The last has room for point indexes.
  options.block_cache_bytes = kCaches[dice_.Below(3)];
  options.point_index = dice_.OneIn(2);
  if (dice_.OneIn(3)) options.for_tests.written->layout = pointindex::Layout::kPh2;
  options.table_bytes = 512 + dice_.Below(1000);
  return options;
}

void Life::Mutate() {
  Batch batch;
  const uint64_t count = dice_.OneIn(4) ? 1 + dice_.Below(8) : 1;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string key = KeyOf(dice_.Below(60));
    if (dice_.OneIn(3)) {
      batch.Delete(key);
      contents_.erase(key);
    } else {
      const std::string value = Value();
      batch.Put(key, value);
      contents_[key] = value;
    }
  }
  const auto first = db_->Write(batch, dice_.OneIn(3) ? kSynced : kUnsynced);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_EQ(*first, last_sequence_ + 1);
  last_sequence_ += count;
  ASSERT_EQ(db_->last_sequence(), last_sequence_);
}

void Life::Reopen() {
  held_.clear();
  cursors_.clear();
  const Stats stats = db_->GetStats();
  totals_.flushes += stats.flushes;
  totals_.compactions += stats.compactions;
  totals_.versions_dropped += stats.versions_dropped;
  totals_.tombstones_dropped += stats.tombstones_dropped;
  const bool closes = dice_.OneIn(2);
  ASSERT_TRUE(!closes || db_->Close().ok());
  db_.reset();
  db_ = OpenDb(env_.env(), Draw());
  ASSERT_NE(db_, nullptr);
  ASSERT_EQ(db_->last_sequence(), last_sequence_);
  Check();
}

void Life::Snap() {
  if (held_.size() < 4) {
    held_.push_back({.snapshot = db_->TakeSnapshot(), .contents = contents_});
    ASSERT_EQ(held_.back().snapshot->sequence(), last_sequence_);
  } else {
    const uint64_t which = dice_.Below(held_.size());
    ASSERT_EQ(ReadAll(*db_, held_[which].snapshot.get()), held_[which].contents);
    held_.erase(held_.begin() + static_cast<ptrdiff_t>(which));
  }
}

void Walk(Cursor& cursor, MapCursor& map, Dice& dice, uint64_t moves) {
  for (uint64_t i = 0; i < moves; ++i) {
    const std::string key = KeyOf(dice.Below(60));
    switch (dice.Below(map.Valid() ? 12 : 4)) {
      case 0:
        cursor.SeekToFirst(), map.SeekToFirst();
        break;
      case 1:
        cursor.SeekToLast(), map.SeekToLast();
        break;
      case 2:
        cursor.Seek(key), map.Seek(key);
        break;
      case 3:
        cursor.SeekForPrev(key), map.SeekForPrev(key);
        break;
      case 4:
        cursor.Seek(cursor.key());
        break;
      case 5:
        cursor.SeekForPrev(cursor.key());
        break;
      case 6:
      case 7:
      case 8:
        cursor.Next(), map.Next();
        break;
      default:
        cursor.Prev(), map.Prev();
        break;
    }
    ASSERT_EQ(cursor.Valid(), map.Valid()) << cursor.status();
    if (!map.Valid()) continue;
    ASSERT_EQ(cursor.key(), map.key());
    ASSERT_EQ(cursor.value(), map.value());
  }
}

void Life::Wander(const Snapshot* snapshot, const Contents& contents) {
  KeyRange range;
  if (dice_.OneIn(2)) range.from = KeyOf(dice_.Below(60));
  if (dice_.OneIn(2)) range.to = KeyOf(dice_.Below(60));
  cursors_.emplace_back(db_->NewCursor(range, snapshot),
                        std::make_unique<MapCursor>(contents, range));
  Walk(*cursors_.back().first, *cursors_.back().second, dice_, 30);
  if (cursors_.size() > 3) cursors_.erase(cursors_.begin());
}

void Life::Step() {
  switch (dice_.Below(40)) {
    case 0:
      return Reopen();
    case 1:
      return Check();
    case 2:
    case 3:
      return Snap();
    case 4:
      ASSERT_TRUE(db_->Flush().ok());
      return;
    case 5:
      ASSERT_TRUE(!dice_.OneIn(3) || db_->Compact().ok());
      return;
    case 6:
      ASSERT_TRUE(db_->Sync().ok());
      return;
    case 7:
      return Wander(nullptr, contents_);
    case 8:
      if (!held_.empty()) Wander(held_[0].snapshot.get(), held_[0].contents);
      return;
    case 9:  // Cursors that were made before all this go on as if nothing had happened.
      for (auto& [cursor, map] : cursors_) Walk(*cursor, *map, dice_, 10);
      return;
    default:
      return Mutate();
  }
}

void Life::Finish() {
  for (const Held& held : held_) ASSERT_EQ(ReadAll(*db_, held.snapshot.get()), held.contents);
  Check();
  held_.clear();
  ASSERT_TRUE(db_->Compact().ok());
  Check();
  // With no snapshot in the way, one version of each key is left.
  const Stats stats = db_->GetStats();
  uint64_t levels_used = 0;
  for (const uint64_t tables : stats.level_tables) levels_used += tables > 0 ? 1 : 0;
  ASSERT_LE(levels_used, 1u);
  Reopen();
}

TEST(Db, AgreesWithASortedMapInEveryLife) {
  Stats totals;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Life life(seed);
    for (int i = 0; i < 600; ++i) {
      life.Step();
      if (HasFatalFailure() || HasNonfatalFailure()) FAIL() << "step " << i;
    }
    life.Finish();
    if (HasFailure()) return;
    totals.flushes += life.totals().flushes;
    totals.compactions += life.totals().compactions;
    totals.versions_dropped += life.totals().versions_dropped;
    totals.tombstones_dropped += life.totals().tombstones_dropped;
  }
  // The lives must have gone where the bugs are.
  EXPECT_GT(totals.flushes, 2000u);
  EXPECT_GT(totals.compactions, 1000u);
  EXPECT_GT(totals.versions_dropped, 1000u);
  EXPECT_GT(totals.tombstones_dropped, 100u);
}

TEST(Db, KeepsKeysAndValuesUpToTheLimits) {
  memory::MemoryEnv env;
  std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  Contents contents;
  for (const size_t key_bytes : {size_t{0}, size_t{1}, size_t{90'000}, size_t{kKeyBytesMax}}) {
    for (const size_t value_bytes : {size_t{0}, size_t{100'000}}) {
      const std::string key(key_bytes, static_cast<char>(value_bytes % 251));
      const std::string value(value_bytes, 'v');
      ASSERT_TRUE(db->Put(key, value, kUnsynced).ok());
      contents[key] = value;
    }
  }
  EXPECT_EQ(ReadAll(*db), contents);
  ASSERT_TRUE(db->Flush().ok());
  EXPECT_EQ(ReadAll(*db), contents);
  ASSERT_TRUE(db->Compact().ok());
  db.reset();
  db = OpenDb(env.env(), TinyOptions());
  EXPECT_EQ(ReadAll(*db), contents);
}

TEST(Db, RefusesWhatIsTooLongAndGoesOn) {
  memory::MemoryEnv env;
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  const std::string long_key(kKeyBytesMax + 1, 'k');
  EXPECT_TRUE(absl::IsInvalidArgument(db->Put(long_key, "", kUnsynced).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(db->Delete(long_key, kUnsynced).status()));
  const std::string long_value(kBatchBytesMax, 'v');
  EXPECT_TRUE(absl::IsInvalidArgument(db->Put("k", long_value, kUnsynced).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(db->Write(Batch(), kUnsynced).status()));
  EXPECT_EQ(db->Get(long_key, nullptr).value(), std::nullopt);
  EXPECT_EQ(db->Put("k", "v", kUnsynced).value(), 1u);
  EXPECT_EQ(ReadAll(*db), (Contents{{"k", "v"}}));
}

TEST(Db, TakesABatchMuchLargerThanTheBuffer) {
  memory::MemoryEnv env;
  std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  Batch batch;
  Contents contents;
  for (int i = 0; i < 5000; ++i) {
    const std::string key = "k" + std::to_string(i % 3000);
    batch.Put(key, std::to_string(i));
    contents[key] = std::to_string(i);
  }
  ASSERT_EQ(db->Write(batch, kSynced).value(), 1u);
  ASSERT_EQ(db->last_sequence(), 5000u);
  EXPECT_EQ(ReadAll(*db), contents);
  db.reset();
  db = OpenDb(env.env(), TinyOptions());
  EXPECT_EQ(ReadAll(*db), contents);
}

TEST(Db, ReturnsTheLatestKeysOfAPrefixInDescendingOrder) {
  memory::MemoryEnv env;
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  for (const char* key : {"a", "b1", "b2", "b3", "b4", "c", "\xff", "\xff\xff", "\xff\xff\x01"}) {
    ASSERT_TRUE(db->Put(key, key, kUnsynced).ok());
  }
  const std::unique_ptr<Snapshot> before = db->TakeSnapshot();
  ASSERT_TRUE(db->Delete("b3", kUnsynced).ok());
  const auto keys = [&](std::string_view prefix, uint32_t k, const Snapshot* snapshot) {
    std::vector<std::string> keys_found;
    const std::vector<KeyValue> latest = db->LatestK(prefix, k, snapshot).value();
    for (const KeyValue& found : latest) {
      EXPECT_EQ(found.key, found.value);
      keys_found.push_back(found.key);
    }
    return keys_found;
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys("b", 2, nullptr), (Keys{"b4", "b2"}));
  EXPECT_EQ(keys("b", 2, before.get()), (Keys{"b4", "b3"}));
  EXPECT_EQ(keys("b", 9, nullptr), (Keys{"b4", "b2", "b1"}));
  EXPECT_EQ(keys("b", 0, nullptr), Keys{});
  EXPECT_EQ(keys("bb", 3, nullptr), Keys{});
  EXPECT_EQ(keys("\xff", 2, nullptr), (Keys{"\xff\xff\x01", "\xff\xff"}));
}

TEST(Db, AnswersNothingOnceClosed) {
  memory::MemoryEnv env;
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  ASSERT_TRUE(db->Put("k", "v", kUnsynced).ok());
  const std::unique_ptr<Cursor> cursor = db->NewCursor({}, nullptr);
  EXPECT_TRUE(absl::IsFailedPrecondition(Db::Open(env.env(), "db", {}).status()));
  ASSERT_TRUE(db->Close().ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(db->Put("k", "w", kUnsynced).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db->Sync()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db->Flush()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db->Compact()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db->Get("k", nullptr).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db->LatestK("", 1, nullptr).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db->NewCursor({}, nullptr)->status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(db->Close()));
  // What a cursor saw it goes on seeing, and another handle may have the directory.
  cursor->SeekToFirst();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->value(), "v");
  EXPECT_EQ(ReadAll(*OpenDb(env.env(), TinyOptions())), (Contents{{"k", "v"}}));
}

TEST(Db, SaysWhichTierAnswered) {
  memory::MemoryEnv env;
  const std::unique_ptr<Db> db = OpenDb(env.env(), TinyOptions());
  ASSERT_TRUE(db->Put("table", "v", kUnsynced).ok());
  ASSERT_TRUE(db->Flush().ok());
  ASSERT_TRUE(db->Put("memtable", "v", kUnsynced).ok());
  ASSERT_TRUE(db->Delete("gone", kUnsynced).ok());
  for (const char* key : {"table", "memtable", "gone", "never"}) {
    ASSERT_TRUE(db->Get(key, nullptr).ok());
  }
  const Stats stats = db->GetStats();
  EXPECT_EQ(stats.puts, 2u);
  EXPECT_EQ(stats.deletes, 1u);
  EXPECT_EQ(stats.gets, 4u);
  EXPECT_EQ(stats.gets_from_memtable, 2u);
  EXPECT_EQ(stats.gets_from_disk, 1u);
  EXPECT_EQ(stats.gets_absent, 1u);
  EXPECT_EQ(stats.flushes, 1u);
  ASSERT_EQ(stats.level_tables.size(), kLevelCount);
  EXPECT_EQ(stats.level_tables[0], 1u);
}

}  // namespace
}  // namespace kiban::lsm
