#include "suites/support/shrink_cases.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "suites/support/case_file.h"
#include "suites/support/shrink.h"
#include "suites/support/whole_file.h"

namespace kiban::suites {
namespace {

absl::StatusOr<ShrunkCase> ShrinkOne(const SweepRequest& request, const std::string& path,
                                     const std::string& case_text) {
  ASSIGN_OR_RETURN(const Case c, ParseCaseFile(case_text));
  ASSIGN_OR_RETURN(const Shrunk result, Shrink(c, {.seconds_max = request.shrink_seconds_max,
                                                   .ends_early = request.interrupted,
                                                   .provenance = request.provenance,
                                                   .live = request.live}));
  ShrunkCase shrunk{.path = MinimalPath(path),
                    .operations_before = c.plan.operations.size(),
                    .operations = result.shrunk.plan.operations.size(),
                    .certified = result.certified,
                    .seconds = result.seconds,
                    .why_not = {},
                    .barrier = result.shrunk.barrier,
                    .weakest = result.shrunk.weakest,
                    .text = FormatCase(result.shrunk)};
  RETURN_IF_ERROR(WriteWhole(shrunk.path, shrunk.text));
  return shrunk;
}

}  // namespace

void RemoveMinimal(const std::string& path) {
  std::error_code none_there;
  std::filesystem::remove(MinimalPath(path), none_there);
}

void ShrinkFirstCases(const SweepRequest& request, Progress* progress,
                      std::vector<FailureGroup>& groups) {
  for (size_t i = 0; i < groups.size() && i < kSignaturesMax; ++i) {
    WrittenCase& first = groups[i].written.front();
    if (first.path.empty() || (request.interrupted && request.interrupted())) continue;
    if (progress != nullptr) progress->ShowLine("shrinking " + first.path);
    absl::StatusOr<ShrunkCase> shrunk = ShrinkOne(request, first.path, first.failure.case_text);
    if (shrunk.ok()) {
      first.command =
          ReplayCommand(request.provenance.program, shrunk->path, first.failure.verdict);
      first.shrunk = *std::move(shrunk);
    } else {
      first.shrunk.why_not = std::string(shrunk.status().message());
    }
  }
  if (progress != nullptr) progress->End();
}

}  // namespace kiban::suites
