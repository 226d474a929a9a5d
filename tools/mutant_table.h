// What became of the planted bugs, as tables.
#pragma once

#include <span>
#include <string>

#include "absl/status/status.h"
#include "suites/support/json.h"

namespace kiban::tools {

// For a terminal, with the commands that live the cases again, and how many barriers were named
// rightly.
std::string MutantTableText(std::span<const suites::MutantResult> results);

// Puts a table into a Markdown file, in place of what stands between the lines `<!-- mutants -->`
// and `<!-- end of mutants -->`.
absl::Status WriteMutantTable(const std::string& path,
                              std::span<const suites::MutantResult> results);

}  // namespace kiban::tools
