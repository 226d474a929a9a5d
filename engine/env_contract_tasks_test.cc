// Goal:   what engine/env.h says of tasks, over threads and in a simulation alike.
// Method: one short story a case. What tasks share is an Atomic, or written before a join and read
//         after it; whoever waits, parks; time is the world's own clock.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "engine/base/atomic.h"
#include "engine/env_contract.h"

namespace kiban::engine {
namespace {

using Word = base::Atomic<uint32_t>;

constexpr uint32_t kEverybody = UINT32_MAX;
constexpr base::Ticks kShortWhile = 2'000;
constexpr uint32_t kRounds = 300;

void AwaitChange(const Env& env, const Word& word, uint32_t from) {
  while (word.Load() == from) env.tasks->Park(word.word(), from, Tasks::kForever);
}

void Set(const Env& env, Word& word, uint32_t value) {
  word.Store(value);
  env.tasks->Unpark(word.word(), kEverybody);
}

// Starting and ending.

void WhatATaskDidIsSeenAfterItsJoin(const Env& env) {
  std::array<int, 4> did = {};
  std::vector<Tasks::Id> ids;
  for (int& mine : did) {
    ids.push_back(env.tasks->Spawn("worker", [&mine] { mine += 7; }));
  }
  EXPECT_EQ(std::set<Tasks::Id>(ids.begin(), ids.end()).size(), did.size());
  for (size_t i = did.size(); i-- > 0;) {
    env.tasks->Join(ids[i]);
    EXPECT_EQ(did[i], 7);
  }
}

void TasksStartAndJoinTasks(const Env& env) {
  int depth = 0;
  const Tasks::Id outer = env.tasks->Spawn("outer", [&env, &depth] {
    const Tasks::Id inner = env.tasks->Spawn("inner", [&depth] { depth = 2; });
    env.tasks->Join(inner);
    ++depth;
  });
  env.tasks->Join(outer);
  EXPECT_EQ(depth, 3);
}

void AnyOtherTaskMayJoin(const Env& env) {
  int value = 0;
  int seen = 0;
  const Tasks::Id first = env.tasks->Spawn("first", [&value] { value = 5; });
  const Tasks::Id second = env.tasks->Spawn("second", [&env, &value, &seen, first] {
    env.tasks->Join(first);
    seen = value;
  });
  env.tasks->Join(second);
  EXPECT_EQ(seen, 5);
}

void IdsAreNotGivenAgain(const Env& env) {
  std::set<Tasks::Id> ids;
  for (int i = 0; i < 50; ++i) {
    const Tasks::Id id = env.tasks->Spawn("short", [] {});
    env.tasks->Join(id);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 50u);
}

void YieldsChangeNothing(const Env& env) {
  int steps = 0;
  const Tasks::Id id = env.tasks->Spawn("walker", [&env, &steps] {
    for (int i = 0; i < 100; ++i) {
      env.tasks->Yield();
      ++steps;
    }
  });
  for (int i = 0; i < 100; ++i) env.tasks->Yield();
  env.tasks->Join(id);
  EXPECT_EQ(steps, 100);
}

// Time.

void SleepsEndAtTheirTimeOrLater(const Env& env) {
  const base::Ticks until = env.clock->MonotonicNow() + kShortWhile;
  env.tasks->SleepUntil(until);
  EXPECT_GE(env.clock->MonotonicNow(), until);
  env.tasks->SleepUntil(0);  // Long past: no sleep at all.
}

void SleepersDoNotHoldEachOtherUp(const Env& env) {
  const base::Ticks start = env.clock->MonotonicNow();
  std::array<base::Ticks, 3> woke = {};
  std::vector<Tasks::Id> ids;
  for (size_t i = 0; i < woke.size(); ++i) {
    ids.push_back(env.tasks->Spawn("sleeper", [&env, &woke, i, start] {
      env.tasks->SleepUntil(start + (i + 1) * kShortWhile);
      woke[i] = env.clock->MonotonicNow();
    }));
  }
  for (const Tasks::Id id : ids) env.tasks->Join(id);
  for (size_t i = 0; i < woke.size(); ++i) EXPECT_GE(woke[i], start + (i + 1) * kShortWhile);
}

// Parking. Each of these hangs, and runs into its time limit, where a wake-up is lost.

void NobodyParksOnAnotherValue(const Env& env) {
  const Word word(1);
  env.tasks->Park(word.word(), 0, Tasks::kForever);
  EXPECT_EQ(word.Load(), 1u);
}

void AParkEndsByItsDeadline(const Env& env) {
  const Word word(0);
  const base::Ticks deadline = env.clock->MonotonicNow() + kShortWhile;
  while (env.clock->MonotonicNow() < deadline) env.tasks->Park(word.word(), 0, deadline);
  env.tasks->Park(word.word(), 0, deadline);  // It has passed.
  env.tasks->Park(word.word(), 0, 0);
  EXPECT_EQ(word.Load(), 0u);
}

void AWakeUpComesBeforeAFarDeadline(const Env& env) {
  constexpr base::Ticks kFarAway = 1'000'000'000'000;
  const base::Ticks deadline = env.clock->MonotonicNow() + kFarAway;
  Word word(0);
  const Tasks::Id id = env.tasks->Spawn("waker", [&env, &word] { Set(env, word, 1); });
  while (word.Load() == 0) env.tasks->Park(word.word(), 0, deadline);
  env.tasks->Join(id);
  EXPECT_LT(env.clock->MonotonicNow(), deadline);
}

void NoWakeUpIsLostBetweenTwo(const Env& env) {
  Word ball(0);  // Even: with the first player.
  const Tasks::Id second = env.tasks->Spawn("second", [&env, &ball] {
    for (uint32_t round = 0; round < kRounds; ++round) {
      AwaitChange(env, ball, 2 * round);
      Set(env, ball, 2 * round + 2);
    }
  });
  for (uint32_t round = 0; round < kRounds; ++round) {
    Set(env, ball, 2 * round + 1);
    AwaitChange(env, ball, 2 * round + 1);
  }
  env.tasks->Join(second);
  EXPECT_EQ(ball.Load(), 2 * kRounds);
}

void EverybodyIsWoken(const Env& env) {
  Word word(0);
  Word saw_it(0);
  std::vector<Tasks::Id> ids;
  for (int i = 0; i < 4; ++i) {
    ids.push_back(env.tasks->Spawn("waiter", [&env, &word, &saw_it] {
      AwaitChange(env, word, 0);
      saw_it.FetchAdd(1);
    }));
  }
  env.tasks->Yield();
  Set(env, word, 1);
  for (const Tasks::Id id : ids) env.tasks->Join(id);
  EXPECT_EQ(saw_it.Load(), 4u);
}

// Takes one token, and waits while there is none.
void Take(const Env& env, Word& tokens) {
  uint32_t seen = tokens.Load();
  while (true) {
    while (seen == 0) {
      env.tasks->Park(tokens.word(), 0, Tasks::kForever);
      seen = tokens.Load();
    }
    if (tokens.CompareExchange(seen, seen - 1)) return;
  }
}

void WakingOneATimeReachesAll(const Env& env) {
  constexpr uint32_t kTakers = 3;
  constexpr uint32_t kTokensEach = 50;
  Word tokens(0);
  std::vector<Tasks::Id> ids;
  for (uint32_t i = 0; i < kTakers; ++i) {
    ids.push_back(env.tasks->Spawn("taker", [&env, &tokens] {
      for (uint32_t taken = 0; taken < kTokensEach; ++taken) Take(env, tokens);
    }));
  }
  for (uint32_t given = 0; given < kTakers * kTokensEach; ++given) {
    tokens.FetchAdd(1);
    env.tasks->Unpark(tokens.word(), 1);
  }
  for (const Tasks::Id id : ids) env.tasks->Join(id);
  EXPECT_EQ(tokens.Load(), 0u);
}

void WordsAreToldApart(const Env& env) {
  std::array<Word, 2> words;
  std::array<Word, 2> arrived;
  std::vector<Tasks::Id> ids;
  for (size_t i = 0; i < words.size(); ++i) {
    ids.push_back(env.tasks->Spawn("waiter", [&env, &words, &arrived, i] {
      AwaitChange(env, words[i], 0);
      Set(env, arrived[i], 1);
    }));
  }
  Set(env, words[1], 1);
  AwaitChange(env, arrived[1], 0);
  EXPECT_EQ(arrived[0].Load(), 0u);
  Set(env, words[0], 1);
  for (const Tasks::Id id : ids) env.tasks->Join(id);
}

void NobodyNeedWaitForAWakeUp(const Env& env) {
  const Word word(0);
  env.tasks->Unpark(word.word(), 1);
  env.tasks->Unpark(word.word(), kEverybody);
  EXPECT_EQ(word.Load(), 0u);
}

}  // namespace

const std::vector<ContractCase>& TaskContractCases() {
  static const std::vector<ContractCase> cases = {
      {"WhatATaskDidIsSeenAfterItsJoin", WhatATaskDidIsSeenAfterItsJoin},
      {"TasksStartAndJoinTasks", TasksStartAndJoinTasks},
      {"AnyOtherTaskMayJoin", AnyOtherTaskMayJoin},
      {"IdsAreNotGivenAgain", IdsAreNotGivenAgain},
      {"YieldsChangeNothing", YieldsChangeNothing},
      {"SleepsEndAtTheirTimeOrLater", SleepsEndAtTheirTimeOrLater},
      {"SleepersDoNotHoldEachOtherUp", SleepersDoNotHoldEachOtherUp},
      {"NobodyParksOnAnotherValue", NobodyParksOnAnotherValue},
      {"AParkEndsByItsDeadline", AParkEndsByItsDeadline},
      {"AWakeUpComesBeforeAFarDeadline", AWakeUpComesBeforeAFarDeadline},
      {"NoWakeUpIsLostBetweenTwo", NoWakeUpIsLostBetweenTwo},
      {"EverybodyIsWoken", EverybodyIsWoken},
      {"WakingOneATimeReachesAll", WakingOneATimeReachesAll},
      {"WordsAreToldApart", WordsAreToldApart},
      {"NobodyNeedWaitForAWakeUp", NobodyNeedWaitForAWakeUp},
  };
  return cases;
}

}  // namespace kiban::engine
