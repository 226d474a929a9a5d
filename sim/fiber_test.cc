// Goal:   a fiber keeps its stack across switches, ends by itself, and its stack is used again.
// Method: interleave two of them step by step; then make many, one after the other.
#include "sim/fiber.h"

#include <gtest/gtest.h>

#include <string>

namespace kiban::sim {
namespace {

TEST(Fiber, GoesOnWhereItWasLeft) {
  std::string story;
  const auto body = [&story](char name) {
    return [&story, name] {
      for (int step = 0; step < 3; ++step) {
        story += name;
        story += static_cast<char>('0' + step);
        Fiber::Suspend();
      }
    };
  };
  Fiber a(body('a'));
  Fiber b(body('b'));
  while (!a.done() || !b.done()) {
    if (!a.done()) a.Resume();
    if (!b.done()) b.Resume();
  }
  EXPECT_EQ(story, "a0b0a1b1a2b2");
}

TEST(Fiber, ReusesStacksWithoutLeavingTracesOfTheLastOne) {
  const char* first_frame = nullptr;
  for (int i = 0; i < 1000; ++i) {
    Fiber fiber([&first_frame, i] {
      volatile char local = static_cast<char>(i);
      const char* const frame = const_cast<const char*>(&local);
      if (i == 0) first_frame = frame;
      Fiber::Suspend();
      ASSERT_EQ(local, static_cast<char>(i));
    });
    fiber.Resume();
    fiber.Resume();
    ASSERT_TRUE(fiber.done());
  }
  EXPECT_NE(first_frame, nullptr);
}

TEST(FiberDeathTest, DestroyingASuspendedFiberIsAMistake) {
  EXPECT_DEATH(
      {
        Fiber fiber([] { Fiber::Suspend(); });
        fiber.Resume();
      },
      "CHECK failed");
}

}  // namespace
}  // namespace kiban::sim
