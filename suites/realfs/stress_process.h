// The process that is killed: opens the database, tells what it finds, and keeps it busy.
#pragma once

#include <string>

#include "suites/realfs/call_log.h"
#include "suites/realfs/stress_plan.h"
#include "suites/support/engine_under_test.h"

namespace kiban::suites {

enum class StressEnd {
  kKilled,  // Works until it is killed.
  kClosed,  // Closes what it has found and exits.
};

// Runs in a child and never returns. Exit status 0 after kClosed, 1 after a complaint in the log.
[[noreturn]] void RunStressProcess(const Engine& engine, const StressPlan& plan, uint32_t round,
                                   StressEnd end, const std::string& dir, RoundLog& log);

}  // namespace kiban::suites
