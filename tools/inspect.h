// What a file or directory of the LSM engine holds, for people, damaged or not. Opens nothing for
// writing and takes no lock: look at a database that nobody has open.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/env.h"

namespace kiban::tools {

enum class Detail {
  kStructures,  // Every structure of every file.
  kFiles,       // A line for each file.
};

// Everything is read and checked whatever the detail.
//
// The end of the last log is torn if something stands there that is no record and that no later
// record says was synced. Recovery drops it, as after any crash; so it is not called damage. It is
// not called whole either: a synced record that was damaged looks the same if it was the last.
struct Inspection {
  std::string text;
  std::vector<std::string> damage;  // Each with its file, its structure and its offset.
  std::vector<std::string> torn;    // Likewise, ends of logs.
  absl::Status unreadable;          // Not OK: something cannot be read or is none of ours.
};

// `path` is a log (NNNNNN.wal), a table (NNNNNN.sst), a MANIFEST or a database directory: the name
// says which, since every checksum covers the number of its file. A directory is judged as an open
// would judge it: what MANIFEST names must be there and be what it says, live logs must take up
// where the tables end; and every byte of it is looked at.
Inspection Inspect(engine::FileSystem& files, const std::string& path, Detail detail);

}  // namespace kiban::tools
