// Several clients at once on a shared handle, background maintenance, a seeded schedule, four
// crashes.
#pragma once

#include "sim/disk/profile.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/plan.h"

namespace kiban::suites {

Plan GenerateConcurrentLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile);
Plan GenerateShortConcurrentLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile);

}  // namespace kiban::suites
