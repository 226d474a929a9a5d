#include "engine/posix/posix_env.h"

#include <sys/random.h>
#include <time.h>

#include <utility>

#include "engine/base/check.h"
#include "engine/posix/descriptor.h"
#include "engine/posix/posix_file_system.h"
#include "engine/posix/posix_tasks.h"

namespace kiban::posix {

namespace {

class PosixClock final : public engine::Clock {
 public:
  base::Ticks MonotonicNow() override { return Now(CLOCK_MONOTONIC); }
  base::Ticks WallNow() override { return Now(CLOCK_REALTIME); }

 private:
  static base::Ticks Now(clockid_t clock) {
    timespec now = {};
    CHECK(::clock_gettime(clock, &now) == 0);
    return static_cast<base::Ticks>(now.tv_sec) * 1'000'000 +
           static_cast<base::Ticks>(now.tv_nsec) / 1'000;
  }
};

class PosixRandom final : public engine::Random {
 public:
  uint64_t Next() override {
    uint64_t value = 0;
    const ssize_t count = RetryOnEintr([&] { return ::getrandom(&value, sizeof value, 0); });
    CHECK(count == static_cast<ssize_t>(sizeof value));  // Linux promises it for so few bytes.
    return value;
  }
};

}  // namespace

PosixEnv::PosixEnv(std::string root)
    : files_(MakeFileSystem(std::move(root))),
      clock_(std::make_unique<PosixClock>()),
      tasks_(MakeTasks()),
      random_(std::make_unique<PosixRandom>()) {}

PosixEnv::~PosixEnv() = default;

engine::Env PosixEnv::env() {
  return {
      .files = files_.get(), .clock = clock_.get(), .tasks = tasks_.get(), .random = random_.get()};
}

}  // namespace kiban::posix
