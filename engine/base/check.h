// CHECK: what only our own mistake can make false. One condition each, on in every build.
// What a disk, a user or a damaged file can cause is an absl::Status instead.
#pragma once

namespace kiban::base {

// Tells the running simulation, if there is one (hooks.h), prints the condition and aborts.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);

}  // namespace kiban::base

#define CHECK(condition) \
  ((condition) ? (void)0 : ::kiban::base::CheckFailed(#condition, __FILE__, __LINE__))

// For checks that cost more than the work they guard: on under the sanitizers.
#ifdef KIBAN_EXPENSIVE_CHECKS
#define EXPENSIVE_CHECK(condition) CHECK(condition)
#else
#define EXPENSIVE_CHECK(condition) ((void)0)
#endif
