// The names in a database directory: 000012.wal, 000013.sst, MANIFEST, MANIFEST.tmp, LOCK.
//
// Logs and tables share one row of numbers, written with at least six digits. Whatever is not named
// exactly so is foreign: it is never read, counted or removed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiban::lsm {

inline constexpr std::string_view kManifestName = "MANIFEST";
inline constexpr std::string_view kManifestTempName = "MANIFEST.tmp";
inline constexpr std::string_view kLockName = "LOCK";

enum class FileKind { kLog, kTable, kManifest, kManifestTemp, kLock, kForeign };

struct FileName {
  FileKind kind = FileKind::kForeign;
  uint64_t number = 0;  // Of logs and tables.
};

FileName ParseFileName(std::string_view name);

std::string PathIn(std::string_view dir, std::string_view name);
std::string LogPath(std::string_view dir, uint64_t number);
std::string TablePath(std::string_view dir, uint64_t number);
// The directory that holds the name of `dir`, which ends without a slash; empty: the root.
std::string ParentOf(std::string_view dir);

}  // namespace kiban::lsm
