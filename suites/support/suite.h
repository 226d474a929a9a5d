// A suite: a question with a name, a generator and what its sweep must have reached to count.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/disk/profile.h"
#include "sim/rng.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/plan.h"

namespace kiban::suites {

struct Suite {
  std::string_view name;
  std::string_view question;  // One sentence, for `kiban suites`.
  bool is_long = false;       // Part of `--suite long`.
  // Whether its lives crash; then the engine's crash_spans and marks are the floors of a sweep.
  bool crashes = false;
  bool shares =
      false;  // Several clients on a shared handle: what only that reaches is due as well.
  uint64_t floor_seeds = 2000;  // Floors are judged when an unsharded sweep ran at least so many.
  using Generate = Plan(sim::Seed seed, const Engine& engine, const sim::Profile& profile);
  Generate* generate = nullptr;
  // Lives of the same kind with few operations, of which a corpus is made; null if none is.
  Generate* generate_short = nullptr;
};

// Whether the engine has the handle that the suite works on.
inline bool CanBeAsked(const Suite& suite, const Engine& engine) {
  return !suite.shares || (engine.open_shared != nullptr && engine.promises.witness);
}

// One explicit table, in the order of `kiban suites`.
const std::vector<Suite>& Suites();
const Suite* FindSuite(std::string_view name);

}  // namespace kiban::suites
