#include "tools/bench/bench_sim.h"

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "sim/disk/disk.h"
#include "sim/fiber.h"
#include "suites/support/case_file.h"
#include "suites/support/host.h"
#include "suites/support/life.h"
#include "suites/support/suite.h"

namespace kiban::tools {
namespace {

using suites::BenchRow;
using suites::MonotonicSeconds;

constexpr int kRounds = 5;  // The best counts: what disturbs a round only makes it slower.

struct Lives {
  double seconds = 0;
  suites::LifeCounts counts;
};

Lives LiveThem(const std::vector<suites::Plan>& plans, sim::Trace::Recording recording) {
  Lives lives;
  const double began = MonotonicSeconds();
  for (const suites::Plan& plan : plans) {
    suites::LifeOptions options;
    options.recording = recording;
    lives.counts += suites::RunLife(plan, options).counts;
  }
  lives.seconds = MonotonicSeconds() - began;
  return lives;
}

void BenchLives(std::vector<BenchRow>& rows) {
  constexpr uint64_t kLives = 100;
  const suites::Suite& suite = *suites::FindSuite("crash");
  std::vector<suites::Plan> plans;
  const double began = MonotonicSeconds();
  for (uint64_t seed = 0; seed < kLives; ++seed) {
    plans.push_back(suite.generate(seed, *suites::FindEngine("lsm"), sim::kStrict));
  }
  const double generated = MonotonicSeconds();
  double writing_best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const double before = MonotonicSeconds();
    for (const suites::Plan& plan : plans) {
      std::string text;
      AppendPlan(text, plan);
    }
    writing_best = std::min(writing_best, MonotonicSeconds() - before);
  }
  Lives recorded;
  double recorded_best = 1e9;
  double silent_best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    recorded = LiveThem(plans, sim::Trace::Recording::kEverything);
    recorded_best = std::min(recorded_best, recorded.seconds);
    silent_best = std::min(silent_best, LiveThem(plans, sim::Trace::Recording::kNothing).seconds);
  }
  const auto crashes = static_cast<double>(recorded.counts.power_cuts + recorded.counts.kills);
  const double boots = crashes + static_cast<double>(recorded.counts.recoveries_cut);
  const auto calls = static_cast<double>(recorded.counts.seam_calls);
  const auto lives = static_cast<double>(kLives);
  rows.push_back({"lives", lives / recorded_best, "1/s"});
  rows.push_back({"crashes", crashes / recorded_best, "1/s"});
  rows.push_back({"crash, reboot, recover, verify", recorded_best * 1e3 / boots, "ms"});
  rows.push_back({"seam calls", calls / recorded_best, "1/s"});
  rows.push_back({"seam calls of a life", calls / lives, ""});
  rows.push_back({"generating a plan", (generated - began) * 1e6 / lives, "us"});
  rows.push_back({"writing a plan down", writing_best * 1e6 / lives, "us"});
  rows.push_back({"recording the digest", (recorded_best / silent_best - 1) * 100, "%"});
}

void BenchFiber(std::vector<BenchRow>& rows) {
  constexpr int kResumes = 1'000'000;
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    sim::Fiber fiber([] {
      for (int i = 0; i < kResumes; ++i) sim::Fiber::Suspend();
    });
    const double began = MonotonicSeconds();
    for (int i = 0; i <= kResumes; ++i) fiber.Resume();
    best = std::min(best, MonotonicSeconds() - began);
    CHECK(fiber.done());
  }
  rows.push_back({"fiber switch", best * 1e9 / (2.0 * kResumes), "ns"});
}

// A disk as in the middle of a life; each snapshot is kept, with one write between two of them.
void BenchSnapshots(std::vector<BenchRow>& rows) {
  constexpr size_t kFiles = 20;
  constexpr size_t kSnapshots = 1000;
  constexpr size_t kWritesBetweenSyncs = 8;
  const std::string page(4096, 'x');
  sim::Disk disk(sim::kStrict);
  std::vector<sim::InodeId> files;
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string path = absl::StrCat("file", i);
    files.push_back(*disk.Create(path, sim::FileLabel{}));
    for (uint64_t at = 0; at < 4; ++at) disk.WriteAt(files[i], at * 4096, base::AsBytes(page));
    disk.Sync(files[i]);
  }
  CHECK(disk.SyncDir("").ok());
  std::vector<std::unique_ptr<sim::Disk>> kept;
  kept.reserve(kSnapshots);
  double seconds = 0;
  const size_t bytes_before = mallinfo2().uordblks;
  for (size_t i = 0; i < kSnapshots; ++i) {
    const sim::InodeId file = files[(i / kWritesBetweenSyncs) % kFiles];
    disk.WriteAt(file, (i * 512) % 16384, base::AsBytes(page).first(512));
    if ((i + 1) % kWritesBetweenSyncs == 0) disk.Sync(file);
    const double began = MonotonicSeconds();
    kept.push_back(disk.Snapshot());
    seconds += MonotonicSeconds() - began;
  }
  const auto bytes = static_cast<double>(mallinfo2().uordblks - bytes_before);
  rows.push_back({"disk snapshot", seconds * 1e9 / kSnapshots, "ns"});
  rows.push_back({"disk snapshot and the write before it", bytes / kSnapshots, "bytes"});
}

}  // namespace

std::vector<BenchRow> BenchSim() {
  std::vector<BenchRow> rows;
  BenchLives(rows);
  BenchFiber(rows);
  BenchSnapshots(rows);
  return rows;
}

}  // namespace kiban::tools
