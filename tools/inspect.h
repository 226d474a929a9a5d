// What a file or directory of the LSM engine holds, for people, damaged or not. Opens nothing for
// writing and takes no lock: look at a database that nobody has open.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace kiban::tools {

struct Inspection {
  std::string text;     // What can be told, line by line.
  absl::Status status;  // kDataLoss: the first damage, with file and offset. Anything else but OK:
                        // it cannot be read, or is none of ours.
};

// `path` is a log (NNNNNN.wal), a table (NNNNNN.sst), a MANIFEST or a database directory: the name
// says which, since every checksum covers the number of its file. All of it is read;
// of the tables of a directory, `verify` prints every block, too.
Inspection Inspect(const std::string& path, bool verify);

}  // namespace kiban::tools
