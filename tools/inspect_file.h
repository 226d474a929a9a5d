// One file of the LSM engine, looked at for people: what stands in it, structure by structure, and
// which of them are damaged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/env.h"
#include "engine/lsm/manifest_format.h"
#include "engine/wal/reader.h"

namespace kiban::tools {

struct Structure {
  std::string name;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::string contents;           // What stands in it, in one line.
  std::vector<std::string> more;  // Further lines.
};

struct FileReport {
  std::string title;                  // What it is, in one line.
  std::vector<Structure> structures;  // In the order of the file, without a gap if it is whole.
  std::vector<std::string> damage;    // "block 3, offset 8192: the block's checksum does not hold".
  std::string torn;                   // Where a log breaks off, if nothing after it testifies.
  absl::Status unreadable;            // Why it cannot be told what is in it; OK if it can.

  void Add(std::string name, uint64_t offset, uint64_t bytes, std::string contents);
  // Puts an error of a structure where it belongs.
  void Note(std::string_view path, std::string_view structure, const absl::Status& status);
};

// A file by itself: its name says what it is.
FileReport InspectFile(engine::FileSystem& files, const std::string& path);

FileReport InspectTable(engine::FileSystem& files, const std::string& path, uint64_t number);

// Ends by the hole rule if `tail` is kMayBeTorn; nothing is known here of the logs before it.
FileReport InspectLog(engine::FileSystem& files, const std::string& path, uint64_t number,
                      wal::TailRule tail);

// `manifest` is set unless it is damaged.
FileReport InspectManifest(engine::FileSystem& files, const std::string& path,
                           std::optional<lsm::Manifest>& manifest);

// "block 3      at     8192,    4101 bytes: contents".
std::string LineOf(const Structure& structure);

// "1 entry", "2 entries".
std::string Counted(uint64_t count, std::string_view singular, std::string_view plural);

// A key in quotes, cut short if it is long.
std::string ShownKey(std::string_view key);

}  // namespace kiban::tools
