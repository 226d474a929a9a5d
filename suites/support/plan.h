// One life before it is lived, and after: a value that holds all that decides it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/faults/faults.h"
#include "sim/rng.h"
#include "sim/schedules/choices.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/operation.h"

namespace kiban::suites {

struct Plan {
  std::string suite;
  std::string engine = "lsm";
  std::string profile = "strict";
  sim::Seed seed = 0;       // Of every draw that is not listed: durations, fates.
  std::string planted_bug;  // In the engine's own code (Engine::bugs); empty for none.
  EngineOptions options;    // Of the first open.
  // What the n-th boot opens with from here on, if it is another than before: the recovery from a
  // crash has other options than what crashed. Boots are counted from 1, as in sim::Anchor.
  std::map<uint32_t, EngineOptions> boots;
  // 0: one client works on a direct handle. Otherwise so many tasks share one.
  uint32_t clients = 0;
  std::vector<Operation> operations;
  sim::FaultPlan faults;
  // Of each process, whose luck it has (sim::MachineOptions); what is not listed has its own.
  std::vector<uint32_t> lucks;
  sim::ScheduleChoices schedule;  // Which steps of tasks are drawn; absent: all.
  // A generated life of a suite with crashes must suffer this many; a case has what it says.
  uint32_t crashes_expected = 0;
};

}  // namespace kiban::suites
