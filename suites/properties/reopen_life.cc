#include "suites/properties/reopen_life.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/read_file.h"
#include "engine/base/status_util.h"
#include "engine/lsm/batch.h"
#include "engine/lsm/manifest_format.h"
#include "engine/table/reader.h"
#include "models/kv_model.h"
#include "sim/world.h"
#include "suites/properties/keys.h"

namespace kiban::suites {
namespace {

constexpr char kDirectory[] = "db";

using Formats = std::set<table::TableFormat>;

// Of all tables that the MANIFEST names; of none if there is no MANIFEST yet.
absl::StatusOr<Formats> LiveFormats(engine::FileSystem& files) {
  Formats formats;
  const std::string directory = std::string(kDirectory) + "/";
  const auto bytes = base::ReadWholeFile(files, directory + "MANIFEST");
  if (absl::IsNotFound(bytes.status())) return formats;
  if (!bytes.ok()) return bytes.status();
  ASSIGN_OR_RETURN(const lsm::Manifest manifest, lsm::DecodeManifest("MANIFEST", *bytes));
  for (const auto& level : manifest.levels) {
    for (const lsm::TableInfo& info : level) {
      std::string name = std::to_string(info.number);
      name = directory + std::string(6 - name.size(), '0') + name + ".sst";
      ASSIGN_OR_RETURN(const auto reader, table::TableReader::Open(files, name, info.number, {}));
      formats.insert(reader->format());
    }
  }
  return formats;
}

bool HasFormat4(const Formats& formats) {
  return formats.contains(table::TableFormat::kPh2) || formats.contains(table::TableFormat::kPh3);
}

// Everything, as scans both ways, latest-K and gets of all keys show it; what they disagree on.
struct EverythingRead {
  models::Contents contents;
  std::string wrong;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs PairsOf(const std::vector<lsm::KeyValue>& read) {
  Pairs pairs;
  for (const lsm::KeyValue& each : read) pairs.emplace_back(each.key, each.value);
  return pairs;
}

// The last `k` with the prefix, in descending order.
Pairs LatestOf(const models::Contents& contents, std::string_view prefix, uint32_t k) {
  Pairs latest;
  for (auto last = contents.rbegin(); last != contents.rend() && latest.size() < k; ++last) {
    if (last->first.starts_with(prefix)) latest.emplace_back(last->first, last->second);
  }
  return latest;
}

absl::StatusOr<EverythingRead> ReadEverything(lsm::Db& db, const lsm::Snapshot* snapshot) {
  EverythingRead read;
  const auto cursor = db.NewCursor({}, snapshot);
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    const bool is_new = read.contents.emplace(cursor->key(), cursor->value()).second;
    if (!is_new) read.wrong = "a scan shows a key twice";
  }
  RETURN_IF_ERROR(cursor->status());
  auto expected = read.contents.rbegin();
  for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev()) {
    const bool is_same = expected != read.contents.rend() && cursor->key() == expected->first &&
                         cursor->value() == expected->second;
    if (!is_same) read.wrong = "scans disagree";
    if (is_same) ++expected;
  }
  RETURN_IF_ERROR(cursor->status());
  if (expected != read.contents.rend()) read.wrong = "scans disagree";
  for (const auto& [prefix, k] : {std::pair("row", 5u), std::pair("row", kPoolKeys + 1),
                                  std::pair("", 3u), std::pair("\xff", 2u)}) {
    ASSIGN_OR_RETURN(const std::vector<lsm::KeyValue> latest, db.LatestK(prefix, k, snapshot));
    if (PairsOf(latest) != LatestOf(read.contents, prefix, k)) {
      read.wrong = "latest-K and a scan disagree";
    }
  }
  for (uint32_t number = 0; number < kPoolKeys; ++number) {
    const std::string key = PoolKey(number);
    ASSIGN_OR_RETURN(const std::optional<std::string> got, db.Get(key, snapshot));
    const auto found = read.contents.find(key);
    const bool is_there = found != read.contents.end();
    if (got.has_value() != is_there || (is_there && *got != found->second)) {
      read.wrong = "get and scan disagree on " + models::Quote(key);
    }
  }
  return read;
}

// Power cuts of the script, in the order in which they strike. A place without a name is looked for
// in vain until patience ends.
sim::FaultPlan FaultsOf(const ReopenScript& script) {
  sim::FaultPlan faults;
  uint32_t begun = 0;
  for (const Command& command : script.commands) {
    ++begun;
    if (command.kind != CommandKind::kPowerCut) continue;
    sim::Cut cut{.armed_at_operation = begun, .latest_operation = begun};
    cut.phase = static_cast<sim::Phase>(command.calls % 3);
    cut.place = sim::DrawnPlace{.span = "-", .skip_calls = 0, .patience_calls = command.calls};
    if (command.calls == 0) cut.place = sim::AfterOperation{begun};
    if (command.calls > 0) cut.latest_operation = begun + 4;
    faults.cuts.push_back(cut);
    if (command.calls_of_recovery == 0) continue;
    sim::Cut again{.in_recovery = true};
    again.phase = sim::Phase::kInside;
    again.place = sim::DrawnPlace{.span = "-", .patience_calls = command.calls_of_recovery};
    faults.cuts.push_back(again);
  }
  return faults;
}

class ReopenLife final : public sim::Program {
 public:
  ReopenLife(const ReopenScript& script, const OpenDb& open_db, ReopenReach& reach)
      : script_(script),
        open_db_(open_db),
        reach_(reach),
        model_(models::KvModel::Options()),
        world_(script.seed, sim::kStrict, FaultsOf(script),
               {.recording = sim::Trace::Recording::kNothing}) {
    for (const Command& command : script.commands) {
      if (command.kind == CommandKind::kPowerCut) after_cuts_.push_back(command.as);
    }
  }

  // A process that hangs is on a stack that nobody can leave: no smaller case could be tried.
  std::string Live() {
    CHECK(world_.Live(*this) == sim::Ending::kFinished);
    reach_.power_cuts += world_.crash_counts().power_cuts;
    reach_.recoveries_cut += world_.crash_counts().recoveries_cut;
    return wrong_;
  }

 private:
  // Each of the following returns false if the process cannot go on: it is dead, or something is
  // wrong.
  void Run(const engine::Env& env) override {
    env_ = &env;
    if (wrong_.empty() && Open()) WorkThrough();
    snapshots_.clear();
    db_.reset();
  }

  void Crashed(sim::FaultKind) override {
    const bool is_again = world_.machine().struck->in_recovery;
    if (!is_again) as_ = after_cuts_[cut_count_++];
    // Whoever recovers from a cut recovery writes another format than the one before.
    if (is_again) as_.written = static_cast<table::TableFormat>((int(as_.written) + 1) % 3);
    model_.PowerCut();
  }

  bool Wrong(std::string what) {
    if (wrong_.empty()) wrong_ = std::move(what);
    world_.Disarm();
    return false;
  }
  bool Accept(const models::Judgement& judgement) {
    return !judgement.has_value() || Wrong(judgement->kind + ": " + judgement->detail);
  }
  // Nothing fails but by the power cut.
  bool Succeeds(const absl::Status& status) {
    if (world_.dead()) return false;
    return status.ok() || Wrong(status.ToString());
  }

  bool Open() {
    const absl::StatusOr<Formats> live = LiveFormats(*env_->files);
    if (!Succeeds(live.status())) return false;
    const bool must_refuse = !as_.knows_ph3 && live->contains(table::TableFormat::kPh3);
    auto opened = open_db_(*env_, as_);
    if (world_.dead()) return false;
    if (must_refuse) {
      if (opened.ok()) return Wrong("a reader limited to PH2 has opened PH3");
      const bool is_clear = absl::IsUnimplemented(opened.status()) &&
                            opened.status().message().find("PH3") != absl::string_view::npos;
      if (!is_clear) return Wrong("PH3 was refused with " + opened.status().ToString());
      ++reach_.refused;
      as_.knows_ph3 = true;
      opened = open_db_(*env_, as_);
    }
    if (!Succeeds(opened.status())) return false;
    db_ = *std::move(opened);
    world_.RecoveryDone();
    CountOpen(*live);
    return JudgeEverything(/*is_recovery=*/true);
  }

  void CountOpen(const Formats& live) {
    counted_ = lsm::Stats();
    const bool is_first = opens_++ == 0;
    const table::TableFormat before = std::exchange(written_before_, as_.format());
    if (is_first) return;
    ++reach_.reopens;
    if (live.size() > 1) ++reach_.mixed;
    if (live.contains(table::TableFormat::kPh3)) was_freed_of_ph3_ = false;
    if (!as_.knows_ph3 && std::exchange(was_freed_of_ph3_, false)) ++reach_.went_back;
    ++reach_.switches[{before, as_.format()}];
  }

  bool JudgeEverything(bool is_recovery) {
    const auto read = ReadEverything(*db_, nullptr);
    if (!Succeeds(read.status())) return false;
    if (!read->wrong.empty()) return Wrong(read->wrong);
    if (is_recovery && !Accept(model_.Recovered(db_->last_sequence(), read->contents))) {
      return false;
    }
    if (db_->last_sequence() != model_.last_sequence()) return Wrong("another last sequence");
    if (read->contents != model_.Present()) return Wrong("something else than was written");
    for (const auto& snapshot : snapshots_) {
      const auto then = ReadEverything(*db_, snapshot.get());
      if (!Succeeds(then.status())) return false;
      if (!then->wrong.empty()) return Wrong("at a snapshot: " + then->wrong);
      if (then->contents != model_.StateAt(snapshot->sequence())) {
        return Wrong("something else than there was at a snapshot");
      }
      ++reach_.read_snapshots;
    }
    return JudgeStats();
  }

  // All that was written since it was opened is of one format.
  bool JudgeStats() {
    const lsm::Stats stats = db_->GetStats();
    const lsm::Stats before = std::exchange(counted_, stats);
    reach_.gets_from_index += stats.gets_from_index - before.gets_from_index;
    const uint64_t written[] = {stats.tables_written_sst3 - before.tables_written_sst3,
                                stats.tables_written_ph2 - before.tables_written_ph2,
                                stats.tables_written_ph3 - before.tables_written_ph3};
    const auto format = static_cast<size_t>(as_.format());
    for (size_t i = 0; i < 3; ++i) {
      if (i != format && written[i] > 0) return Wrong("a table of another format was written");
    }
    reach_.tables_written[format] += written[format];
    return true;
  }

  void WorkThrough() {
    while (next_ < script_.commands.size()) {
      const Command& command = script_.commands[next_++];
      world_.OperationBegins(static_cast<uint32_t>(next_));
      if (!Do(command)) return;
      if (world_.OperationEnds(static_cast<uint32_t>(next_))) return;
    }
    if (!world_.AllHaveEnded()) JudgeEverything(/*is_recovery=*/false);
  }

  bool Do(const Command& command) {
    switch (command.kind) {
      case CommandKind::kPut:
      case CommandKind::kDelete:
      case CommandKind::kBatch:
        return Write(command);
      case CommandKind::kSnapshot:
        snapshots_.push_back(db_->TakeSnapshot());
        return Accept(model_.Saw(snapshots_.back()->sequence(), model_.NewestSeen()));
      case CommandKind::kFlush:
        return Promise(&lsm::Db::Flush);
      case CommandKind::kCompact:
        return Compact();
      case CommandKind::kPowerCut:
        return true;  // The machine knows.
      case CommandKind::kReopen:
        return Reopen(command.as);
    }
    CHECK(false);
    return false;
  }

  bool Write(const Command& command) {
    lsm::Batch batch;
    std::vector<models::Mutation> mutations;
    for (const auto& [number, value_bytes] : command.writes) {
      const std::string key = PoolKey(number);
      if (value_bytes == 0) {
        batch.Delete(key);
        mutations.push_back({key, std::nullopt});
        continue;
      }
      std::string value = std::to_string(next_) + "/" + std::to_string(mutations.size());
      value.resize(std::max<size_t>(value.size(), value_bytes), '.');
      batch.Put(key, value);
      mutations.push_back({key, value});
    }
    const auto call = model_.Begin("command " + std::to_string(next_), mutations);
    const auto first = db_->Write(batch, {.sync = command.is_synced});
    if (world_.dead()) model_.Fail(call);
    return Succeeds(first.status()) && Accept(model_.Acknowledge(call, *first, command.is_synced));
  }

  bool Promise(absl::Status (lsm::Db::*call)()) {
    const auto barrier = model_.BeginBarrier();
    if (!Succeeds(((*db_).*call)())) return false;
    model_.BarrierHeld(barrier);
    return true;
  }

  // Without an index it rewrites every table to format 3, which any reader opens.
  bool Compact() {
    const absl::StatusOr<Formats> before = FormatsNow();
    if (!Succeeds(before.status())) return false;
    if (!Promise(&lsm::Db::Compact)) return false;
    if (as_.format() != table::TableFormat::kSorted) return true;
    const absl::StatusOr<Formats> after = FormatsNow();
    if (!Succeeds(after.status())) return false;
    if (HasFormat4(*after)) return Wrong("compacted, and format 4 is left");
    if (HasFormat4(*before)) ++reach_.rewritten;
    if (before->contains(table::TableFormat::kPh3)) was_freed_of_ph3_ = true;
    return true;
  }

  // While the database is at work a table may go before it has been looked at; then a newer
  // MANIFEST says what has come instead.
  absl::StatusOr<Formats> FormatsNow() {
    absl::StatusOr<Formats> live = LiveFormats(*env_->files);
    while (absl::IsNotFound(live.status())) live = LiveFormats(*env_->files);
    return live;
  }

  bool Reopen(const OpenAs& as) {
    if (!JudgeEverything(/*is_recovery=*/false)) return false;
    snapshots_.clear();
    if (!Succeeds(db_->Close())) return false;
    db_.reset();
    model_.Killed();
    as_ = as;
    return Open();
  }

  const ReopenScript& script_;
  const OpenDb& open_db_;
  ReopenReach& reach_;
  models::KvModel model_;
  sim::World world_;
  std::vector<OpenAs> after_cuts_;
  size_t cut_count_ = 0;
  OpenAs as_{.written = table::TableFormat::kPh3, .point_index = true, .cache_bytes = 32u << 20};
  size_t next_ = 0;  // Commands that have begun.
  std::string wrong_;
  uint64_t opens_ = 0;
  table::TableFormat written_before_ = table::TableFormat::kPh3;
  bool was_freed_of_ph3_ = false;  // There were tables of PH3, and a compaction left none.
  lsm::Stats counted_;             // What of this handle's is in `reach_` already.

  const engine::Env* env_ = nullptr;
  std::unique_ptr<lsm::Db> db_;
  std::vector<std::unique_ptr<lsm::Snapshot>> snapshots_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<lsm::Db>> OpenAsAsked(const engine::Env& env, const OpenAs& as) {
  return lsm::Db::Open(env, kDirectory, as.Options());
}

std::string WhyNotModel(const ReopenScript& script, const OpenDb& open_db, ReopenReach& reach) {
  return std::make_unique<ReopenLife>(script, open_db, reach)->Live();
}

}  // namespace kiban::suites
