#include "tools/bench/bench_maintenance.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "engine/lsm/create.h"
#include "engine/lsm/db.h"
#include "engine/lsm/file_names.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"
#include "engine/table/inspect.h"
#include "suites/support/host.h"
#include "tools/bench/records.h"

namespace kiban::tools {
namespace {

using suites::BenchRow;

constexpr size_t kPairs = 5;
constexpr uint64_t kFlushes = 8;
static_assert(kRecords % kFlushes == 0);

// What is owed, as a median of all pairs: what the reference had.
constexpr double kFlushRatioOwed = 1.36;
constexpr double kBuildRatioOwed = 1.26;
constexpr double kTableBytesRatioOwed = 1.12;
constexpr double kIndexBytesPerKeyOwed = 31.1;

struct Trial {
  double flush_seconds = 0;
  double build_seconds = 0;
  uint64_t table_bytes = 0;
  uint64_t output_files = 0;
  uint64_t charged_bytes = 0;
  uint64_t indexed_files = 0;
  pointindex::SectionSizes index;
};

lsm::KibanOptions OptionsOf(bool point_index) {
  lsm::KibanOptions options;
  options.write_buffer_bytes = 256u << 20;  // A flush comes when it is asked for.
  options.l0_compaction_trigger = 64;       // So does the compaction.
  options.l0_write_stall_trigger = 256;
  options.block_cache_bytes = uint64_t{512} << 20;
  options.table_bytes = 4u << 20;
  options.point_index = point_index;
  return options;
}

// Puts all records in a random order, in as many parts as there are flushes. Only those are timed,
// and not the sync of the log before each.
absl::Status Fill(lsm::Db& db, Trial& trial) {
  std::string key;
  std::string value;
  for (uint64_t n = 0; n < kRecords; ++n) {
    const uint64_t i = Shuffled(n);
    FormatKey(i, key);
    FormatValue(i, value);
    RETURN_IF_ERROR(db.Put(key, value, {}).status());
    if ((n + 1) % (kRecords / kFlushes) != 0) continue;
    RETURN_IF_ERROR(db.Sync());
    const double began = suites::MonotonicSeconds();
    RETURN_IF_ERROR(db.Flush());
    trial.flush_seconds += suites::MonotonicSeconds() - began;
  }
  return absl::OkStatus();
}

// All records are there and nothing else.
absl::Status CheckAll(lsm::Db& db) {
  std::string key;
  std::string value;
  uint64_t i = 0;
  const std::unique_ptr<lsm::Cursor> cursor = db.NewCursor({}, nullptr);
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next(), ++i) {
    FormatKey(i, key);
    FormatValue(i, value);
    if (cursor->key() != key || cursor->value() != value) break;
  }
  RETURN_IF_ERROR(cursor->status());
  if (i == kRecords && !cursor->Valid()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("record ", i, " is not what was written"));
}

absl::Status AddIndexes(engine::FileSystem& files, const std::string& dir, Trial& trial) {
  ASSIGN_OR_RETURN(const std::vector<lsm::FileName> names, lsm::ListFiles(files, dir));
  for (const lsm::FileName& name : names) {
    if (name.kind != lsm::FileKind::kTable) continue;
    ASSIGN_OR_RETURN(const table::TableDescription table,
                     table::Describe(files, lsm::TablePath(dir, name.number), name.number));
    RETURN_IF_ERROR(table.whole);
    if (!table.point_index.has_value()) continue;
    RETURN_IF_ERROR(table.point_index->part.status);
    ++trial.indexed_files;
    const pointindex::SectionSizes& sizes = table.point_index->sizes;
    trial.index.pilots += sizes.pilots;
    trial.index.slots += sizes.slots;
    trial.index.keys += sizes.keys;
    trial.index.versions += sizes.versions;
    trial.index.arena += sizes.arena;
    trial.index.total += sizes.total;
  }
  return absl::OkStatus();
}

absl::StatusOr<Trial> RunTrial(const std::string& parent, bool point_index) {
  ASSIGN_OR_RETURN(const posix::TemporaryDir dir, posix::TemporaryDir::Make(parent));
  posix::PosixEnv world(dir.path());
  ASSIGN_OR_RETURN(const std::unique_ptr<lsm::Db> db,
                   lsm::Db::Open(world.env(), "db", OptionsOf(point_index)));
  Trial trial;
  RETURN_IF_ERROR(Fill(*db, trial));
  const double began = suites::MonotonicSeconds();
  RETURN_IF_ERROR(db->Compact());
  trial.build_seconds = suites::MonotonicSeconds() - began;
  const lsm::Stats stats = db->GetStats();
  for (const uint64_t bytes : stats.level_bytes) trial.table_bytes += bytes;
  for (const uint64_t tables : stats.level_tables) trial.output_files += tables;
  trial.charged_bytes = stats.index_charged_bytes;
  RETURN_IF_ERROR(CheckAll(*db));
  RETURN_IF_ERROR(db->Close());
  RETURN_IF_ERROR(AddIndexes(*world.env().files, "db", trial));
  const bool all_are = trial.indexed_files == (point_index ? trial.output_files : 0);
  if (!all_are) return absl::InternalError("a table is not of the format that was asked for");
  return trial;
}

struct Pair {
  Trial without;
  Trial with;
};
using Pairs = std::array<Pair, kPairs>;
using Numbers = std::array<double, kPairs>;

template <typename Number>
Numbers RatiosOf(const Pairs& pairs, Number number) {
  Numbers ratios;
  for (size_t i = 0; i < kPairs; ++i) {
    ratios[i] =
        static_cast<double>(number(pairs[i].with)) / static_cast<double>(number(pairs[i].without));
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

// Three rows, and what is missed if the median is above what is owed.
void AddRatio(const std::string& field, const std::string& name, const Numbers& ratios, double owed,
              MaintenanceBench& bench) {
  const double median = ratios[kPairs / 2];
  bench.rows.push_back({name + ", lowest", ratios.front(), "times", field + "/min"});
  bench.rows.push_back({name + ", median", median, "times", field + "/median"});
  bench.rows.push_back({name + ", highest", ratios.back(), "times", field + "/max"});
  if (median > owed) {
    bench.missed.push_back(absl::StrFormat("%s: %.3f times, %.2f are allowed", name, median, owed));
  }
}

void AddIndexBytes(const pointindex::SectionSizes& sizes, MaintenanceBench& bench) {
  const auto add = [&](const std::string& part, uint64_t bytes) {
    bench.rows.push_back({"index, " + part, static_cast<double>(bytes) / double{kRecords},
                          "bytes a key", "index_bytes_per_key/" + part});
  };
  add("pilots", sizes.pilots);
  add("slots", sizes.slots);
  add("keys", sizes.keys);
  add("versions", sizes.versions);
  add("arena", sizes.arena);
  add("total", sizes.total);
  const double total = bench.rows.back().value;
  if (total > kIndexBytesPerKeyOwed) {
    bench.missed.push_back(
        absl::StrFormat("index: %.2f bytes a key, %.1f are allowed", total, kIndexBytesPerKeyOwed));
  }
}

}  // namespace

absl::StatusOr<MaintenanceBench> BenchMaintenance(const std::string& parent) {
  Pairs pairs;
  for (size_t i = 0; i < kPairs; ++i) {
    // Whatever drifts on the machine meets one kind first as often as the other.
    for (const bool point_index : {i % 2 == 0, i % 2 != 0}) {
      ASSIGN_OR_RETURN(const Trial trial, RunTrial(parent, point_index));
      (point_index ? pairs[i].with : pairs[i].without) = trial;
    }
  }
  MaintenanceBench bench;
  AddRatio("flush_ratio", "flushes, index on against off",
           RatiosOf(pairs, [](const Trial& t) { return t.flush_seconds; }), kFlushRatioOwed, bench);
  AddRatio("build_ratio", "compaction, index on against off",
           RatiosOf(pairs, [](const Trial& t) { return t.build_seconds; }), kBuildRatioOwed, bench);
  const Pair& last = pairs.back();
  const Numbers bytes = RatiosOf(pairs, [](const Trial& t) { return t.table_bytes; });
  bench.rows.push_back(
      {"table bytes, index on against off", bytes[kPairs / 2], "times", "table_bytes_ratio"});
  if (bytes[kPairs / 2] > kTableBytesRatioOwed) {
    bench.missed.push_back(absl::StrFormat("table bytes: %.3f times, %.2f are allowed",
                                           bytes[kPairs / 2], kTableBytesRatioOwed));
  }
  AddIndexBytes(last.with.index, bench);
  const auto add = [&](const std::string& name, double value, const std::string& unit,
                       const std::string& field) {
    bench.rows.push_back({name, value, unit, field});
  };
  add("flushes, index off", last.without.flush_seconds, "s", "flush_seconds_without");
  add("compaction, index off", last.without.build_seconds, "s", "build_seconds_without");
  add("output files, index on", static_cast<double>(last.with.output_files), "", "output_files");
  add("output files, index off", static_cast<double>(last.without.output_files), "",
      "output_files_without");
  add("charged to the cache", static_cast<double>(last.with.charged_bytes), "bytes",
      "charged_resident_bytes");
  return bench;
}

}  // namespace kiban::tools
