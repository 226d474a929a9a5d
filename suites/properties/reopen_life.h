// Plays a script on a simulated machine and lets the model judge all that is read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/env.h"
#include "engine/lsm/db.h"
#include "suites/properties/reopen_script.h"

namespace kiban::suites {

// How often scripts came to what they are for.
struct ReopenReach {
  uint64_t power_cuts = 0;
  uint64_t recoveries_cut = 0;
  uint64_t reopens = 0;    // All that succeeded, after cuts too.
  uint64_t refused = 0;    // To a reader limited to PH2.
  uint64_t went_back = 0;  // A reader limited to PH2 opened what had been PH3 and was compacted.
  uint64_t rewritten = 0;  // Compacted to format 3, with tables of format 4 before.
  uint64_t mixed = 0;      // Opened with tables of two formats or three.
  uint64_t gets_from_index = 0;
  uint64_t read_snapshots = 0;
  uint64_t tables_written[3] = {};  // By format, as the statistics tell it.
  std::map<std::pair<table::TableFormat, table::TableFormat>, uint64_t> switches;
};

// Opens the engine; a planted bug opens it in a way of its own.
using OpenDb = std::function<absl::StatusOr<std::unique_ptr<lsm::Db>>(const engine::Env& env,
                                                                      const OpenAs& as)>;
absl::StatusOr<std::unique_ptr<lsm::Db>> OpenAsAsked(const engine::Env& env, const OpenAs& as);

// What is wrong; empty if nothing is.
std::string WhyNotModel(const ReopenScript& script, const OpenDb& open_db, ReopenReach& reach);

}  // namespace kiban::suites
