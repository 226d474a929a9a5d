// Without faults: the whole interface of an engine against the model.
#pragma once

#include "sim/disk/profile.h"
#include "sim/rng.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/plan.h"

namespace kiban::suites {

// Every kind of operation that the engine promises: cursors in both directions, snapshots, scans,
// and clean reopens with other options.
Plan GenerateModelLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile);

}  // namespace kiban::suites
