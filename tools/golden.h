// corpora/golden: files of every format and layout, with what they hold as text beside them. They
// are never edited, only added to; its README.md says how.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kiban::tools {

struct GoldenReport {
  uint64_t files = 0;  // Whose checksums hold.
  uint64_t tables = 0;
  uint64_t logs = 0;
  uint64_t manifests = 0;
  uint64_t databases = 0;
  uint64_t reads = 0;                            // Answers that were compared.
  std::set<std::string_view> formats_of_tables;  // By name, of those that hold.
  std::set<std::string> names_of_databases;      // Their folders', of those that hold.
  uint64_t rewrites = 0;                // Files that today's writers made again, byte by byte.
  std::vector<std::string> complaints;  // Each names its file.
};

// Holds all of `directory` to its SHA256SUMS and its texts. If it is to be all there is, it must
// have logs, manifests, and of every format a table and a database of its name. Nothing is written
// to it.
GoldenReport CheckGoldenIn(const std::string& directory, bool is_all);

// Whether a directory is one of golden files, with a slash at its end or without.
bool IsGolden(const std::string& directory);

// Checks each of `directories` that is golden or has a folder of that name; the others are none of
// its business. If they are to be all there is, such a folder must be there. Prints counts and
// complaints; the exit status of `kiban corpus check`.
int CheckGolden(const std::vector<std::string>& directories, bool is_all);

}  // namespace kiban::tools
