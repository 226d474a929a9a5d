// What only real threads can show: their names in the system's eyes, signals, and how mistakes end.
// The rest of the contract is asked by env_contract_tasks_test.cc.
#include "engine/posix/posix_tasks.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <array>
#include <string>

#include "engine/base/atomic.h"
#include "engine/posix/posix_env.h"

namespace kiban::posix {
namespace {

using engine::Tasks;

std::string ThreadName() {
  std::array<char, 64> name = {};
  EXPECT_EQ(::pthread_getname_np(::pthread_self(), name.data(), name.size()), 0);
  return name.data();
}

TEST(PosixTasks, GiveTheirNamesToTheThreads) {
  PosixEnv env("");
  Tasks& tasks = *env.env().tasks;
  std::string maintenance;
  std::string longer;
  tasks.Join(tasks.Spawn("maintenance", [&maintenance] { maintenance = ThreadName(); }));
  tasks.Join(tasks.Spawn("a-name-of-20-letters", [&longer] { longer = ThreadName(); }));
  EXPECT_EQ(maintenance, "maintenance");
  EXPECT_EQ(longer, "a-name-of-20-le");
}

TEST(PosixTasks, SleepOnThroughSignals) {
  PosixEnv env("");
  Tasks& tasks = *env.env().tasks;
  struct sigaction ignore = {};
  struct sigaction before = {};
  ignore.sa_handler = [](int) {};  // Unlike SIG_IGN it interrupts system calls.
  ASSERT_EQ(::sigaction(SIGUSR1, &ignore, &before), 0);
  const pthread_t sleeper = ::pthread_self();
  base::Atomic<bool> awake(false);
  const Tasks::Id id = tasks.Spawn("signals", [&env, &awake, sleeper] {
    while (!awake.Load()) {
      EXPECT_EQ(::pthread_kill(sleeper, SIGUSR1), 0);
      env.env().tasks->SleepUntil(env.env().clock->MonotonicNow() + 100);
    }
  });
  const base::Ticks until = env.env().clock->MonotonicNow() + 10'000;
  tasks.SleepUntil(until);
  EXPECT_GE(env.env().clock->MonotonicNow(), until);
  awake.Store(true);
  tasks.Join(id);
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

// Each mistake is made by a program started for it: threads do not survive a fork.
class PosixTasksDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(PosixTasksDeathTest, AreJoinedBeforeTheirEnvGoes) {
  EXPECT_DEATH(
      {
        PosixEnv env("");
        env.env().tasks->Spawn("forgotten", [] {});
      },
      "threads_.empty");
}

TEST_F(PosixTasksDeathTest, AreJoinedOnce) {
  EXPECT_DEATH(
      {
        PosixEnv env("");
        const Tasks::Id id = env.env().tasks->Spawn("twice", [] {});
        env.env().tasks->Join(id);
        env.env().tasks->Join(id);
      },
      "found != threads_.end");
}

TEST_F(PosixTasksDeathTest, DoNotJoinThemselves) {
  EXPECT_DEATH(
      {
        PosixEnv env("");
        base::Atomic<uint64_t> id(0);
        base::Atomic<uint32_t> told(0);
        Tasks& tasks = *env.env().tasks;
        id.Store(tasks.Spawn("itself", [&] {
          while (told.Load() == 0) tasks.Park(told.word(), 0, Tasks::kForever);
          tasks.Join(id.Load());
        }));
        told.Store(1);
        tasks.Unpark(told.word(), 1);
        tasks.SleepUntil(Tasks::kForever - 1);
      },
      "pthread_join");
}

}  // namespace
}  // namespace kiban::posix
