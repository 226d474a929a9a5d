#include "engine/posix/posix_tasks.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "engine/base/check.h"

namespace kiban::posix {

namespace {

constexpr size_t kThreadNameBytesMax = 15;  // What Linux keeps; the rest is cut off.

timespec TimeOf(base::Ticks ticks) {
  return {.tv_sec = static_cast<time_t>(ticks / 1'000'000),
          .tv_nsec = static_cast<long>(ticks % 1'000'000 * 1'000)};
}

struct Start {
  std::string name;
  std::function<void()> body;
};

void* RunTask(void* argument) {
  const std::unique_ptr<const Start> start(static_cast<const Start*>(argument));
  CHECK(::pthread_setname_np(::pthread_self(), start->name.c_str()) == 0);
  start->body();
  return nullptr;
}

class PosixTasks final : public engine::Tasks {
 public:
  ~PosixTasks() override { CHECK(threads_.empty()); }

  // A machine without room for one more thread has no answer here: the seam promises a task.
  Id Spawn(std::string_view name, std::function<void()> body) override {
    auto start = std::make_unique<Start>(
        Start{std::string(name.substr(0, kThreadNameBytesMax)), std::move(body)});
    const std::lock_guard<std::mutex> guard(mutex_);
    pthread_t thread = {};
    CHECK(::pthread_create(&thread, nullptr, RunTask, start.get()) == 0);
    static_cast<void>(start.release());  // The thread's own now.
    const Id id = ++last_id_;
    threads_.emplace(id, thread);
    return id;
  }

  void Join(Id id) override { CHECK(::pthread_join(Take(id), nullptr) == 0); }

  void Yield() override { CHECK(::sched_yield() == 0); }

  void SleepUntil(base::Ticks monotonic_deadline) override {
    const timespec until = TimeOf(monotonic_deadline);
    int error = EINTR;
    while (error == EINTR) {
      error = ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    }
    CHECK(error == 0);
  }

  void Park(const uint32_t* word, uint32_t expected, base::Ticks monotonic_deadline) override {
    const timespec until = TimeOf(monotonic_deadline);
    // FUTEX_WAIT would take a span of time; only the bitset variety takes a moment.
    const long woken = ::syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected,
                                 monotonic_deadline == kForever ? nullptr : &until, nullptr,
                                 FUTEX_BITSET_MATCH_ANY);
    // Another value, a signal, the deadline: each is a reason to return.
    CHECK(woken == 0 || errno == EAGAIN || errno == EINTR || errno == ETIMEDOUT);
  }

  void Unpark(const uint32_t* word, uint32_t task_count_max) override {
    const uint32_t count = std::min<uint32_t>(task_count_max, INT_MAX);
    const long woken = ::syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count);
    CHECK(woken >= 0);  // Whatever has become of the word: a private futex is its address.
  }

 private:
  pthread_t Take(Id id) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto found = threads_.find(id);
    CHECK(found != threads_.end());
    const pthread_t thread = found->second;
    threads_.erase(found);
    return thread;
  }

  std::mutex mutex_;
  Id last_id_ = 0;
  std::map<Id, pthread_t> threads_;  // Those that nobody has joined yet.
};

}  // namespace

std::unique_ptr<engine::Tasks> MakeTasks() { return std::make_unique<PosixTasks>(); }

}  // namespace kiban::posix
