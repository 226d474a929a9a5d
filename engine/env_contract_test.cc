// Goal:   every world behind the seam behaves the same while nothing fails.
// Method: run each case of env_contract_cases_test.cc in each world of the table below, fresh and
//         empty each time, and those of env_contract_tasks_test.cc in each that has tasks. A new
//         world is one more row.
#include "engine/env_contract.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "engine/memory/memory_env.h"
#include "engine/posix/posix_env.h"
#include "engine/posix/temporary_dir.h"

namespace kiban::engine {
namespace {

using RunWorld = void (*)(const std::function<void(const Env&)>& body);

void RunInMemory(const std::function<void(const Env&)>& body) {
  memory::MemoryEnv world;
  body(world.env());
}

void RunOnLinux(const std::function<void(const Env&)>& body) {
  const auto dir = posix::TemporaryDir::Make();
  ASSERT_TRUE(dir.ok()) << dir.status();
  posix::PosixEnv world(dir->path());
  body(world.env());
}

struct Story {
  std::string name;
  RunWorld run_world;
  void (*body)(const Env& env);
};

void PrintTo(const Story& story, std::ostream* out) { *out << story.name; }

struct World {
  std::string name;
  RunWorld run;
  bool has_tasks;
};

std::vector<Story> Stories() {
  const std::vector<World> worlds = {
      {.name = "memory", .run = RunInMemory, .has_tasks = false},
      {.name = "posix", .run = RunOnLinux, .has_tasks = true},
  };
  std::vector<Story> stories;
  for (const World& world : worlds) {
    std::vector<ContractCase> cases = ContractCases();
    const std::vector<ContractCase>& of_tasks = TaskContractCases();
    if (world.has_tasks) cases.insert(cases.end(), of_tasks.begin(), of_tasks.end());
    for (const ContractCase& each : cases) {
      stories.push_back({world.name + "_" + std::string(each.name), world.run, each.body});
    }
  }
  return stories;
}

class EveryWorld : public testing::TestWithParam<Story> {};

TEST_P(EveryWorld, KeepsTheContract) {
  bool ran = false;
  GetParam().run_world([&ran](const Env& env) {
    GetParam().body(env);
    ran = true;
  });
  EXPECT_TRUE(ran);
}

INSTANTIATE_TEST_SUITE_P(Worlds, EveryWorld, testing::ValuesIn(Stories()),
                         [](const auto& story) { return story.param.name; });

}  // namespace
}  // namespace kiban::engine
