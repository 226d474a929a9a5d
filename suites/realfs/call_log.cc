#include "suites/realfs/call_log.h"

#include <sys/mman.h>

#include <new>

#include "engine/base/check.h"

namespace kiban::suites {

SharedLog::SharedLog() {
  void* const memory =
      ::mmap(nullptr, sizeof(RoundLog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  round_ = new (memory) RoundLog;
}

SharedLog::~SharedLog() {
  round_->~RoundLog();
  CHECK(::munmap(round_, sizeof(RoundLog)) == 0);
}

}  // namespace kiban::suites
