// kiban bench: what things cost.
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "engine/base/status_util.h"
#include "suites/support/json.h"
#include "suites/support/table_text.h"
#include "suites/support/whole_file.h"
#include "tools/bench/bench_maintenance.h"
#include "tools/bench/bench_read.h"
#include "tools/bench/bench_sim.h"
#include "tools/bench/bench_write.h"
#include "tools/build_info.h"
#include "tools/commands.h"
#include "tools/sweep_options.h"

namespace kiban::tools {
namespace {

constexpr Flag kDirFlag = {"--dir", "DIR", "where to make the temporary directory"};
constexpr Flag kForceFlag = {"--force", "", "overwrite the file of results"};

// A bench takes its time: what would keep its results from being written is said before it.
absl::Status TryOutput(const Arguments& arguments) {
  const auto path = arguments.Value("--json");
  if (path && std::filesystem::is_regular_file(*path) && !arguments.Has("--force")) {
    return absl::AlreadyExistsError(*path + " exists; --force overwrites it");
  }
  return TryOutputs(arguments, "");
}

int Show(const Arguments& arguments, const std::string& bench,
         const std::vector<suites::BenchRow>& results) {
  std::vector<suites::Row> rows = {{"what", "value", "unit"}};
  for (const suites::BenchRow& row : results) {
    // Ratios need what counts do not.
    const auto format = row.unit == "times" || row.unit == "bytes a key"
                            ? absl::StrFormat("%.3f", row.value)
                            : absl::StrFormat("%.1f", row.value);
    rows.push_back({row.name, format, row.unit});
  }
  std::fputs(suites::TableText(rows).c_str(), stdout);
  if (const auto path = arguments.Value("--json")) {
    const std::string json = suites::BenchJson(ProvenanceOf(arguments), bench, results);
    const absl::Status written = suites::WriteWhole(*path, json);
    if (!written.ok()) return BadUsage(base::ToStd(written.message()));
  }
  return kExitHeld;
}

int Sim(const Arguments& arguments) {
  const absl::Status writable = TryOutput(arguments);
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  return Show(arguments, "sim", BenchSim());
}

// A wrong answer is the engine's fault; anything else is that of the place it was measured in.
int GaveUp(const absl::Status& why) {
  if (!absl::IsDataLoss(why) && !absl::IsInternal(why)) return BadUsage(base::ToStd(why.message()));
  std::fprintf(stderr, "kiban: %s\n", why.ToString().c_str());
  return kExitFailed;
}

// A bench of the engine on real files, and whether it reached what is owed.
template <auto Bench>
int Measure(const Arguments& arguments, const std::string& name) {
  const absl::Status writable = TryOutput(arguments);
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  const auto bench = Bench(arguments.ValueOr("--dir", ""));
  if (!bench.ok()) return GaveUp(bench.status());
  const int shown = Show(arguments, name, bench->rows);
  if (shown != kExitHeld) return shown;
  for (const std::string& missed : bench->missed) std::printf("MISSED: %s\n", missed.c_str());
  if (bench->missed.empty()) std::printf("held: all that is owed was reached\n");
  return bench->missed.empty() ? kExitHeld : kExitFailed;
}

int Maintenance(const Arguments& arguments) {
  return Measure<BenchMaintenance>(arguments, "maintenance");
}

int Read(const Arguments& arguments) { return Measure<BenchRead>(arguments, "read"); }

int Write(const Arguments& arguments) { return Measure<BenchWrite>(arguments, "write"); }

}  // namespace

Command BenchCommand() {
  return {
      .name = "bench",
      .summary = "Measures what things cost.",
      .details = {},
      .examples = {"bench sim", "bench read --json read.json"},
      .operands = {},
      .flags = {},
      .run = nullptr,
      .parts = {
          {.name = "sim",
           .summary = "What the simulator costs: lives, switches, snapshots, the digest.",
           .details = {},
           .examples = {"bench sim --json bench.json"},
           .operands = {},
           .flags = {kJsonFlag, kForceFlag},
           .run = Sim,
           .parts = {}},
          {.name = "maintenance",
           .summary = "What a point index costs: a million records written with and without.",
           .details =
               "On real files, five pairs in turns, about two minutes and 2 GB of disk. Exit "
               "status 1 if a\nmedian is above what is owed: flushes 1.36 times, "
               "compaction 1.26, table bytes 1.12,\nindex 31.1 bytes a key.",
           .examples = {"bench maintenance --json maintenance.json"},
           .operands = {},
           .flags = {kDirFlag, kJsonFlag, kForceFlag},
           .run = Maintenance,
           .parts = {}},
          {.name = "read",
           .summary = "What a point index is worth: point reads of a million records in one table.",
           .details =
               "Two databases, read in turns, each read timed by itself. Exit status 1 if "
               "the median of all\nratios of p50 is above 0.85, or if the index answered less "
               "than 99 % of the hits.",
           .examples = {"bench read --json read.json"},
           .operands = {},
           .flags = {kDirFlag, kJsonFlag, kForceFlag},
           .run = Read,
           .parts = {}},
          {.name = "write",
           .summary = "What group commit is worth: 16 writers against one, each write synced.",
           .details = "On real files, in turns, for some seventeen seconds. Exit status 1 if the "
                      "median of all\nturns is less than 5 times. It is the disk that is measured: "
                      "where a sync costs nothing,\nas on tmpfs, there is nothing to share.",
           .examples = {"bench write", "bench write --dir /mnt/disk --json write.json"},
           .operands = {},
           .flags = {kDirFlag, kJsonFlag, kForceFlag},
           .run = Write,
           .parts = {}},
      }};
}

}  // namespace kiban::tools
