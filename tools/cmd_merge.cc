// kiban merge: several shards' results into one.
#include <cstdio>
#include <string>
#include <vector>

#include "engine/base/status_util.h"
#include "suites/support/json.h"
#include "suites/support/merge.h"
#include "suites/support/sweep_text.h"
#include "suites/support/whole_file.h"
#include "tools/commands.h"

namespace kiban::tools {
namespace {

absl::StatusOr<std::vector<suites::SweepFile>> ReadAll(const std::vector<std::string>& paths) {
  std::vector<suites::SweepFile> files;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const std::string text, suites::ReadWhole(path));
    ASSIGN_OR_RETURN(suites::SweepFile file, suites::ParseSweepJson(path, text));
    files.push_back(std::move(file));
  }
  return files;
}

int Merge(const Arguments& arguments) {
  const auto files = ReadAll(arguments.operands());
  if (!files.ok()) return BadUsage(base::ToStd(files.status().message()));
  const auto merged = suites::MergeShards(*files);
  if (!merged.ok()) return BadUsage(base::ToStd(merged.status().message()));
  if (const auto path = arguments.Value("-o")) {
    suites::Provenance provenance = files->front().provenance;
    provenance.args = arguments.words();
    const absl::Status written = suites::WriteWhole(*path, suites::SweepJson(provenance, *merged));
    if (!written.ok()) return BadUsage(base::ToStd(written.message()));
  }
  std::fputs(suites::EarlyEndsText(*files).c_str(), stdout);
  std::fputs(suites::SweepsText(*merged).c_str(), stdout);
  return suites::ExitStatus(*merged);
}

}  // namespace

Command MergeCommand() {
  return {.name = "merge",
          .summary = "Puts the results of all shards of a sweep together and judges the floors.",
          .details =
              "Exit status: as of the sweep; 2 if a file does not fit to the others, or is "
              "missing, or\n"
              "a shard could not go on. Of shards that ended early the whole is not complete.\n"
              "Times are those of the slowest shard; CPU times add up.",
          .examples = {"merge shard-*.json -o whole.json",
                       "merge shard-1.json shard-2.json shard-3.json"},
          .operands = {.name = "FILE...", .required = true, .many = true},
          .flags = {{"-o", "FILE", "results for programs, as of one sweep"}},
          .run = Merge,
          .parts = {}};
}

}  // namespace kiban::tools
