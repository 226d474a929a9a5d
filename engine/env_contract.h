// What every world behind the seam does alike while nothing fails, as lists of small stories.
//
// A test program that has a world to judge compiles env_contract_cases_test.cc in and runs each
// case in a fresh world whose root directory is empty: env_contract_test.cc shows how. A world with
// tasks does the same with env_contract_tasks_test.cc.
#pragma once

#include <string_view>
#include <vector>

#include "engine/env.h"

namespace kiban::engine {

struct ContractCase {
  std::string_view name;
  void (*body)(const Env& env);  // Speaks through GoogleTest.
};

const std::vector<ContractCase>& ContractCases();

// Of env.tasks. A body is itself run by a task of that world, and needs its clock besides.
const std::vector<ContractCase>& TaskContractCases();

}  // namespace kiban::engine
