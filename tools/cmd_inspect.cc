// kiban inspect: prints what a file or directory of the LSM engine holds, and where damage lies.
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "engine/base/status_util.h"
#include "tools/commands.h"
#include "tools/inspect.h"

namespace kiban::tools {
namespace {

int ShowInspection(const Arguments& arguments) {
  const std::string& path = arguments.operands().front();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status)) {
    return BadUsage(path + ": neither a file nor a directory");  // A pipe would never end.
  }
  const Inspection inspection = Inspect(path, arguments.Has("--verify"));
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
          .flags = {{.name = "--verify", .help = "a directory: print every block of every table"}},
          .run = ShowInspection,
          .parts = {}};
}

}  // namespace kiban::tools
