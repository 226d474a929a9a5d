// A file descriptor with an owner, and what the kernel's errors mean at the seam.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/status.h"

namespace kiban::posix {

// The status of engine/env.h for `error` (an errno), its message beginning with `what`: a path, or
// a path and an offset.
absl::Status ErrnoStatus(int error, std::string_view what);
absl::Status ErrnoStatus(int error, std::string_view path, uint64_t offset);

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { static_cast<void>(Close()); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  bool open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  // Returns 0 or an errno. The descriptor is gone either way: Linux frees it before it finds an
  // error.
  int Close();

 private:
  int fd_ = -1;
};

// Makes a system call again for as long as signals interrupt it. Never for close(2) and fsync(2):
// there the first answer is the only one that means something.
template <typename Call>
auto RetryOnEintr(const Call& call) {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

}  // namespace kiban::posix
