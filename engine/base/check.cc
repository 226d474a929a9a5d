#include "engine/base/check.h"

#include <cstdio>
#include <cstdlib>

#include "engine/base/hooks.h"

namespace kiban::base {

void CheckFailed(const char* condition, const char* file, int line) {
  if (Hooks* const hooks = g_hooks) hooks->OnCheckFailed(condition, file, line);
  std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", file, line, condition);
  std::fflush(stderr);
  std::abort();
}

}  // namespace kiban::base
