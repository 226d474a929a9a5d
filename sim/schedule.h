// Which task makes the next step: the question that a scheduler asks of a strategy.
//
// What a strategy draws is keyed by the task, by the operation it is at and how many steps it has
// made since that began, and by what the draw is for, so that taking an operation out of a life
// leaves the luck of the others as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/rng.h"

namespace kiban::sim {

// The name of a process's first task.
inline constexpr char kFirstTask[] = "main";

// A task as a strategy sees it.
struct Candidate {
  uint64_t key = 0;        // Of its name; the same in every process.
  uint64_t operation = 0;  // That it has begun; 0: none, or such things are not told.
  uint64_t steps = 0;      // Made since.
  // The strategy's own: when it makes its next step; 0: to be decided.
  uint64_t due = 0;
};

// What a draw is for.
enum class Choice : uint8_t { kStep, kPause, kPauseTicks, kWakeForNoReason, kWhomToWake };

class Schedule {
 public:
  virtual ~Schedule() = default;
  // A process begins; `rng` is its own.
  virtual void Begin(const Rng& rng) = 0;
  // The index of the task to make its next step, among those that can: at least one.
  virtual size_t Choose(std::span<Candidate* const> ready) = 0;
  // Below `n`: one draw for each choice at each step of a task.
  virtual uint64_t Draw(const Candidate& task, Choice choice, uint64_t n) = 0;
  // How many ticks the task is to be held up before its next step, though nothing hinders it: a
  // real scheduler may run others for a long while. Mostly 0.
  virtual uint64_t Pause(const Candidate& task) = 0;
};

}  // namespace kiban::sim
