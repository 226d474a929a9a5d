#include "tools/debugger.h"

#include <csignal>
#include <memory>
#include <string>

#include "absl/strings/numbers.h"
#include "suites/support/whole_file.h"

namespace kiban::tools {

bool DebuggerIsAttached() {
  constexpr char kField[] = "\nTracerPid:";
  const absl::StatusOr<std::string> status = suites::ReadWhole("/proc/self/status");
  if (!status.ok()) return false;
  const size_t field = status->find(kField);
  if (field == status->npos) return false;
  const size_t from = field + sizeof kField - 1;
  int tracer = 0;
  return absl::SimpleAtoi(status->substr(from, status->find('\n', from) - from), &tracer) &&
         tracer != 0;
}

std::function<void(uint64_t number)> TrapBefore(uint64_t event, bool& came) {
  came = false;
  return [event, &came](uint64_t number) {
    if (came || number < event) return;
    came = true;
    std::raise(SIGTRAP);
  };
}

}  // namespace kiban::tools
