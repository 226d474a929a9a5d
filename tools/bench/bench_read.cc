#include "tools/bench/bench_read.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "engine/lsm/db.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"
#include "suites/support/host.h"
#include "tools/bench/records.h"

namespace kiban::tools {
namespace {

constexpr size_t kRounds = 11;
constexpr size_t kReads = 50'000;  // Of each database in a round.
constexpr double kRatioOwed = 0.85;
constexpr double kIndexedShareOwed = 0.99;

lsm::KibanOptions OptionsOf(bool point_index) {
  lsm::KibanOptions options;
  options.write_buffer_bytes = uint64_t{1} << 30;
  options.block_cache_bytes = uint64_t{512} << 20;
  options.table_bytes = uint64_t{1} << 30;  // One bulk table.
  options.point_index = point_index;
  return options;
}

absl::StatusOr<std::unique_ptr<lsm::Db>> Fill(const engine::Env& env, const std::string& name,
                                              bool point_index) {
  ASSIGN_OR_RETURN(std::unique_ptr<lsm::Db> db,
                   lsm::Db::OpenShared(env, name, OptionsOf(point_index)));
  std::string key;
  std::string value;
  for (uint64_t n = 0; n < kRecords; ++n) {
    FormatKey(Shuffled(n), key);
    FormatValue(Shuffled(n), value);
    RETURN_IF_ERROR(db->Put(key, value, {}).status());
  }
  RETURN_IF_ERROR(db->Compact());
  uint64_t tables = 0;
  for (const uint64_t of_level : db->GetStats().level_tables) tables += of_level;
  if (tables != 1) return absl::InternalError(absl::StrCat(tables, " tables, not one"));
  return db;
}

using Answers = std::vector<absl::StatusOr<std::optional<std::string>>>;

// One round of reads: half of the time of all reads is below the result, in nanoseconds. The
// answers are looked at when the clock has stopped.
absl::StatusOr<double> ReadRound(lsm::Db& db, uint64_t round) {
  std::vector<uint64_t> records(kReads);
  std::vector<std::string> keys(kReads);
  for (size_t read = 0; read < kReads; ++read) {
    records[read] = base::Mix64(round * kReads + read) % kRecords;
    FormatKey(records[read], keys[read]);
  }
  Answers answers;
  answers.reserve(kReads);
  std::vector<uint64_t> nanoseconds(kReads);
  for (size_t read = 0; read < kReads; ++read) {
    const uint64_t began = suites::MonotonicNanoseconds();
    answers.push_back(db.Get(keys[read], nullptr));
    nanoseconds[read] = suites::MonotonicNanoseconds() - began;
  }
  std::string value;
  for (size_t read = 0; read < kReads; ++read) {
    RETURN_IF_ERROR(answers[read].status());
    FormatValue(records[read], value);
    if (*answers[read] != value) {
      return absl::DataLossError(absl::StrCat(keys[read], " is not what was written"));
    }
  }
  std::nth_element(nanoseconds.begin(), nanoseconds.begin() + kReads / 2, nanoseconds.end());
  return static_cast<double>(nanoseconds[kReads / 2]);
}

using Numbers = std::array<double, kRounds>;

double MedianOf(Numbers numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[kRounds / 2];
}

// Every key once: fills the cache of the database without an index, and pages of both.
absl::Status WarmUp(lsm::Db& db) {
  std::string key;
  for (uint64_t n = 0; n < kRecords; ++n) {
    FormatKey(Shuffled(n), key);
    RETURN_IF_ERROR(db.Get(key, nullptr).status());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ReadBench> BenchRead(const std::string& parent) {
  ASSIGN_OR_RETURN(const posix::TemporaryDir dir, posix::TemporaryDir::Make(parent));
  posix::PosixEnv world(dir.path());
  ASSIGN_OR_RETURN(const std::unique_ptr<lsm::Db> without, Fill(world.env(), "without", false));
  ASSIGN_OR_RETURN(const std::unique_ptr<lsm::Db> with, Fill(world.env(), "with", true));
  RETURN_IF_ERROR(WarmUp(*without));
  RETURN_IF_ERROR(WarmUp(*with));
  const lsm::Stats before = with->GetStats();
  Numbers p50_without;
  Numbers p50_with;
  Numbers ratios;
  for (size_t round = 0; round < kRounds; ++round) {
    if (round % 2 == 0) {
      ASSIGN_OR_RETURN(p50_without[round], ReadRound(*without, round));
      ASSIGN_OR_RETURN(p50_with[round], ReadRound(*with, round));
    } else {
      ASSIGN_OR_RETURN(p50_with[round], ReadRound(*with, round));
      ASSIGN_OR_RETURN(p50_without[round], ReadRound(*without, round));
    }
    ratios[round] = p50_with[round] / p50_without[round];
  }
  const lsm::Stats after = with->GetStats();
  const double indexed = static_cast<double>(after.gets_from_index - before.gets_from_index) /
                         static_cast<double>(after.gets - before.gets);
  const double ratio = MedianOf(ratios);
  ReadBench bench;
  bench.rows = {
      {"point read without index, p50", MedianOf(p50_without), "ns", "p50_ns_without"},
      {"point read with index, p50", MedianOf(p50_with), "ns", "p50_ns_with"},
      {"p50, with against without, lowest", *std::min_element(ratios.begin(), ratios.end()),
       "times", "p50_ratio/min"},
      {"p50, with against without, median", ratio, "times", "p50_ratio/median"},
      {"p50, with against without, highest", *std::max_element(ratios.begin(), ratios.end()),
       "times", "p50_ratio/max"},
      {"hits answered by the index", indexed * 100, "%", "indexed_hits_percent"},
      {"charged to the cache", static_cast<double>(after.index_charged_bytes), "bytes",
       "charged_resident_bytes"},
  };
  if (ratio > kRatioOwed) {
    bench.missed.push_back(absl::StrFormat("p50: %.3f times, %.2f are allowed", ratio, kRatioOwed));
  }
  if (indexed < kIndexedShareOwed) {
    bench.missed.push_back(absl::StrFormat("the index answered %.1f %% of all hits, %.0f are owed",
                                           indexed * 100, kIndexedShareOwed * 100));
  }
  return bench;
}

}  // namespace kiban::tools
