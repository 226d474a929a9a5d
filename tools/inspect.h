// What a file of the LSM engine holds, for people; nothing is changed, whatever state it is in.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/env.h"
#include "engine/lsm/manifest_format.h"

namespace kiban::tools {

// Each appends what there is to tell. The status is that of the contents: kDataLoss for damage.
absl::Status InspectLog(engine::FileSystem& files, const std::string& path, std::string& text);
absl::Status InspectTable(engine::FileSystem& files, const std::string& path, std::string& text);
absl::Status InspectManifest(engine::FileSystem& files, const std::string& path, std::string& text);

// `verify`: every table and log that belongs to the database is read as well.
absl::Status InspectDatabase(engine::FileSystem& files, const std::string& dir, bool verify,
                             std::string& text);

// The number in "db/000012.wal"; kInvalidArgument if there is none.
absl::StatusOr<uint64_t> FileNumberOf(const std::string& path);
std::string BaseName(const std::string& path);
// A key as text, cut short if it is long.
std::string KeyText(const std::string& key);

absl::StatusOr<lsm::Manifest> ReadManifest(engine::FileSystem& files, const std::string& path);

}  // namespace kiban::tools
