#include "engine/base/allocations_for_test.h"

#include <cstddef>
#include <cstdlib>

namespace {

uint64_t allocation_count = 0;

}  // namespace

// All other forms come down to these.
void* operator new(size_t bytes) {
  ++allocation_count;
  if (void* const memory = std::malloc(bytes)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace kiban::base {

uint64_t AllocationCount() { return allocation_count; }

}  // namespace kiban::base
