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
#include "tools/bench/bench_sim.h"
#include "tools/bench/bench_write.h"
#include "tools/build_info.h"
#include "tools/commands.h"
#include "tools/sweep_options.h"

namespace kiban::tools {
namespace {

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
    rows.push_back({row.name, absl::StrFormat("%.1f", row.value), row.unit});
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

int Write(const Arguments& arguments) {
  const absl::Status writable = TryOutput(arguments);
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  const auto bench = BenchWrite(arguments.ValueOr("--dir", ""));
  if (!bench.ok()) return BadUsage(base::ToStd(bench.status().message()));
  const int shown = Show(arguments, "write", bench->rows);
  if (shown != kExitHeld) return shown;
  const bool held = bench->median_ratio >= kGroupCommitOwed;
  std::printf("%s: 16 writers are owed %.0f times the writes of one, the median is %.1f\n",
              held ? "held" : "MISSED", kGroupCommitOwed, bench->median_ratio);
  return held ? kExitHeld : kExitFailed;
}

}  // namespace

Command BenchCommand() {
  return {
      .name = "bench",
      .summary = "Measures what things cost.",
      .details = {},
      .examples = {"bench sim", "bench write"},
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
          {.name = "write",
           .summary = "What group commit is worth: 16 writers against one, each write synced.",
           .details = "On real files, in turns, for some seventeen seconds. Exit status 1 if the "
                      "median of all\nturns is less than 5 times. It is the disk that is measured: "
                      "where a sync costs nothing,\nas on tmpfs, there is nothing to share.",
           .examples = {"bench write", "bench write --dir /mnt/disk --json write.json"},
           .operands = {},
           .flags = {{"--dir", "DIR", "where to make the temporary directory"},
                     kJsonFlag,
                     kForceFlag},
           .run = Write,
           .parts = {}},
      }};
}

}  // namespace kiban::tools
