// Goal:   the locks exclude whom they should and nobody else, and no wait is left unended.
// Method: real threads, many rounds. A lost wake-up hangs, and runs into the test's time limit;
//         what a lock guards is a plain variable, so that ThreadSanitizer has its say as well.
#include "engine/base/sync.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/wait_counter_for_test.h"
#include "engine/posix/posix_env.h"

namespace kiban::base {
namespace {

using engine::Tasks;

class Sync : public testing::Test {
 protected:
  // Runs `body(0)` to `body(count - 1)`, each in a task of its own, to the end.
  void RunTasks(int count, const std::function<void(int)>& body) {
    std::vector<Tasks::Id> ids;
    for (int i = 0; i < count; ++i) {
      ids.push_back(tasks_->Spawn("sync_test", [&body, i] { body(i); }));
    }
    for (const Tasks::Id id : ids) tasks_->Join(id);
  }

  Ticks Now() { return env_.env().clock->MonotonicNow(); }

  posix::PosixEnv env_{""};
  Tasks* const tasks_ = env_.env().tasks;
};

// Lets nobody on before all have come, again and again.
class Barrier {
 public:
  Barrier(Tasks* tasks, int expected)
      : mutex_(tasks, "test.barrier"), all_here_(tasks, "test.all_here"), expected_(expected) {}

  void Arrive() {
    const MutexLock lock(mutex_);
    const int round = round_;
    if (++arrived_ == expected_) {
      arrived_ = 0;
      ++round_;
      all_here_.NotifyAll();
    }
    while (round_ == round) all_here_.Wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar all_here_;
  const int expected_;
  int arrived_ = 0;
  int round_ = 0;
};

TEST_F(Sync, AMutexLetsOneInAtATime) {
  constexpr int kTasks = 4;
  constexpr int kRounds = 5'000;
  Mutex mutex(tasks_, "test.mutex");
  int inside = 0;
  int entered = 0;
  int overlaps = 0;
  RunTasks(kTasks, [&](int) {
    for (int round = 0; round < kRounds; ++round) {
      const MutexLock lock(mutex);
      if (++inside != 1) ++overlaps;
      if (round % 64 == 0) tasks_->Yield();  // So that the others come and wait.
      ++entered;
      --inside;
    }
  });
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(entered, kTasks * kRounds);
}

TEST_F(Sync, OneTaskNeedsNoTasks) {
  Mutex mutex(nullptr, "test.mutex");
  CondVar changed(nullptr, "test.changed");
  SharedMutex shared(nullptr, "test.shared");
  for (int round = 0; round < 3; ++round) {
    {
      const MutexLock lock(mutex);
      changed.NotifyAll();
    }
    shared.Lock();
    shared.Unlock();
    shared.LockShared();
    shared.LockShared();
    shared.UnlockShared();
    shared.UnlockShared();
  }
}

TEST_F(Sync, WaitingWithoutTasksIsAMistake) {
  Mutex mutex(nullptr, "test.mutex");
  CondVar changed(nullptr, "test.changed");
  mutex.Lock();
  EXPECT_DEATH(mutex.Lock(), "tasks_ != nullptr");
  EXPECT_DEATH(changed.Wait(mutex), "tasks_ != nullptr");
  mutex.Unlock();
}

// Whoever has it next may destroy it while the one before is still on its way out of Unlock(): that
// one must not look at it again (for the address and the thread sanitizer to find).
TEST_F(Sync, AMutexMayBeDestroyedByItsNextOwner) {
  constexpr int kRounds = 2'000;
  Barrier barrier(tasks_, 2);
  std::unique_ptr<Mutex> mutex;
  RunTasks(2, [&](int task) {
    for (int round = 0; round < kRounds; ++round) {
      if (task == 0) {
        mutex = std::make_unique<Mutex>(tasks_, "test.mutex");
        mutex->Lock();
      }
      barrier.Arrive();
      Mutex* const shared = mutex.get();
      if (task == 0) {
        if (round % 2 == 0) tasks_->Yield();  // So that the other comes and waits.
        shared->Unlock();
      } else {
        shared->Lock();
        shared->Unlock();
        mutex = nullptr;
      }
      barrier.Arrive();
    }
  });
}

// A queue with room for one: almost every step waits for the other side.
TEST_F(Sync, NoNotifyOneIsLost) {
  constexpr int kPairs = 3;
  constexpr int kItems = 2'000;
  Mutex mutex(tasks_, "test.queue");
  CondVar room(tasks_, "test.room");
  CondVar work(tasks_, "test.work");
  std::deque<int> queue;
  int sum = 0;
  RunTasks(2 * kPairs, [&](int task) {
    for (int item = 1; item <= kItems; ++item) {
      const MutexLock lock(mutex);
      if (task < kPairs) {
        while (!queue.empty()) room.Wait(mutex);
        queue.push_back(item);
        work.NotifyOne();
      } else {
        while (queue.empty()) work.Wait(mutex);
        sum += queue.front();
        queue.pop_front();
        room.NotifyOne();
      }
    }
  });
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(sum, kPairs * kItems * (kItems + 1) / 2);
}

TEST_F(Sync, NotifyAfterTheMutexIsAsGood) {
  constexpr uint32_t kRounds = 3'000;
  Mutex mutex(tasks_, "test.mutex");
  CondVar changed(tasks_, "test.changed");
  uint32_t turn = 0;
  RunTasks(2, [&](int task) {
    const uint32_t mine = static_cast<uint32_t>(task);
    for (uint32_t round = 0; round < kRounds; ++round) {
      mutex.Lock();
      while (turn % 2 != mine) changed.Wait(mutex);
      ++turn;
      mutex.Unlock();
      changed.NotifyOne();
    }
  });
  EXPECT_EQ(turn, 2 * kRounds);
}

TEST_F(Sync, NotifyAllWakesEverybody) {
  constexpr int kTasks = 4;
  constexpr int kRounds = 1'000;
  Barrier barrier(tasks_, kTasks);
  std::vector<int> rounds(kTasks, 0);
  std::vector<int> strays(kTasks, 0);
  RunTasks(kTasks, [&](int task) {
    for (int round = 0; round < kRounds; ++round) {
      ++rounds[static_cast<size_t>(task)];
      barrier.Arrive();
      for (const int other : rounds) {
        if (other != round + 1) ++strays[static_cast<size_t>(task)];
      }
      barrier.Arrive();
    }
  });
  EXPECT_EQ(rounds, std::vector<int>(kTasks, kRounds));
  EXPECT_EQ(strays, std::vector<int>(kTasks, 0));
}

TEST_F(Sync, ATimedWaitEndsByItself) {
  Mutex mutex(tasks_, "test.mutex");
  CondVar never(tasks_, "test.never");
  const MutexLock lock(mutex);
  const Ticks deadline = Now() + 2'000;
  while (Now() < deadline) never.WaitUntil(mutex, deadline);
  never.WaitUntil(mutex, deadline);  // Already over.
}

TEST_F(Sync, ATimedWaitEndsEarlierWhenNotified) {
  constexpr Ticks kHour = 3'600'000'000;
  Mutex mutex(tasks_, "test.mutex");
  CondVar changed(tasks_, "test.changed");
  bool done = false;
  const Ticks deadline = Now() + kHour;
  RunTasks(2, [&](int task) {
    const MutexLock lock(mutex);
    if (task == 0) {
      while (!done) changed.WaitUntil(mutex, deadline);
    } else {
      done = true;
      changed.NotifyOne();
    }
  });
  EXPECT_LT(Now(), deadline);
}

// The receiver destroys the object at once, so the giver must be through with it.
TEST_F(Sync, AHandoffMayBeDestroyedByItsReceiver) {
  constexpr uint32_t kRounds = 5000;
  Mutex mutex(tasks_, "slot");
  CondVar changed(tasks_, "slot");
  Handoff* slot = nullptr;
  const Tasks::Id giver = tasks_->Spawn("giver", [&] {
    for (uint32_t round = 0; round < kRounds; ++round) {
      Handoff* to = nullptr;
      {
        const MutexLock lock(mutex);
        while (slot == nullptr) changed.Wait(mutex);
        to = std::exchange(slot, nullptr);
      }
      to->Give(Handoff::kFirstWord + round);
    }
  });
  for (uint32_t round = 0; round < kRounds; ++round) {
    auto handoff = std::make_unique<Handoff>(tasks_, "handoff");
    {
      const MutexLock lock(mutex);
      slot = handoff.get();
      changed.NotifyOne();
    }
    ASSERT_EQ(handoff->Await(), Handoff::kFirstWord + round);
  }
  tasks_->Join(giver);
}

TEST_F(Sync, ReadersAreInTogether) {
  constexpr int kReaders = 3;
  SharedMutex shared(tasks_, "test.shared");
  Barrier all_inside(tasks_, kReaders);
  RunTasks(kReaders, [&](int) {
    shared.LockShared();
    all_inside.Arrive();  // Hangs if one keeps another out.
    shared.UnlockShared();
  });
}

TEST_F(Sync, AWriterIsAlone) {
  constexpr int kTasks = 4;
  constexpr int kRounds = 2'000;
  SharedMutex shared(tasks_, "test.shared");
  int first = 0;
  int second = 0;
  std::vector<int> torn(kTasks, 0);
  RunTasks(kTasks, [&](int task) {
    for (int round = 0; round < kRounds; ++round) {
      if (task == 0 || round % 8 == 0) {
        shared.Lock();
        ++first;
        if (round % 32 == 0) tasks_->Yield();
        ++second;
        shared.Unlock();
      } else {
        shared.LockShared();
        if (first != second) ++torn[static_cast<size_t>(task)];
        shared.UnlockShared();
      }
    }
  });
  EXPECT_EQ(torn, std::vector<int>(kTasks, 0));
  EXPECT_EQ(first, kRounds + (kTasks - 1) * kRounds / 8);
  EXPECT_EQ(second, first);
}

TEST_F(Sync, AWriterThatWaitsGoesBeforeLaterReaders) {
  SharedMutex shared(tasks_, "test.shared");
  WaitCounter waits(tasks_);
  bool written = false;
  shared.LockShared();
  const Tasks::Id writer = tasks_->Spawn("writer", [&] {
    shared.Lock();
    written = true;
    shared.Unlock();
  });
  waits.Await(1);
  const Tasks::Id reader = tasks_->Spawn("reader", [&] {
    shared.LockShared();
    EXPECT_TRUE(written);
    shared.UnlockShared();
    waits.CountOne();  // Should it ever be let in at once, nobody waits for it in vain.
  });
  waits.Await(2);
  shared.UnlockShared();
  tasks_->Join(writer);
  tasks_->Join(reader);
}

}  // namespace
}  // namespace kiban::base
