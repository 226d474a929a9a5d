// What each kind of golden file must do. A check adds to the report what it has seen and every
// complaint; it goes on behind one.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "engine/env.h"
#include "tools/golden.h"

namespace kiban::tools {

// The folder of one entry: expected.txt, and its files beside or below it.
struct GoldenFolder {
  engine::FileSystem& files;
  std::string path;
  std::string text;  // Of expected.txt.
};

// An unexpected end of a check, as a complaint about `path`.
inline void Complain(GoldenReport& report, std::string_view path, std::string_view what) {
  report.complaints.push_back(absl::StrCat(base::ToAbsl(path), ": ", base::ToAbsl(what)));
}

// Every table below the folder, one for each format: read in every way there is, and made again.
void CheckTables(const GoldenFolder& folder, GoldenReport& report);
// The log: replayed, and written again unless it is torn.
void CheckLog(const GoldenFolder& folder, GoldenReport& report);
// MANIFEST: decoded, and encoded again.
void CheckManifest(const GoldenFolder& folder, GoldenReport& report);
// The directory db: a copy of it is opened with every format option, read, compacted, reopened.
void CheckDatabase(const GoldenFolder& folder, GoldenReport& report);

}  // namespace kiban::tools
