// Commands to a database whose format changes at every reopen, as values.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "engine/lsm/options.h"
#include "engine/table/format.h"

namespace kiban::suites {

// How a database is opened.
struct OpenAs {
  table::TableFormat written = table::TableFormat::kSorted;  // If `point_index`.
  bool point_index = false;
  uint64_t cache_bytes = 0;
  bool knows_ph3 = true;  // Otherwise a reader limited to PH2.

  // What its new tables are.
  table::TableFormat format() const;
  lsm::KibanOptions Options() const;
};

enum class CommandKind : uint8_t {
  kPut,
  kDelete,
  kBatch,
  kSnapshot,
  kFlush,
  kCompact,
  kPowerCut,
  kReopen,
};

struct Command {
  CommandKind kind = CommandKind::kPut;
  // Keys (keys.h) and bytes of their values; of a delete, and of one in a batch, 0.
  std::vector<std::pair<uint32_t, uint32_t>> writes;
  bool is_synced = false;
  // kPowerCut: after so many calls of the seam, in whatever command that is; 0: here, at rest.
  uint32_t calls = 0;
  // kPowerCut: so many calls later, if the recovery still goes on, once more; 0: not.
  uint32_t calls_of_recovery = 0;
  OpenAs as;  // kPowerCut, kReopen.
};

struct ReopenScript {
  uint64_t seed = 0;  // Of what a power cut keeps.
  std::vector<Command> commands;
};

rc::Gen<ReopenScript> ReopenScripts();
void showValue(const ReopenScript& script, std::ostream& os);

}  // namespace kiban::suites
