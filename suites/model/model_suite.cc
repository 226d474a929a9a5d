#include "suites/model/model_suite.h"

#include <string>

#include "suites/support/workload.h"

namespace kiban::suites {

Plan GenerateModelLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile) {
  const WorkloadShape shape = {
      .operations_min = 150, .operations_max = 250, .cursors = true, .reopens_max = 6};
  const sim::Rng rng(seed);
  Plan plan;
  plan.suite = "model";
  plan.engine = std::string(engine.name);
  plan.profile = std::string(profile.name);
  plan.seed = seed;
  plan.options = DrawOptions(engine, rng.Stream("options"));
  plan.operations = DrawWorkload(engine, shape, rng.Stream("workload"));
  return plan;
}

}  // namespace kiban::suites
