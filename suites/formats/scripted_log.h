// A log segment written record by record, of which it is known what each record holds, what it
// says of those before it, and what a database shows that has read so many of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/base/sequence.h"
#include "suites/formats/damage.h"
#include "suites/formats/database_judge.h"

namespace kiban::suites {

struct ScriptedWrite {
  std::vector<std::pair<std::string, std::string>> puts;  // One batch.
  std::vector<std::string> deletes;                       // Behind them, in the same batch.
  bool is_synced = false;
};

struct ScriptedRecord {
  Part frame;
  base::Sequence first_sequence = 0;
  base::Sequence durable_through = 0;  // What it says.
};

struct ScriptedLog {
  std::string bytes;
  std::vector<ScriptedRecord> records;
  std::vector<Contents> states;       // [i]: after i records.
  base::Sequence first_sequence = 0;  // Of the header.
  base::Sequence last_sequence = 0;
  size_t synced_bytes = 0;

  // The hole rule of engine/wal/format.h: with record i gone, does a later one say it was durable?
  bool IsPromised(size_t i) const;
  // The same for the header.
  bool IsHeaderPromised() const;
};

// `before` is what the database shows without this log.
ScriptedLog WriteLog(uint64_t segment_id, base::Sequence first_sequence, const Contents& before,
                     const std::vector<ScriptedWrite>& writes);

}  // namespace kiban::suites
