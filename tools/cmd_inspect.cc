// kiban inspect: prints what a file or directory of the LSM engine holds, and where damage lies.
#include <cstdio>
#include <string>

#include "engine/base/status_util.h"
#include "tools/commands.h"
#include "tools/inspect.h"

namespace kiban::tools {
namespace {

int ShowInspection(const Arguments& arguments) {
  const Inspection inspection = Inspect(arguments.operands().front(), arguments.Has("--verify"));
  std::fputs(inspection.text.c_str(), stdout);
  if (inspection.status.ok()) return kExitHeld;
  const std::string message(base::ToStd(inspection.status.message()));
  if (inspection.status.code() != absl::StatusCode::kDataLoss) return BadUsage(message);
  std::fflush(stdout);
  std::fprintf(stderr, "damaged: %s\n", message.c_str());
  return kExitFailed;
}

}  // namespace

Command InspectCommand() {
  return {.name = "inspect",
          .summary = "Prints what a log, a table, a MANIFEST or a database directory holds.",
          .details =
              "Exit status: 0 whole, 1 damaged (standard error says where), 2 not readable or "
              "none of ours. Nothing is written and no lock is taken.",
          .examples = {"inspect DIR --verify", "inspect DIR/000012.sst"},
          .operands = {.name = "PATH", .required = true},
          .flags = {{.name = "--verify", .help = "a directory: read every block of every table"}},
          .run = ShowInspection,
          .parts = {}};
}

}  // namespace kiban::tools
