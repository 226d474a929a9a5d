// Goal:   while nothing fails, a simulated machine behaves like every other world behind the seam.
// Method: each case of env_contract_cases_test.cc and env_contract_tasks_test.cc is the program of
//         a fresh machine that nothing is planned for, those about tasks under many schedules.
#include <gtest/gtest.h>

#include <string>

#include "engine/env_contract.h"
#include "sim/machine.h"

namespace kiban::sim {
namespace {

class SimulatedWorld : public testing::TestWithParam<engine::ContractCase> {};

TEST_P(SimulatedWorld, KeepsTheContract) {
  Machine machine(/*seed=*/1, kStrict, FaultPlan{}, MachineOptions{});
  machine.Boot();
  SimFileSystem files(machine);
  SimClock clock(machine);
  SimRandom chance(machine);
  GetParam().body({.files = &files, .clock = &clock, .random = &chance});
  EXPECT_GT(machine.calls, 0u);
}

INSTANTIATE_TEST_SUITE_P(Contract, SimulatedWorld, testing::ValuesIn(engine::ContractCases()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace kiban::sim
