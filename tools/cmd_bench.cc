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
#include "tools/build_info.h"
#include "tools/commands.h"
#include "tools/sweep_options.h"

namespace kiban::tools {
namespace {

int Sim(const Arguments& arguments) {
  const auto path = arguments.Value("--json");
  if (path && std::filesystem::is_regular_file(*path) && !arguments.Has("--force")) {
    return BadUsage(*path + " exists; --force overwrites it");
  }
  const absl::Status writable = TryOutputs(arguments, "");
  if (!writable.ok()) return BadUsage(base::ToStd(writable.message()));
  const std::vector<suites::BenchRow> results = BenchSim();
  std::vector<suites::Row> rows = {{"what", "value", "unit"}};
  for (const suites::BenchRow& row : results) {
    rows.push_back({row.name, absl::StrFormat("%.1f", row.value), row.unit});
  }
  std::fputs(suites::TableText(rows).c_str(), stdout);
  if (path) {
    const std::string json = suites::BenchJson(ProvenanceOf(arguments), "sim", results);
    const absl::Status written = suites::WriteWhole(*path, json);
    if (!written.ok()) return BadUsage(base::ToStd(written.message()));
  }
  return kExitHeld;
}

}  // namespace

Command BenchCommand() {
  return {.name = "bench",
          .summary = "Measures what things cost.",
          .details = {},
          .examples = {"bench sim"},
          .operands = {},
          .flags = {},
          .run = nullptr,
          .parts = {{.name = "sim",
                     .summary = "What the simulator costs: lives, switches, snapshots, the digest.",
                     .details = {},
                     .examples = {"bench sim --json bench.json"},
                     .operands = {},
                     .flags = {kJsonFlag, {"--force", "", "overwrite the file of results"}},
                     .run = Sim,
                     .parts = {}}}};
}

}  // namespace kiban::tools
