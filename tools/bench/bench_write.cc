#include "tools/bench/bench_write.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_util.h"
#include "engine/lsm/db.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"

namespace kiban::tools {
namespace {

constexpr uint64_t kWriters = 16;
// Many short rounds rather than few long ones: a disk has moods, which both phases of a round share
// the better the shorter it is.
constexpr size_t kRounds = 21;
constexpr base::Ticks kRoundTicks = 400'000;
constexpr size_t kValueBytes = 100;

struct Writer {
  uint64_t writes = 0;
  absl::Status status;
};

struct Phase {
  double writes_per_second = 0;
  double writes_per_sync = 0;
};

// Puts keys of its own, each synced, until the time is over.
void WriteUntil(engine::Clock& clock, base::Ticks deadline, lsm::Db& db, const std::string& prefix,
                Writer& writer) {
  const std::string value(kValueBytes, 'v');
  while (writer.status.ok() && clock.MonotonicNow() < deadline) {
    const std::string key = absl::StrCat(prefix, writer.writes);
    writer.status = db.Put(key, value, {.sync = true}).status();
    if (writer.status.ok()) ++writer.writes;
  }
}

absl::StatusOr<Phase> Write(const engine::Env& env, lsm::Db& db, uint64_t writer_count,
                            const std::string& name) {
  const uint64_t syncs_before = db.GetStats().log_syncs;
  const base::Ticks began = env.clock->MonotonicNow();
  std::vector<Writer> writers(writer_count);
  std::vector<engine::Tasks::Id> ids;
  for (Writer& writer : writers) {
    const std::string prefix = absl::StrCat(name, "-", ids.size(), "-");
    ids.push_back(env.tasks->Spawn("writer", [&env, &db, &writer, prefix, began] {
      WriteUntil(*env.clock, began + kRoundTicks, db, prefix, writer);
    }));
  }
  for (const engine::Tasks::Id id : ids) env.tasks->Join(id);
  const auto ticks = static_cast<double>(env.clock->MonotonicNow() - began);
  uint64_t writes = 0;
  for (const Writer& writer : writers) {
    RETURN_IF_ERROR(writer.status);
    writes += writer.writes;
  }
  const auto syncs = static_cast<double>(db.GetStats().log_syncs - syncs_before);
  return Phase{.writes_per_second = static_cast<double>(writes) * 1e6 / ticks,
               .writes_per_sync = static_cast<double>(writes) / std::max(syncs, 1.0)};
}

using Numbers = std::array<double, kRounds>;

double MedianOf(Numbers numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[kRounds / 2];
}

}  // namespace

absl::StatusOr<WriteBench> BenchWrite(const std::string& parent) {
  ASSIGN_OR_RETURN(const posix::TemporaryDir dir, posix::TemporaryDir::Make(parent));
  posix::PosixEnv world(dir.path());
  const engine::Env env = world.env();
  ASSIGN_OR_RETURN(const std::unique_ptr<lsm::Db> db, lsm::Db::OpenShared(env, "db", {}));
  Numbers alone = {};
  Numbers together = {};
  Numbers ratios = {};
  Numbers group_sizes = {};
  for (size_t round = 0; round < kRounds; ++round) {
    ASSIGN_OR_RETURN(const Phase one, Write(env, *db, 1, absl::StrCat("one-", round)));
    ASSIGN_OR_RETURN(const Phase many, Write(env, *db, kWriters, absl::StrCat("many-", round)));
    alone[round] = one.writes_per_second;
    together[round] = many.writes_per_second;
    ratios[round] = many.writes_per_second / one.writes_per_second;
    group_sizes[round] = many.writes_per_sync;
  }
  RETURN_IF_ERROR(db->Close());
  WriteBench bench;
  const double median = MedianOf(ratios);
  bench.rows = {
      {"1 writer, synced writes", MedianOf(alone), "1/s"},
      {"16 writers, synced writes", MedianOf(together), "1/s"},
      {"16 writers, writes a sync", MedianOf(group_sizes), ""},
      {"16 writers against 1, lowest", *std::min_element(ratios.begin(), ratios.end()), "times"},
      {"16 writers against 1, median", median, "times"},
      {"16 writers against 1, highest", *std::max_element(ratios.begin(), ratios.end()), "times"},
      {"16 writers against 1, owed", kGroupCommitOwed, "times"},
  };
  if (median < kGroupCommitOwed) {
    bench.missed.push_back(absl::StrFormat(
        "16 writers: %.1f times the writes of one, %.0f are owed", median, kGroupCommitOwed));
  }
  return bench;
}

}  // namespace kiban::tools
