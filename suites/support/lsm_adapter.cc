#include "suites/support/lsm_adapter.h"

#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/status_util.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/db.h"
#include "engine/lsm/options.h"

namespace kiban::suites {
namespace {

class LsmSnapshot final : public SnapshotUnderTest {
 public:
  explicit LsmSnapshot(std::unique_ptr<lsm::Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}
  Sequence sequence() const override { return snapshot_->sequence(); }
  const lsm::Snapshot* get() const { return snapshot_.get(); }

 private:
  const std::unique_ptr<lsm::Snapshot> snapshot_;
};

class LsmCursor final : public CursorUnderTest {
 public:
  explicit LsmCursor(std::unique_ptr<lsm::Cursor> cursor) : cursor_(std::move(cursor)) {}
  bool Valid() const override { return cursor_->Valid(); }
  void SeekToFirst() override { cursor_->SeekToFirst(); }
  void SeekToLast() override { cursor_->SeekToLast(); }
  void Seek(std::string_view key) override { cursor_->Seek(key); }
  void SeekForPrev(std::string_view key) override { cursor_->SeekForPrev(key); }
  void Next() override { cursor_->Next(); }
  void Prev() override { cursor_->Prev(); }
  std::string_view key() const override { return cursor_->key(); }
  std::string_view value() const override { return cursor_->value(); }
  absl::Status status() const override { return cursor_->status(); }
  Sequence sequence() const override { return cursor_->sequence(); }

 private:
  const std::unique_ptr<lsm::Cursor> cursor_;
};

const lsm::Snapshot* Lsm(const SnapshotUnderTest* snapshot) {
  return snapshot == nullptr ? nullptr : static_cast<const LsmSnapshot*>(snapshot)->get();
}

lsm::WriteOptions Lsm(Durability durability) { return {.sync = durability == Durability::kSynced}; }

class LsmUnderTest final : public EngineUnderTest {
 public:
  explicit LsmUnderTest(std::unique_ptr<lsm::Db> db) : db_(std::move(db)) {}

  absl::StatusOr<Sequence> Put(std::string_view key, std::string_view value,
                               Durability durability) override {
    return db_->Put(key, value, Lsm(durability));
  }

  absl::StatusOr<Sequence> Remove(std::string_view key, Durability durability) override {
    return db_->Delete(key, Lsm(durability));
  }

  absl::StatusOr<Sequence> Write(std::span<const Mutation> batch, Durability durability) override {
    lsm::Batch writes;
    for (const Mutation& mutation : batch) {
      if (mutation.value.has_value()) {
        writes.Put(mutation.key, *mutation.value);
      } else {
        writes.Delete(mutation.key);
      }
    }
    return db_->Write(writes, Lsm(durability));
  }

  absl::Status Sync() override { return db_->Sync(); }

  absl::StatusOr<std::optional<std::string>> Get(std::string_view key,
                                                 const SnapshotUnderTest* snapshot,
                                                 Sequence* read_at) override {
    return db_->Get(key, Lsm(snapshot), read_at);
  }

  absl::StatusOr<std::vector<KeyValue>> Scan(const Range& range, Direction direction,
                                             uint64_t limit, const SnapshotUnderTest* snapshot,
                                             Sequence* read_at) override {
    const bool is_forward = direction == Direction::kForward;
    const auto cursor = db_->NewCursor({range.from, range.to}, Lsm(snapshot));
    if (read_at != nullptr) *read_at = cursor->sequence();
    std::vector<KeyValue> pairs;
    for (is_forward ? cursor->SeekToFirst() : cursor->SeekToLast();
         cursor->Valid() && pairs.size() < limit; is_forward ? cursor->Next() : cursor->Prev()) {
      pairs.push_back({std::string(cursor->key()), std::string(cursor->value())});
    }
    RETURN_IF_ERROR(cursor->status());
    return pairs;
  }

  absl::StatusOr<std::vector<KeyValue>> LatestK(std::string_view prefix, uint32_t k,
                                                const SnapshotUnderTest* snapshot,
                                                Sequence* read_at) override {
    ASSIGN_OR_RETURN(std::vector<lsm::KeyValue> latest,
                     db_->LatestK(prefix, k, Lsm(snapshot), read_at));
    std::vector<KeyValue> pairs;
    for (lsm::KeyValue& pair : latest) {
      pairs.push_back({std::move(pair.key), std::move(pair.value)});
    }
    return pairs;
  }

  std::unique_ptr<SnapshotUnderTest> TakeSnapshot() override {
    return std::make_unique<LsmSnapshot>(db_->TakeSnapshot());
  }

  std::unique_ptr<CursorUnderTest> NewCursor(const Range& range,
                                             const SnapshotUnderTest* snapshot) override {
    return std::make_unique<LsmCursor>(db_->NewCursor({range.from, range.to}, Lsm(snapshot)));
  }

  absl::Status Maintain(Maintenance what) override {
    return what == Maintenance::kFlush ? db_->Flush() : db_->Compact();
  }

  Sequence last_sequence() const override { return db_->last_sequence(); }

  EngineCounters counters() const override {
    const lsm::Stats stats = db_->GetStats();
    return {.flushes = stats.flushes,
            .compactions = stats.compactions,
            .manifests = stats.manifests,
            .tables = {.sst3 = stats.tables_written_sst3,
                       .ph2 = stats.tables_written_ph2,
                       .ph3 = stats.tables_written_ph3}};
  }

  absl::Status Close() override { return db_->Close(); }

 private:
  const std::unique_ptr<lsm::Db> db_;
};

// False if the value does not fit.
template <auto Field>
bool Set(lsm::KibanOptions& options, uint64_t value) {
  auto& field = options.*Field;
  if (value > std::numeric_limits<std::remove_reference_t<decltype(field)>>::max()) return false;
  field = static_cast<std::remove_reference_t<decltype(field)>>(value);
  return true;
}

// Format and, of format 4, layout of the point index.
constexpr std::string_view kWriteFormat = "write_format";
constexpr uint64_t kSst3 = 3, kPh2 = 42, kPh3 = 43;

bool SetWriteFormat(lsm::KibanOptions& options, uint64_t value) {
  std::optional<pointindex::BuilderOptions>& written = options.for_tests.written;
  switch (value) {
    case kSst3:
      written.reset();
      return true;
    case kPh2:
      written.emplace().layout = pointindex::Layout::kPh2;
      return true;
    case kPh3:
      written.emplace().layout = pointindex::Layout::kPh3;
      return true;
    default:
      return false;
  }
}

// Whether tables that carry a point index are read through it; whoever writes one does.
bool SetPointIndex(lsm::KibanOptions& options, uint64_t value) {
  options.point_index = value != 0 || options.for_tests.written.has_value();
  return value <= 1;
}

// Whether PH3 is written with every field as wide as it can be, which small tables never need.
bool SetWideIndex(lsm::KibanOptions& options, uint64_t value) {
  std::optional<pointindex::BuilderOptions>& written = options.for_tests.written;
  if (written.has_value()) written->is_wide = value != 0;
  return value <= 1;
}

bool SetCacheBytes(lsm::KibanOptions& options, uint64_t value) {
  options.block_cache_bytes = value;
  return true;
}

struct OptionField {
  OptionChoices choices;
  bool (*set)(lsm::KibanOptions& options, uint64_t value);
};

// So small that every life flushes, compacts and publishes manifests many times. The cache holds
// nothing; hardly a block; the blocks of some tables; most tables with their indexes; all of them.
const std::vector<OptionField>& OptionFields() {
  using Options = lsm::KibanOptions;
  static const std::vector<OptionField> fields = {
      {{"write_buffer_bytes", {2048, 512, 1024, 4096, 16384}}, Set<&Options::write_buffer_bytes>},
      {{"block_bytes", {4096, 256, 512, 1024}}, Set<&Options::block_bytes>},
      {{"restart_interval", {16, 1, 2, 4}}, Set<&Options::restart_interval>},
      {{"filter_bits_per_key", {10, 1, 4}}, Set<&Options::filter_bits_per_key>},
      {{"block_cache_bytes", {65536, 0, 512, 4096, 1048576}}, SetCacheBytes},
      {{"l0_compaction_trigger", {4, 1, 2, 3}}, Set<&Options::l0_compaction_trigger>},
      {{"l0_write_stall_trigger", {12, 4, 6}}, Set<&Options::l0_write_stall_trigger>},
      {{"level1_bytes", {4096, 1024, 16384}}, Set<&Options::level1_bytes>},
      {{"level_multiplier", {10, 2, 4}}, Set<&Options::level_multiplier>},
      {{"table_bytes", {2048, 512, 4096, 65536}}, Set<&Options::table_bytes>},
      {{kWriteFormat, {kSst3, kPh2, kPh3}}, SetWriteFormat},
      {{"point_index", {0, 1}}, SetPointIndex},
      {{"wide_index", {0, 1}}, SetWideIndex},
  };
  return fields;
}

// What is missing stays as a plain life has it: the engine's own defaults are made for real
// machines.
absl::StatusOr<lsm::KibanOptions> MakeOptions(const EngineOptions& given) {
  EngineOptions rest = given;
  lsm::KibanOptions options;
  for (const OptionField& field : OptionFields()) {
    const auto option = rest.extract(std::string(field.choices.name));
    const uint64_t value = option.empty() ? field.choices.choices.front() : option.mapped();
    if (!field.set(options, value)) {
      return absl::InvalidArgumentError(std::string(field.choices.name) + " cannot be " +
                                        std::to_string(value));
    }
  }
  if (rest.empty()) return options;
  return absl::InvalidArgumentError("lsm has no option " + rest.begin()->first);
}

template <auto Open>
absl::StatusOr<std::unique_ptr<EngineUnderTest>> OpenLsm(const engine::Env& env,
                                                         const std::string& dir,
                                                         const EngineOptions& given,
                                                         std::string_view planted_bug) {
  if (!planted_bug.empty()) {
    return absl::InvalidArgumentError("lsm has no planted bug " + std::string(planted_bug));
  }
  ASSIGN_OR_RETURN(const lsm::KibanOptions options, MakeOptions(given));
  ASSIGN_OR_RETURN(std::unique_ptr<lsm::Db> db, Open(env, dir, options));
  return std::make_unique<LsmUnderTest>(std::move(db));
}

// All steps that make calls of the seam, in the order of engine/lsm/README.md.
const std::vector<std::string_view> kCrashSpans = {
    "create.N1",  "open.O1",    "open.O2",    "open.O3",    "open.O5",      "open.O7",
    "open.O8",    "switch.T1",  "switch.T2",  "switch.T3",  "flush.F1",     "flush.F2",
    "flush.F3",   "flush.F6",   "compact.C1", "compact.C2", "compact.C3",   "compact.C6",
    "publish.M1", "publish.M2", "publish.M3", "publish.M4", "write.append", "write.sync"};

const std::vector<std::string_view> kOpenSpans = {
    "open.O1",    "open.O2",    "open.O3",    "open.O5", "publish.M1",
    "publish.M2", "publish.M3", "publish.M4", "open.O7", "open.O8"};

const std::vector<std::string_view> kCreateSpans = {"create.N1",  "open.O1",    "open.O2",
                                                    "publish.M1", "publish.M2", "publish.M3",
                                                    "publish.M4", "open.O7"};

// All that the engine declares and a crash can lead to.
const std::vector<std::string_view> kMarks = {"switch.T4",
                                              "flush.F5",
                                              "l0.trigger",
                                              "level.over_budget",
                                              "compact.C5",
                                              "compact.trivial",
                                              "compact.tombstone_dropped",
                                              "compact.version_kept_for_snapshot",
                                              "memtable.batch_larger_than_buffer",
                                              "open.O4",
                                              "open.create_resumed",
                                              "open.log_missing",
                                              "open.nothing_replayed",
                                              "open.orphan_swept",
                                              "table.index_admitted",
                                              "table.index_does_not_fit",
                                              "table.index_left_alone",
                                              "wal.tail_dropped",
                                              "db.poisoned"};

// A leader cut off with followers behind it.
const std::vector<std::string_view> kSharedCrashSpans = {"group.append", "group.sync"};

const std::vector<std::string_view> kSharedMarks = {
    "group.of_three_synced", "group.sync_shared",        "write.stall_entered",
    "write.stall_left",      "write.stall_level0",       "compact.over_snapshot",
    "table.held_by_reader",  "close.during_maintenance", "close.refused_writer",
    "maintenance.failed",    "read.during_publication"};

const std::vector<std::string_view> kPublicationSpans = {"publish.M2", "publish.M3", "publish.M4"};

Engine MakeEngine() {
  Engine engine;
  engine.name = "lsm";
  engine.promises = {.witness = true,
                     .batches_whole = true,
                     .prefix_durability = true,
                     .kill_takes_nothing = true,
                     .snapshots = true,
                     .cursors = true,
                     .detects_bit_rot = true};
  for (const OptionField& field : OptionFields()) engine.options.push_back(field.choices);
  engine.format_option = kWriteFormat;
  engine.formats = {"sst3", "ph2", "ph3"};
  engine.open = OpenLsm<lsm::Db::Open>;
  engine.open_shared = OpenLsm<lsm::Db::OpenShared>;
  engine.crash_spans = kCrashSpans;
  engine.open_spans = kOpenSpans;
  engine.create_spans = kCreateSpans;
  engine.marks = kMarks;
  engine.shared_crash_spans = kSharedCrashSpans;
  engine.shared_marks = kSharedMarks;
  engine.publication_spans = kPublicationSpans;
  return engine;
}

}  // namespace

const Engine& LsmEngine() {
  static const Engine engine = MakeEngine();
  return engine;
}

}  // namespace kiban::suites
