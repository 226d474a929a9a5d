// The formats that an engine can write its tables in: which one an open chooses, and from which to
// which a database has been taken. A database that was cut while one format was being written and
// is recovered by the writer of another is what mixed formats are about, so every open chooses
// anew.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/faults/faults.h"
#include "sim/rng.h"
#include "suites/support/engine_under_test.h"

namespace kiban::suites {

// What `options` write, by name; empty if the engine has one format only.
std::string_view FormatOf(const Engine& engine, const EngineOptions& options);

// Seeds divisible by eight begin with the engine's second format, other even ones with its first,
// odd ones with its third.
void ChooseFormatOfSeed(const Engine& engine, sim::Seed seed, EngineOptions& options);

// What each boot behind a crash of `faults` opens with (Plan::boots). Every format is as likely,
// whatever was written before, so that two of three opens change it.
std::map<uint32_t, EngineOptions> DrawFormatsOfBoots(const Engine& engine,
                                                     const sim::FaultPlan& faults,
                                                     const sim::Rng& rng);

// "sst3->ph2": a database last opened to write one is opened to write the other.
std::string FormatPair(std::string_view from, std::string_view to);
// All of them, those that change nothing too.
std::vector<std::string> FormatPairs(const Engine& engine);

// By the names that engines and results use; without what was not written.
std::map<std::string, uint64_t> ByFormat(const TablesWritten& tables);

}  // namespace kiban::suites
