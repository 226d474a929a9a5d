// Whether there is a database in a directory, and the steps that only a new one needs.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/env.h"
#include "engine/lsm/file_names.h"
#include "engine/lsm/manifest_format.h"
#include "engine/lsm/options.h"

namespace kiban::lsm {

// All that is in the directory and has a name of ours.
absl::StatusOr<std::vector<FileName>> ListFiles(engine::FileSystem& files, const std::string& dir);
bool Holds(const std::vector<FileName>& present, FileKind kind);

// Before the lock: step N1 unless a MANIFEST shows that it has been done. It makes the directory
// and its name durable. kNotFound, with nothing touched, if there is no directory and none may be
// made.
absl::Status PrepareDirectory(engine::FileSystem& files, const std::string& dir,
                              const KibanOptions& options);

// What MANIFEST says, or, where there is none, an empty database. Without a MANIFEST a table, or a
// log that holds a record, means that one was lost: kDataLoss, and nothing is touched. Otherwise a
// creation was cut short, and it is begun anew, if the options permit.
absl::StatusOr<Manifest> ReadOrInventManifest(engine::FileSystem& files, const std::string& dir,
                                              const std::vector<FileName>& present,
                                              const KibanOptions& options);

}  // namespace kiban::lsm
