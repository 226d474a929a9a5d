// A case as a test: what an engineer keeps beside a fix.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "suites/support/case_file.h"

namespace kiban::tools {

// The source of a GoogleTest that lives the case and expects what ought to be: that it holds,
// unless it plants a bug. It compiles as it stands, against kiban_suites, and is named after the
// file at `path`, where it will stand.
//
// The case stays text in it, as it is in a case file: a line a fact, which a person reads, edits,
// and can paste into a file for `kiban replay`. Structs would say the same in ten times as many
// lines, and would have to be mended by hand whenever one of them changes.
//
// kFailedPrecondition: with its planted bug the life ends in a way that a process does not survive
// unharmed. kInvalidArgument: it has bytes that no source should.
absl::StatusOr<std::string> TestOf(const suites::Case& c, const std::string& path);

}  // namespace kiban::tools
