#include "suites/toy_engine/adapter.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "suites/toy_engine/planted_bugs.h"
#include "suites/toy_engine/toy_db.h"

namespace kiban::suites {

namespace {

using toy::ToyDb;

class ToyUnderTest final : public EngineUnderTest {
 public:
  explicit ToyUnderTest(std::unique_ptr<ToyDb> db) : db_(std::move(db)) {}

  absl::StatusOr<Sequence> Put(std::string_view key, std::string_view value,
                               Durability durability) override {
    return WriteOne({std::string(key), std::string(value)}, durability);
  }
  absl::StatusOr<Sequence> Remove(std::string_view key, Durability durability) override {
    return WriteOne({std::string(key), std::nullopt}, durability);
  }
  absl::StatusOr<Sequence> Write(std::span<const Mutation> batch, Durability durability) override {
    std::vector<toy::ToyWrite> writes;
    for (const Mutation& mutation : batch) writes.push_back({mutation.key, mutation.value});
    return db_->Write(writes, durability == Durability::kSynced);
  }
  absl::Status Sync() override { return db_->Sync(); }

  absl::StatusOr<std::optional<std::string>> Get(std::string_view key,
                                                 const SnapshotUnderTest* snapshot,
                                                 Sequence* read_at) override {
    BeginRead(snapshot, read_at);
    const auto entry = db_->contents().find(key);
    if (entry == db_->contents().end()) return std::nullopt;
    return entry->second;
  }
  absl::StatusOr<std::vector<KeyValue>> Scan(const Range& range, Direction direction,
                                             uint64_t limit, const SnapshotUnderTest* snapshot,
                                             Sequence* read_at) override;
  absl::StatusOr<std::vector<KeyValue>> LatestK(std::string_view prefix, uint32_t k,
                                                const SnapshotUnderTest* snapshot,
                                                Sequence* read_at) override;

  std::unique_ptr<SnapshotUnderTest> TakeSnapshot() override { return nullptr; }
  std::unique_ptr<CursorUnderTest> NewCursor(const Range&, const SnapshotUnderTest*) override {
    return nullptr;
  }
  absl::Status Maintain(Maintenance what) override {
    return what == Maintenance::kFlush ? db_->Sync() : db_->Rewrite();
  }
  Sequence last_sequence() const override { return db_->last_sequence(); }
  EngineCounters counters() const override { return {.compactions = db_->rewrites()}; }
  absl::Status Close() override { return db_->Close(); }

 private:
  void BeginRead(const SnapshotUnderTest* snapshot, Sequence* read_at) const {
    CHECK(snapshot == nullptr);
    if (read_at != nullptr) *read_at = db_->last_sequence();
  }
  absl::StatusOr<Sequence> WriteOne(const toy::ToyWrite& write, Durability durability) {
    return db_->Write({&write, 1}, durability == Durability::kSynced);
  }

  std::unique_ptr<ToyDb> db_;
};

absl::StatusOr<std::vector<KeyValue>> ToyUnderTest::Scan(const Range& range, Direction direction,
                                                         uint64_t limit,
                                                         const SnapshotUnderTest* snapshot,
                                                         Sequence* read_at) {
  BeginRead(snapshot, read_at);
  std::vector<KeyValue> found;
  for (const auto& [key, value] : db_->contents()) {
    if (key >= range.from && (!range.to.has_value() || key < *range.to)) {
      found.push_back({key, value});
    }
  }
  if (direction == Direction::kReverse) std::reverse(found.begin(), found.end());
  if (found.size() > limit) found.resize(static_cast<size_t>(limit));
  return found;
}

absl::StatusOr<std::vector<KeyValue>> ToyUnderTest::LatestK(std::string_view prefix, uint32_t k,
                                                            const SnapshotUnderTest* snapshot,
                                                            Sequence* read_at) {
  BeginRead(snapshot, read_at);
  std::vector<KeyValue> found;
  for (auto entry = db_->contents().rbegin(); entry != db_->contents().rend(); ++entry) {
    if (found.size() == k) break;
    if (entry->first.starts_with(prefix)) found.push_back({entry->first, entry->second});
  }
  return found;
}

absl::StatusOr<std::unique_ptr<EngineUnderTest>> OpenToy(const engine::Env& env,
                                                         const std::string& dir,
                                                         const EngineOptions& options,
                                                         std::string_view planted_bug) {
  toy::ToyOptions toy_options;
  for (const auto& [name, value] : options) {
    if (name != "rewrite_bytes") {
      return absl::InvalidArgumentError(absl::StrCat(name, ": no such option"));
    }
    toy_options.rewrite_bytes = value;
  }
  std::unique_ptr<ToyDb> db = toy::MakeToyDb(env, dir, toy_options, planted_bug);
  if (db == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(base::ToAbsl(planted_bug), ": no such bug"));
  }
  RETURN_IF_ERROR(db->Open());
  return std::make_unique<ToyUnderTest>(std::move(db));
}

}  // namespace

const Engine& ToyEngine() {
  static const std::vector<std::string_view> open_spans = {
      "toy.make_dir", "toy.lock",   "toy.read_log", "toy.write_new",
      "toy.sync_new", "toy.rename", "toy.sync_dir"};
  static const std::vector<std::string_view> crash_spans = [] {
    std::vector<std::string_view> spans = open_spans;
    spans.insert(spans.end(), {"toy.append", "toy.sync_log"});
    return spans;
  }();
  static const Engine engine = {
      .name = "toy",
      .promises = {.witness = true,
                   .batches_whole = true,
                   .prefix_durability = true,
                   .kill_takes_nothing = true},
      .options = {{.name = "rewrite_bytes", .choices = {65536, 4096, 512}}},
      .open = OpenToy,
      .crash_spans = crash_spans,
      .open_spans = open_spans,
      .create_spans = open_spans,
      .marks = {"toy.torn_tail", "toy.rewritten"},
      .bugs = {{.name = "toy-no-sync",
                .what = "a synced write is acknowledged without a sync",
                .seeds_budget = 50,
                .edge = "sync LOG owed by toy.append before acknowledgement*"},
               {.name = "toy-append-after-torn-tail",
                .what = "an open appends behind a torn record, which hides what follows",
                .seeds_budget = 500},
               {.name = "toy-publish-before-sync",
                .what = "a new log gets its name before its bytes are synced",
                .seeds_budget = 100,
                .edge = "sync LOG.new owed by toy.write_new before rename LOG.new -> LOG*"},
               {.name = "toy-wild-pointer",
                .what = "an open that finds a log reads through a pointer that points nowhere",
                .seeds_budget = 10,
                .ends = Verdict::kCrashed},
               {.name = "toy-tries-for-ever",
                .what = "a sync that is aborted is tried again without end",
                .seeds_budget = 50,
                .ends = Verdict::kStuck}},
  };
  return engine;
}

}  // namespace kiban::suites
