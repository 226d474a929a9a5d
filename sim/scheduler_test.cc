// Goal:   the scheduler decides every interleaving by the seed alone, time jumps only when all
// wait,
//         races are found, and tasks that wait for ever are told apart and described.
// Method: small programs of two or three tasks, lived under many seeds.
#include "sim/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/base/mark.h"
#include "engine/base/sync.h"
#include "sim/schedules/random.h"
#include "sim/world.h"

namespace kiban::sim {
namespace {

using base::Atomic;
using base::CondVar;
using base::Mutex;
using base::MutexLock;
using engine::Tasks;

class Story final : public Program {
 public:
  explicit Story(std::function<void(const engine::Env&)> body) : body_(std::move(body)) {}
  void Run(const engine::Env& env) override { body_(env); }
  void Crashed(FaultKind) override {}

 private:
  std::function<void(const engine::Env&)> body_;
};

struct Lived {
  Ending ending;
  std::string tasks;  // What those wait for that have not ended.
  uint64_t schedule;
  Digest digest;
};

Lived Live(Seed seed, const FaultPlan& faults, std::function<void(const engine::Env&)> body) {
  World world(seed, kStrict, faults, {.step_budget = 100'000});
  Story story(std::move(body));
  const Ending ending = world.Live(story);
  return {ending, world.DescribeTasks(), world.machine().tasks.hash(), world.FinishDigest()};
}

void RunTogether(const engine::Env& env, const std::vector<std::function<void()>>& bodies) {
  std::vector<Tasks::Id> ids;
  for (const auto& body : bodies) ids.push_back(env.tasks->Spawn("worker", body));
  for (const Tasks::Id id : ids) env.tasks->Join(id);
}

TEST(Scheduler, TheSeedAloneDecidesTheOrderAndSeedsDiffer) {
  std::set<std::string> orders;
  for (Seed seed = 0; seed < 400; ++seed) {
    std::string order;
    const auto body = [&](const engine::Env& env) {
      order.clear();
      Atomic<int> shared{0};
      const auto three_steps = [&](char name) {
        return [&, name] {
          for (int i = 0; i < 3; ++i) {
            shared.FetchAdd(1);
            order += name;
          }
        };
      };
      RunTogether(env, {three_steps('a'), three_steps('b')});
    };
    const Lived first = Live(seed, {}, body);
    const std::string first_order = order;
    const Lived second = Live(seed, {}, body);
    EXPECT_EQ(order, first_order);
    EXPECT_EQ(first.digest, second.digest);
    EXPECT_EQ(first.schedule, second.schedule);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 20u);  // All that there are: 6 over 3.
}

TEST(Scheduler, ALostUpdateIsFoundAndAMutexPreventsIt) {
  bool lost = false;
  for (Seed seed = 0; seed < 50; ++seed) {
    for (const bool locks : {false, true}) {
      Live(seed, {}, [&](const engine::Env& env) {
        Atomic<int> count{0};
        Mutex mutex(env.tasks, "count");
        const auto add_twice = [&] {
          for (int i = 0; i < 2; ++i) {
            if (locks) mutex.Lock();
            const int seen = count.Load();
            count.Store(seen + 1);
            if (locks) mutex.Unlock();
          }
        };
        RunTogether(env, {add_twice, add_twice});
        const int total = count.Load();
        if (locks) {
          EXPECT_EQ(total, 4);
        } else {
          lost |= total < 4;
        }
      });
    }
  }
  EXPECT_TRUE(lost);
}

TEST(Scheduler, TimeJumpsToTheNextDeadlineWhenAllWait) {
  for (Seed seed = 0; seed < 20; ++seed) {
    std::string order;
    Live(seed, {}, [&](const engine::Env& env) {
      const base::Ticks start = env.clock->MonotonicNow();
      const auto sleep = [&](base::Ticks ticks, char name) {
        return [&, ticks, name] {
          env.tasks->SleepUntil(start + ticks);
          order += name;
          EXPECT_GE(env.clock->MonotonicNow(), start + ticks);
        };
      };
      RunTogether(env, {sleep(2'000'000, 'c'), sleep(1'000'000, 'b'), sleep(1000, 'a')});
      EXPECT_LT(env.clock->MonotonicNow(), start + 2'100'000);
    });
    EXPECT_EQ(order, "abc");
  }
}

TEST(Scheduler, ACallOfTheSeamLetsOthersRunWhileItTakesItsTime) {
  bool overtaken = false;
  for (Seed seed = 0; seed < 20; ++seed) {
    Live(seed, {}, [&](const engine::Env& env) {
      bool synced = false;
      const auto sync = [&] {
        static_cast<void>(env.files->SyncDir(""));
        synced = true;
      };
      RunTogether(env, {sync, [&] { overtaken |= !synced; }});
    });
  }
  EXPECT_TRUE(overtaken);
}

TEST(Scheduler, TellsADeadlockAndWhoWaitsForWhat) {
  bool found = false;
  for (Seed seed = 0; seed < 50 && !found; ++seed) {
    const Lived lived = Live(seed, {}, [](const engine::Env& env) {
      // Shared: what hangs for ever goes on using it.
      const auto left = std::make_shared<Mutex>(env.tasks, "left");
      const auto right = std::make_shared<Mutex>(env.tasks, "right");
      const auto both = [](std::shared_ptr<Mutex> first, std::shared_ptr<Mutex> second) {
        return [=] {
          SPAN("crossing");
          const MutexLock one(*first);
          const MutexLock two(*second);
        };
      };
      RunTogether(env, {both(left, right), both(right, left)});
    });
    if (lived.ending == Ending::kFinished) continue;
    found = true;
    EXPECT_EQ(lived.ending, Ending::kDeadlock);
    EXPECT_EQ(lived.tasks,
              "main joins worker; worker waits for the lock right in crossing; worker#2 waits for "
              "the lock left in crossing");
  }
  EXPECT_TRUE(found);
}

// The flag is looked at without the lock that guards it, so the only notification may come between
// the look and the wait.
TEST(Scheduler, TellsALostWakeUp) {
  bool found = false;
  for (Seed seed = 0; seed < 200 && !found; ++seed) {
    const Lived lived = Live(seed, {}, [](const engine::Env& env) {
      const auto mutex = std::make_shared<Mutex>(env.tasks, "room");
      const auto room = std::make_shared<CondVar>(env.tasks, "room");
      const auto there = std::make_shared<Atomic<bool>>(false);
      const auto wait = [=] {
        if (there->Load()) return;
        const MutexLock lock(*mutex);
        room->Wait(*mutex);
      };
      const auto notify = [=] {
        there->Store(true);
        room->NotifyAll();
      };
      RunTogether(env, {wait, notify});
    });
    if (lived.ending == Ending::kFinished) continue;
    found = true;
    EXPECT_EQ(lived.ending, Ending::kLostWakeUp);
    EXPECT_EQ(lived.tasks, "main joins worker; worker waits for room");
  }
  EXPECT_TRUE(found);
}

TEST(Scheduler, ALivelockUsesUpItsSteps) {
  const Lived lived = Live(1, {}, [](const engine::Env& env) {
    const auto ball = std::make_shared<Atomic<int>>(0);
    const auto play = [=](int side) {
      return [=] {
        while (ball->Load() != 2) ball->Store(side);
      };
    };
    RunTogether(env, {play(0), play(1)});
  });
  EXPECT_EQ(lived.ending, Ending::kGaveUp);
}

FaultPlan KillAt(const char* span) {
  FaultPlan plan;
  plan.cuts.push_back(
      {.kind = FaultKind::kKill, .place = Anchor{.boot = 1, .span = span, .occurrence = 1}});
  return plan;
}

TEST(Scheduler, LocksAndWakeUpsGoOnWorkingInADeadProcess) {
  for (Seed seed = 0; seed < 50; ++seed) {
    int boots = 0;
    const Lived lived = Live(seed, KillAt("work"), [&](const engine::Env& env) {
      if (++boots == 2) return;
      Mutex mutex(env.tasks, "queue");
      CondVar changed(env.tasks, "changed");
      bool done = false;
      const auto work = [&] {
        SPAN("work");
        const absl::Status status = env.files->SyncDir("");
        EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
        const MutexLock lock(mutex);
        done = true;
        changed.NotifyAll();
      };
      const auto wait = [&] {
        const MutexLock lock(mutex);
        while (!done) changed.Wait(mutex);
      };
      RunTogether(env, {work, wait, wait});
    });
    EXPECT_EQ(lived.ending, Ending::kFinished);
    EXPECT_EQ(boots, 2);
  }
}

TEST(Scheduler, ADeadProcessThatWaitsForEverDoesNotRunOut) {
  const Lived lived = Live(1, KillAt("work"), [](const engine::Env& env) {
    const auto word = std::make_shared<uint32_t>(0);
    const auto work = [word, &env] {
      SPAN("work");
      if (env.files->SyncDir("").ok()) env.tasks->Unpark(word.get(), 1);
    };
    const auto wait = [word, &env] { env.tasks->Park(word.get(), 0, Tasks::kForever); };
    RunTogether(env, {work, wait});
    while (true) env.tasks->Park(word.get(), 0, Tasks::kForever);
  });
  EXPECT_EQ(lived.ending, Ending::kDoesNotRunOut);
}

// One client's operation is taken out: the luck of the others stays as it was.
TEST(Scheduler, WhatOneTaskDoesLeavesTheLuckOfTheOthersAlone) {
  const auto drawn_by_second = [](int steps_of_first) {
    std::vector<uint64_t> drawn;
    Live(7, {}, [&](const engine::Env& env) {
      const auto first = env.tasks->Spawn("first", [&] {
        for (int i = 0; i < steps_of_first; ++i) static_cast<void>(env.files->SyncDir(""));
      });
      const auto second = env.tasks->Spawn("second", [&] {
        for (int i = 0; i < 5; ++i) {
          SPAN("draw");
          drawn.push_back(env.random->Next());
        }
      });
      env.tasks->Join(first);
      env.tasks->Join(second);
    });
    return drawn;
  };
  EXPECT_EQ(drawn_by_second(3), drawn_by_second(11));
}

// The times at which a task makes its steps depend on its own steps, not on who else was asked.
TEST(RandomSchedule, DrawsForATaskByItsOwnStepsAlone) {
  const auto draws_of_second = [](uint64_t steps_of_first) {
    RandomSchedule schedule;
    schedule.Begin(Rng(3));
    Candidate first{.key = 1};
    Candidate second{.key = 2};
    std::vector<uint64_t> draws;
    for (; second.steps < 20; ++second.steps) {
      for (uint64_t i = 0; i < steps_of_first; ++i, ++first.steps) {
        first.due = second.due = 0;
        Candidate* const both[] = {&first, &second};
        schedule.Choose(both);
        schedule.Pause(first);
      }
      draws.push_back(schedule.Draw(second, Choice::kStep, 1000));
      draws.push_back(schedule.Pause(second));
    }
    return draws;
  };
  EXPECT_EQ(draws_of_second(0), draws_of_second(5));
}

// A calm task goes on until it waits; a step that is drawn may let the other pass.
TEST(RandomSchedule, OnlyTheStepsThatAreListedAreDrawn) {
  const auto switches = [](ScheduleChoices choices) {
    size_t most = 0;
    for (Seed seed = 0; seed < 50; ++seed) {
      World world(seed, kStrict, {}, {.schedule = choices, .step_budget = 100'000});
      std::string order;
      Story story([&](const engine::Env& env) {
        Atomic<int> shared{0};
        const auto work = [&](char name) {
          return [&, name] {
            for (int i = 0; i < 20; ++i) {
              shared.FetchAdd(1);
              if (order.empty() || order.back() != name) order += name;
            }
          };
        };
        RunTogether(env, {work('a'), work('b')});
      });
      EXPECT_EQ(world.Live(story), Ending::kFinished);
      most = std::max(most, order.size());
    }
    return most;
  };
  EXPECT_GT(switches(std::nullopt), 10u);
  EXPECT_EQ(switches(ScheduleChoices::value_type{}), 2u);
  EXPECT_EQ(switches({{{.task = "worker", .from = 10, .to = 10}}}), 3u);
  EXPECT_EQ(switches({{{.boot = 2, .task = "worker", .from = 10, .to = 10}}}), 2u);
}

// What is listed of a life is all that was drawn in it.
TEST(Scheduler, AllStepsListedAreTheSameLife) {
  const auto body = [](const engine::Env& env) {
    Atomic<int> shared{0};
    const auto work = [&] {
      for (int i = 0; i < 20; ++i) shared.FetchAdd(1);
    };
    RunTogether(env, {work, work, work});
  };
  World drawn(5, kStrict, {}, {});
  Story story(body);
  drawn.Live(story);
  World listed(5, kStrict, {}, {.schedule = drawn.machine().tasks.all_steps()});
  Story again(body);
  listed.Live(again);
  EXPECT_EQ(drawn.machine().tasks.hash(), listed.machine().tasks.hash());
  EXPECT_EQ(drawn.FinishDigest(), listed.FinishDigest());
}

// Taking its first operation away leaves a task's second as it was.
TEST(RandomSchedule, DrawsForAnOperationByItsOwnStepsAlone) {
  RandomSchedule schedule;
  schedule.Begin(Rng(3));
  const Candidate alone{.key = 1, .operation = 7, .steps = 4};
  const Candidate other{.key = 1, .operation = 8, .steps = 4};
  EXPECT_EQ(schedule.Draw(alone, Choice::kStep, 1'000'000),
            schedule.Draw(alone, Choice::kStep, 1'000'000));
  EXPECT_NE(schedule.Draw(alone, Choice::kStep, 1'000'000),
            schedule.Draw(other, Choice::kStep, 1'000'000));
}

// The workload is the same for all seeds: only the scheduler makes the difference.
TEST(Scheduler, AThousandSeedsAreAThousandSchedulesOfOneWorkload) {
  std::set<uint64_t> schedules;
  for (Seed seed = 0; seed < 1000; ++seed) {
    const Lived lived = Live(seed, {}, [](const engine::Env& env) {
      Mutex mutex(env.tasks, "work");
      const auto work = [&] {
        for (int i = 0; i < 10; ++i) {
          const MutexLock lock(mutex);
        }
      };
      RunTogether(env, {work, work, work});
    });
    schedules.insert(lived.schedule);
  }
  EXPECT_GE(schedules.size(), 990u);
}

// Readers together, a writer alone, and a writer that waits gets its turn.
TEST(Scheduler, ASharedMutexHoldsUnderEverySchedule) {
  bool read_together = false;
  for (Seed seed = 0; seed < 100; ++seed) {
    const Lived lived = Live(seed, {}, [&](const engine::Env& env) {
      base::SharedMutex mutex(env.tasks, "shared");
      Atomic<int> readers{0};
      Atomic<int> writers{0};
      const auto read = [&] {
        for (int i = 0; i < 3; ++i) {
          mutex.LockShared();
          readers.FetchAdd(1);
          EXPECT_EQ(writers.Load(), 0);
          read_together |= readers.Load() > 1;
          readers.FetchSub(1);
          mutex.UnlockShared();
        }
      };
      const auto write = [&] {
        for (int i = 0; i < 3; ++i) {
          mutex.Lock();
          EXPECT_EQ(writers.FetchAdd(1), 0);
          EXPECT_EQ(readers.Load(), 0);
          writers.FetchSub(1);
          mutex.Unlock();
        }
      };
      RunTogether(env, {read, write, read, write});
    });
    ASSERT_EQ(lived.ending, Ending::kFinished) << seed << ": " << lived.tasks;
  }
  EXPECT_TRUE(read_together);
}

// Two tasks make files of one kind outside all spans: what a cut says of them must tell them apart.
TEST(Scheduler, FilesOfDifferentTasksAreToldApart) {
  FaultPlan plan;
  plan.cuts.push_back({.kind = FaultKind::kPowerCut, .place = AtEnd{}});
  World world(1, kStrict, plan, {});
  int boots = 0;
  Story story([&](const engine::Env& env) {
    if (++boots == 2) return;
    const auto make = [&](const char* path) {
      return
          [&env, path] { static_cast<void>(env.files->Open(path, engine::OpenMode::kMustCreate)); };
    };
    RunTogether(env, {make("1.log"), make("2.log")});
    world.AllHaveEnded();
  });
  world.Live(story);
  std::set<std::string> fates;
  const FaultPlan resolved = world.machine().striker.Resolved();
  for (const ListedFate& fate : *resolved.cuts[0].fates) {
    EXPECT_TRUE(fates.insert(fate.text.substr(0, fate.text.rfind(' '))).second) << fate.text;
  }
  EXPECT_GE(fates.size(), 2u);
}

TEST(Scheduler, WhatADeadProcessDoesLeavesNoTraceInWhatFollows) {
  const auto digest_after = [](int dead_steps) {
    int boots = 0;
    return Live(5, KillAt("work"),
                [&](const engine::Env& env) {
                  SPAN("work");
                  if (++boots == 1) {
                    for (int i = 0; i < dead_steps; ++i) {
                      static_cast<void>(env.files->SyncDir(""));
                      env.tasks->SleepUntil(1'000'000);
                    }
                    return;
                  }
                  RunTogether(env, {[&] { static_cast<void>(env.files->List("")); }});
                })
        .digest;
  };
  EXPECT_EQ(digest_after(1), digest_after(50));
}

}  // namespace
}  // namespace kiban::sim
