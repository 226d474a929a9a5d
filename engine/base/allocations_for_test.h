// How often memory was asked for, in tests that say how often it may be. Who links
// allocations_for_test.cc has its operator new; such a test has one thread.
#pragma once

#include <cstdint>

namespace kiban::base {

// Since the program began; never 0 in a test that counts, because the test framework allocates.
uint64_t AllocationCount();

}  // namespace kiban::base
