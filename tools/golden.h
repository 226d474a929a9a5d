// corpora/golden: files of every format and layout, with what they hold as text beside them. They
// are never edited, only added to; its README.md says how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiban::tools {

struct GoldenReport {
  uint64_t files = 0;  // Whose checksums hold.
  uint64_t tables = 0;
  uint64_t logs = 0;
  uint64_t manifests = 0;
  uint64_t databases = 0;
  uint64_t reads = 0;                   // Answers that were compared.
  uint64_t rewrites = 0;                // Files that today's writers made again, byte by byte.
  std::vector<std::string> complaints;  // Each names its file.
};

// Holds all of `directory` to its SHA256SUMS and its texts. Nothing is written to it.
GoldenReport CheckGoldenIn(const std::string& directory);

// Checks each of `directories` that is called golden or has a folder of that name; the others are
// none of its business. Prints counts and complaints; the exit status of `kiban corpus check`.
int CheckGolden(const std::vector<std::string>& directories);

}  // namespace kiban::tools
