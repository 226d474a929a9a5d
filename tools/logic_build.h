// Builds this program with a patch in it: one scratch copy of the source tree, one build folder,
// one patch at a time (apply, build, revert).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "suites/mutants/mutants.h"

namespace kiban::tools {

// The source tree that this program stands in, as SOURCE/build/PRESET/kiban.
absl::StatusOr<std::string> SourceTree();

// Every *.patch of the tree's suites/mutants, in the order of names.
absl::StatusOr<std::vector<suites::Mutant>> LogicMutants(const std::string& source);

class LogicBuild {
 public:
  // Brings the scratch copy, SOURCE/build/mutants/src, up to date.
  static absl::StatusOr<LogicBuild> Prepare(const std::string& source);

  // Leaves the program with the patch in it at program(); the copy is as the source again. A patch
  // that does not apply is an error: the source has moved on, and so must the patch.
  absl::Status BuildWith(const std::string& patch, const std::string& name);

  std::string program() const { return root_ + "/src/build/release/kiban"; }
  std::string log() const { return root_ + "/log"; }

 private:
  explicit LogicBuild(std::string root) : root_(std::move(root)) {}

  absl::Status Run(const std::vector<std::string>& words, const std::string& what);

  std::string root_;
};

}  // namespace kiban::tools
