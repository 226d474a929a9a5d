// Goal:   a read shows exactly the database at the sequence that it tells, which was the newest at
//         a moment during the call; snapshots, cursors and the tables they need stay as they were.
// Method: writers note the sequence of each write, readers what they saw at which sequence; after
//         all have ended each read is looked up in the sorted writes.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "engine/lsm/memtable.h"
#include "engine/lsm/shared_test_world.h"

namespace kiban::lsm {
namespace {

using SharedReads = SharedWorld;
using StagedReads = StagedWorld;

constexpr int kKeys = 5;

struct Seen {
  std::string key;
  base::Sequence at;
  std::optional<std::string> value;
};

// What was written to each key, by sequence; nullopt is a tombstone.
using History = std::map<std::string, std::map<base::Sequence, std::optional<std::string>>>;

void Write(Db& db, int task, int count, History& history) {
  Dice dice(static_cast<uint64_t>(task));
  for (int i = 0; i < count; ++i) {
    const std::string key = "k" + std::to_string(dice.Below(kKeys));
    std::optional<std::string> value = std::to_string(task) + "." + std::to_string(i) + Bulk('v');
    if (dice.OneIn(6)) value.reset();
    const auto sequence = value.has_value() ? db.Put(key, *value, {}) : db.Delete(key, {});
    ASSERT_TRUE(sequence.ok()) << sequence.status();
    history[key][*sequence] = value;
  }
}

// One key, or all of them with one cursor or a latest-K.
void Read(Db& db, Dice& dice, std::vector<Seen>& seen) {
  base::Sequence at = 0;
  const base::Sequence before = db.last_sequence();
  if (dice.OneIn(2)) {
    const std::string key = "k" + std::to_string(dice.Below(kKeys));
    const auto got = db.Get(key, nullptr, &at);
    ASSERT_TRUE(got.ok());
    seen.push_back({key, at, *got});
  } else {
    Contents found;
    if (dice.OneIn(2)) {
      const auto cursor = db.NewCursor({}, nullptr);
      at = cursor->sequence();
      for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
        found.emplace(cursor->key(), cursor->value());
      }
      ASSERT_TRUE(cursor->status().ok());
    } else {
      const auto latest = db.LatestK("k", 100, nullptr, &at);
      ASSERT_TRUE(latest.ok());
      for (const KeyValue& pair : *latest) found.emplace(pair.key, pair.value);
    }
    for (int k = 0; k < kKeys; ++k) {
      const std::string key = "k" + std::to_string(k);
      const auto value = found.find(key);
      seen.push_back({key, at, std::nullopt});
      if (value != found.end()) seen.back().value = value->second;
    }
  }
  ASSERT_GE(at, before);
  ASSERT_LE(at, db.last_sequence());
}

TEST_F(SharedReads, ShowTheDatabaseAtTheSequenceThatTheyTell) {
  const std::unique_ptr<Db> db = OpenShared();
  constexpr int kWriters = 3;
  constexpr int kReaders = 3;
  std::vector<History> histories(kWriters);
  std::vector<std::vector<Seen>> seen(kReaders);
  base::Atomic<uint32_t> writing{kWriters};
  for (int t = 0; t < kWriters; ++t) {
    Spawn([&, t] {
      Write(*db, t, 300, histories[static_cast<size_t>(t)]);
      writing.FetchSub(1);
    });
  }
  for (int t = 0; t < kReaders; ++t) {
    Spawn([&, t] {
      Dice dice(static_cast<uint64_t>(100 + t));
      while (writing.Load() > 0) Read(*db, dice, seen[static_cast<size_t>(t)]);
    });
  }
  JoinAll();
  ASSERT_FALSE(HasFailure());

  History all;
  for (const History& history : histories) {
    for (const auto& [key, writes] : history) all[key].insert(writes.begin(), writes.end());
  }
  for (const std::vector<Seen>& reads : seen) {
    EXPECT_GT(reads.size(), 30u);
    base::Sequence last = 0;
    for (const Seen& read : reads) {
      ASSERT_GE(read.at, last);  // Time does not go back.
      last = read.at;
      const auto& writes = all[read.key];
      auto after = writes.upper_bound(read.at);
      const bool none = after == writes.begin();
      const std::optional<std::string> expected = none ? std::nullopt : (--after)->second;
      ASSERT_EQ(read.value, expected) << read.key << " at " << read.at;
    }
  }
  EXPECT_GT(db->GetStats().compactions, 3u);
}

// The writer goes on until there have been rounds enough.
TEST_F(SharedReads, OfASnapshotDoNotChangeWhileMaintenanceForgetsTheRest) {
  constexpr uint32_t kRounds = 8;
  const std::unique_ptr<Db> db = OpenShared();
  base::Atomic<uint32_t> rounds{0};
  base::Atomic<bool> writing{true};
  Spawn([&] {
    History unused;
    while (rounds.Load() < kRounds && !HasFailure()) Write(*db, 0, 50, unused);
    writing.Store(false);
  });
  for (int t = 0; t < 2; ++t) {
    Spawn([&] {
      while (writing.Load()) {
        const auto snapshot = db->TakeSnapshot();
        const Contents first = ReadAll(*db, snapshot.get());
        ASSERT_TRUE(db->Compact().ok());
        ASSERT_EQ(ReadAll(*db, snapshot.get()), first);
        ASSERT_EQ(db->NewCursor({}, snapshot.get())->sequence(), snapshot->sequence());
        if (db->last_sequence() > snapshot->sequence()) rounds.FetchAdd(1);
      }
    });
  }
  JoinAll();
  EXPECT_GE(rounds.Load(), kRounds);
  EXPECT_GT(db->GetStats().versions_dropped, 0u);
}

// The view is taken, then the log is switched and more is written: what the view cannot answer for
// must not be claimed.
TEST_F(SharedReads, NeverClaimASequenceThatTheirViewDoesNotHold) {
  KibanOptions options = TinyOptions();
  options.write_buffer_bytes = 256;
  const std::unique_ptr<Db> db = OpenShared(options);
  base::Atomic<uint32_t> writing{1};
  Spawn([&] {
    for (int i = 1; i <= 200; ++i) {
      Batch batch;
      for (const char* const key : {"a", "b"}) batch.Put(key, std::to_string(i) + Bulk('v'));
      const auto first = db->Write(batch, {});
      ASSERT_TRUE(first.ok());
      ASSERT_EQ(*first, static_cast<base::Sequence>(2 * i - 1));
    }
    writing.Store(0);
  });
  while (writing.Load() > 0) {
    base::Sequence at = 0;
    const auto got = db->Get("b", nullptr, &at);
    ASSERT_TRUE(got.ok());
    ASSERT_EQ(at % 2, 0u);  // Never between the two operations of a batch.
    if (at > 0) {
      ASSERT_EQ(**got, std::to_string(at / 2) + Bulk('v'));
    }
  }
  JoinAll();
  EXPECT_GT(db->GetStats().log_switches, 50u);
}

// Stops the reader, who is the task that says ComeBefore(), before its n-th access to an Atomic,
// until another task has done its work or is seen to wait for the reader, who may hold a lock just
// then. Make it before the tasks that it is to watch, destroy it after them.
class Interruption final : public base::Hooks {
 public:
  Interruption(const engine::Env& env, std::function<void()> work)
      : env_(env), work_(std::move(work)), mutex_(env.tasks, "test"), done_(env.tasks, "test") {
    base::g_hooks = this;
  }
  ~Interruption() override { base::g_hooks = nullptr; }

  void ComeBefore(uint64_t nth_access) { accesses_left_ = nth_access; }
  // The reader's. Returns whether it has come, and then when it has gone.
  bool Finish() {
    const bool came = std::exchange(accesses_left_, 0) == 0;
    if (came) env_.tasks->Join(worker_);
    return came;
  }

  void OnAtomic() override {
    if (accesses_left_ > 0 && --accesses_left_ == 0) Come();
  }
  void OnMark(const base::Label&) override {}
  void OnSpanEnter(const base::Label&) override {}
  void OnSpanLeave(const base::Label&) override {}
  void OnCheckFailed(const char*, const char*, int) override {}
  void OnWait(base::WaitKind, std::string_view) override {}

 private:
  void Come() {
    worker_ = env_.tasks->Spawn("interruption", [this] {
      work_();
      const base::MutexLock lock(mutex_);
      is_done_ = true;
      done_.NotifyAll();
    });
    constexpr base::Ticks kSeenToWait = 100'000;
    const base::Ticks deadline = env_.clock->MonotonicNow() + kSeenToWait;
    const base::MutexLock lock(mutex_);
    while (!is_done_ && env_.clock->MonotonicNow() < deadline) done_.WaitUntil(mutex_, deadline);
  }

  const engine::Env env_;
  const std::function<void()> work_;
  base::Mutex mutex_;
  base::CondVar done_;
  bool is_done_ = false;
  engine::Tasks::Id worker_ = 0;
  // Each task's own, here where tasks are threads: what maintenance does meanwhile is not counted.
  inline static thread_local uint64_t accesses_left_ = 0;
};

// What the interruption does is all that could mislead the reader: newer versions, log switches, a
// flush, and a compaction that forgets what was the newest version before.
TEST_F(SharedReads, AreRightWhateverHappensBetweenTwoOfTheirSteps) {
  KibanOptions options = TinyOptions();
  options.write_buffer_bytes = 256;
  uint64_t interruptions = 0;
  for (bool came = true; came; ++interruptions) {
    for (const bool snapshot : {false, true}) {
      Db* db = nullptr;
      const auto put = [&] {
        const std::string value = std::to_string(db->last_sequence() + 1);
        ASSERT_TRUE(db->Put("k", value + Bulk('.'), {}).ok());
      };
      Interruption interruption(env(), [&] {
        for (int i = 0; i < 3; ++i) put();
        ASSERT_TRUE(db->Compact().ok());
      });
      const std::unique_ptr<Db> opened = OpenShared(options);
      db = opened.get();
      ASSERT_NE(db, nullptr);
      const base::Sequence before = db->last_sequence() + 4;
      for (int i = 0; i < 3; ++i) put();
      ASSERT_TRUE(db->Flush().ok());
      put();
      interruption.ComeBefore(interruptions + 1);
      base::Sequence at = 0;
      const std::unique_ptr<Snapshot> taken = snapshot ? db->TakeSnapshot() : nullptr;
      const auto got = db->Get("k", taken.get(), &at);
      came = interruption.Finish();
      ASSERT_TRUE(got.ok());
      ASSERT_TRUE(got->has_value());
      ASSERT_EQ(**got, std::to_string(at) + Bulk('.'));
      ASSERT_GE(at, before);
    }
  }
  EXPECT_GT(interruptions, 5u);
}

TEST_F(StagedReads, KeepTheirTablesUntilTheyLetGo) {
  const std::unique_ptr<Db> db = OpenShared();
  for (const char* const key : {"a", "b"}) ASSERT_TRUE(db->Put(key, "v", {}).ok());
  ASSERT_TRUE(db->Flush().ok());
  std::unique_ptr<Cursor> cursor = db->NewCursor({}, nullptr);
  const std::unique_ptr<Snapshot> snapshot = db->TakeSnapshot();
  ASSERT_TRUE(db->Put("c", "v", {}).ok());
  const std::vector<std::string> before = FilesOf(env());
  ASSERT_TRUE(db->Compact().ok());
  EXPECT_EQ(stage_.Count("table.held_by_reader"), 1u);
  EXPECT_EQ(stage_.Count("compact.over_snapshot"), 1u);
  const auto is_there = [&](const std::string& name) {
    const std::vector<std::string> now = FilesOf(env());
    return std::find(now.begin(), now.end(), name) != now.end();
  };
  ASSERT_TRUE(is_there("000003.sst"));
  cursor->SeekToLast();
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->key(), "b");
  cursor.reset();
  ASSERT_TRUE(db->Put("d", "v", {}).ok());
  ASSERT_TRUE(db->Flush().ok());
  EXPECT_FALSE(is_there("000003.sst"));
  EXPECT_EQ(ReadAll(*db).size(), 4u);
}

// One task adds, others look: whoever meets an entry finds it whole, and the order holds.
TEST_F(SharedReads, OfAMemtableMeetOnlyWholeEntries) {
  const auto memtable = std::make_shared<Memtable>();
  base::Atomic<base::Sequence> added{0};
  constexpr base::Sequence kEntries = 4000;
  Spawn([&] {
    Dice dice(1);
    for (base::Sequence sequence = 1; sequence <= kEntries; ++sequence) {
      const std::string key = std::to_string(dice.Below(500));
      memtable->Add({.key = key, .sequence = sequence, .kind = table::Kind::kPut, .value = key});
      added.Store(sequence);
    }
  });
  for (int t = 0; t < 2; ++t) {
    Spawn([&, t] {
      Dice dice(static_cast<uint64_t>(10 + t));
      for (base::Sequence at = 0; at < kEntries;) {
        at = added.Load();
        const std::string key = std::to_string(dice.Below(500));
        const table::Entry* const found = memtable->Find(key, at);
        if (found != nullptr) {
          ASSERT_EQ(found->value, key);
        }
        base::Sequence visible = 0;
        std::string last;
        const auto entries = Memtable::NewIterator(memtable);
        for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
          const table::Entry& entry = entries->entry();
          ASSERT_LE(last, entry.key);
          ASSERT_EQ(entry.key, entry.value);
          last = entry.key;
          if (entry.sequence <= at) ++visible;
        }
        ASSERT_EQ(visible, at);
      }
    });
  }
  JoinAll();
}

}  // namespace
}  // namespace kiban::lsm
