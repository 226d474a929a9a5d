// Lives one plan: boots a simulated machine, runs the workload through the engine, crashes it where
// the plan says, lets it recover, and judges everything that is read by the model.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/digest.h"
#include "sim/machine.h"
#include "sim/trace.h"
#include "suites/support/plan.h"
#include "suites/support/verdict.h"

namespace kiban::suites {

// What happened, in numbers. Everything adds up over lives.
struct LifeCounts {
  uint64_t operations = 0;
  uint64_t seam_calls = 0;
  uint64_t power_cuts = 0, kills = 0;  // At planned points.
  uint64_t recoveries_cut = 0;         // Inside recoveries.
  uint64_t reopens = 0;
  uint64_t flushes = 0, compactions = 0, manifests = 0;
  TablesWritten tables;
  // Completed opens of a database that had been opened before, by the formats of both; and those
  // of them that changed it.
  std::map<std::string, uint64_t> format_pairs;
  uint64_t format_switches = 0;
  uint64_t micro_ops_kept = 0, micro_ops_lost = 0, micro_ops_torn = 0;
  std::map<std::string, uint64_t> kept_sets;  // Power cuts, by what became of all they owed.
  uint64_t sync_errors_armed = 0, sync_errors_fired = 0;
  std::map<std::string, uint64_t> crash_points;  // Innermost span -> cuts there.
  std::map<std::string, uint64_t> marks;

  LifeCounts& operator+=(const LifeCounts& other);
};

struct LifeReport {
  Verdict verdict = Verdict::kHeld;
  std::string complaint;   // kind, in fixed words; empty if held.
  std::string detail;      // For people: key, sequence, what promised it.
  std::string crash_span;  // Of the last cut before the complaint; empty if there was none.
  sim::Digest digest;
  std::vector<sim::Digest> digest_blocks;  // After each 1,024 events, and at the end.
  uint64_t schedule = 0;  // Hash of every change from one task to another; 0: there was none.
  LifeCounts counts;
  std::vector<sim::DrawnSteps> steps;  // All that the schedule could draw.
  Plan resolved;                       // The plan with every decision that was taken listed in it.
  uint64_t misfits = 0;                // Places of the plan that the life never came to ...
  std::string first_misfit;            // ... and the first of them, in words.
  uint64_t not_owed = 0;       // Listed micro-operations that were not owed at their cut ...
  std::string first_not_owed;  // ... and the first of them.

  // "violated: acknowledged write lost: flush.F6": by which failures are grouped.
  std::string Signature() const;
};

struct LifeOptions {
  uint64_t step_budget = 4'000'000;  // Calls of the seam and accesses to atomics.
  // For measuring what the digest costs.
  sim::Trace::Recording recording = sim::Trace::Recording::kEverything;
  std::vector<sim::Event>* kept_events = nullptr;  // For Recording::kAndKeep.
  // Called for each decision as it is taken, so that it survives the death of this process.
  std::function<void(std::string_view text)> on_decision;
  // See sim::MachineOptions.
  std::function<void(const sim::Machine&)> on_strike;
  sim::FateMatch fate_match = sim::FateMatch::kExact;
  // Whoever watches; null in sweeps.
  std::function<void(const sim::Told&)> on_event;
  // See sim::MachineOptions.
  std::function<void(uint64_t number)> before_event;
  std::vector<sim::ExtraSync> extra_syncs;
  // See sim::MachineOptions.
  std::function<void(uint32_t n, sim::CutMoment moment, const sim::Disk& disk)> on_cut;
};

LifeReport RunLife(const Plan& plan, const LifeOptions& options);

}  // namespace kiban::suites
