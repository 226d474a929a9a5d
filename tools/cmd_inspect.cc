// kiban inspect: prints what a file or directory of the LSM engine holds, and where damage lies.
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "engine/base/status_util.h"
#include "engine/lsm/file_names.h"
#include "engine/posix/posix_env.h"
#include "tools/commands.h"
#include "tools/inspect.h"

namespace kiban::tools {
namespace {

// A pipe would never end: neither it nor anything else that is no file is opened, here or below.
std::string WhyNotFiles(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return "";
  if (!std::filesystem::is_directory(status)) return path + ": neither a file nor a directory";
  for (std::filesystem::directory_iterator entry(path, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unused;
    const bool is_ours = lsm::ParseFileName(name).kind != lsm::FileKind::kForeign;
    if (is_ours && entry->exists(unused) && !entry->is_regular_file(unused)) {
      return entry->path().string() + ": not a file";
    }
  }
  return "";
}

int ShowInspection(const Arguments& arguments) {
  const std::string& path = arguments.operands().front();
  if (const std::string why_not = WhyNotFiles(path); !why_not.empty()) return BadUsage(why_not);
  posix::PosixEnv posix("");
  const Inspection inspection = Inspect(
      *posix.env().files, path, arguments.Has("--verify") ? Detail::kFiles : Detail::kStructures);
  std::fputs(inspection.text.c_str(), stdout);
  std::fflush(stdout);
  for (const std::string& damage : inspection.damage) {
    std::fprintf(stderr, "damaged: %s\n", damage.c_str());
  }
  if (inspection.unreadable.ok()) return inspection.damage.empty() ? kExitHeld : kExitFailed;
  const int exit_status = BadUsage(base::ToStd(inspection.unreadable.message()));
  return inspection.damage.empty() ? exit_status : kExitFailed;
}

}  // namespace

Command InspectCommand() {
  return {
      .name = "inspect",
      .summary = "Prints and checks what a log, a table, a MANIFEST or a database holds.",
      .details =
          "Every byte is read and checked, a database as an open would check it and more.\n"
          "TORN is the last log if it breaks off where no later record testifies that anything "
          "was synced:\na crash leaves that, and recovery drops what is torn; a last synced "
          "record that was damaged looks\nthe same.\n"
          "Exit status: 0 whole or TORN, 1 damaged (standard error says in which file, structure "
          "and offset),\n2 not readable or none of ours. Nothing is written and no lock is "
          "taken.",
      .examples = {"inspect --verify DIR", "inspect DIR", "inspect DIR/000012.sst"},
      .operands = {.name = "PATH", .required = true},
      .flags = {{.name = "--verify",
                 .help = "print a line for each file instead of its structures"}},
      .run = ShowInspection,
      .parts = {}};
}

}  // namespace kiban::tools
