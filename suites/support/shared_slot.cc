#include "suites/support/shared_slot.h"

#include <sys/mman.h>

#include "suites/support/host.h"

namespace kiban::suites {
namespace {

constexpr size_t kHeadBytes = 4096;

}  // namespace

// Fresh anonymous memory is zero, which is what every field begins with; constructing the slots in
// place would touch all of it.
SharedBoard::SharedBoard(size_t workers)
    : bytes_(kHeadBytes + workers * sizeof(SharedSlot)),
      memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
  if (memory_ == MAP_FAILED) GiveUp("map memory for the workers; fewer --jobs need less");
  head_ = static_cast<Head*>(memory_);
  slots_ = reinterpret_cast<SharedSlot*>(static_cast<char*>(memory_) + kHeadBytes);
}

SharedBoard::~SharedBoard() { munmap(memory_, bytes_); }

}  // namespace kiban::suites
