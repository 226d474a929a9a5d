// The suite `crash`: one client, a direct handle, maintenance in the caller; four crashes anywhere.
#pragma once

#include "suites/support/suite.h"

namespace kiban::suites {

Plan GenerateCrashLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile);
Plan GenerateShortCrashLife(sim::Seed seed, const Engine& engine, const sim::Profile& profile);

}  // namespace kiban::suites
