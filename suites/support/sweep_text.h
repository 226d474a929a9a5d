// What a person reads at the end of a sweep, and of each failure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "suites/support/results.h"

namespace kiban::suites {

// VIOLATED  crash  seed 92  digest 5f02c1d7
//   <detail>
//   case:   kiban-failures/crash-92.case
//   replay: kiban replay kiban-failures/crash-92.case --timeline
std::string FailureText(const SweepRequest& request, const FailureGroup& group);

// One line a sweep, aligned, under a heading.
std::string SweepTable(std::span<const SweepResult> results);

// What green does not cover, one line each: seeds that were not lived, spans and marks that were
// not reached, faults that were not injected, profiles that were not run.
std::vector<std::string> NotCovered(const SweepResult& result);
// These, and what is worth a line of its own besides.
std::string NotCoveredText(const SweepResult& result);

// All of these: what is not covered first, then the table, and at the very end what a person has to
// act on.
std::string SweepsText(std::span<const SweepResult> results);

}  // namespace kiban::suites
