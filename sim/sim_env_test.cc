// Goal:   while nothing fails, a simulated machine behaves like every other world behind the seam.
// Method: each case of env_contract_cases_test.cc and env_contract_tasks_test.cc is the program of
//         a fresh machine that nothing is planned for, those about tasks under many schedules.
#include <gtest/gtest.h>

#include <string>

#include "engine/env_contract.h"
#include "sim/world.h"

namespace kiban::sim {
namespace {

class Told final : public Program {
 public:
  explicit Told(const engine::ContractCase& told) : told_(told) {}
  void Run(const engine::Env& env) override { told_.body(env); }
  void Crashed(FaultKind) override { FAIL(); }

 private:
  const engine::ContractCase& told_;
};

class SimulatedFiles : public testing::TestWithParam<engine::ContractCase> {};

TEST_P(SimulatedFiles, KeepTheContract) {
  World world(/*seed=*/1, kStrict, FaultPlan{}, MachineOptions{});
  Told program(GetParam());
  EXPECT_EQ(world.Live(program), Ending::kFinished);
  EXPECT_GT(world.machine().calls, 0u);
}

class SimulatedTasks : public testing::TestWithParam<engine::ContractCase> {};

TEST_P(SimulatedTasks, KeepTheContractUnderManySchedules) {
  for (Seed seed = 0; seed < 50; ++seed) {
    World world(seed, kStrict, FaultPlan{}, MachineOptions{});
    Told program(GetParam());
    ASSERT_EQ(world.Live(program), Ending::kFinished) << seed << ": " << world.DescribeTasks();
    EXPECT_GT(world.machine().tasks.steps(), 0u);
  }
}

std::string NameOf(const testing::TestParamInfo<engine::ContractCase>& each) {
  return std::string(each.param.name);
}
INSTANTIATE_TEST_SUITE_P(Contract, SimulatedFiles, testing::ValuesIn(engine::ContractCases()),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Contract, SimulatedTasks, testing::ValuesIn(engine::TaskContractCases()),
                         NameOf);

}  // namespace
}  // namespace kiban::sim
