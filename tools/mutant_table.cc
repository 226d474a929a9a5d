#include "tools/mutant_table.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "engine/base/status_util.h"
#include "suites/support/table_text.h"
#include "suites/support/whole_file.h"

namespace kiban::tools {
namespace {

using suites::MutantResult;

constexpr char kBegin[] = "<!-- mutants -->\n";
constexpr char kEnd[] = "<!-- end of mutants -->";

std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

// "230 -> 3"
std::string OperationsText(const suites::ShrunkCase& shrunk) {
  if (shrunk.path.empty()) return "-";
  return absl::StrCat(shrunk.operations_before, " -> ", shrunk.operations,
                      shrunk.certified ? "" : " (time ran out)");
}

std::string BarriersText(std::span<const MutantResult> results) {
  size_t expected = 0;
  size_t right = 0;
  std::string wrong;
  for (const MutantResult& result : results) {
    if (result.edge.empty() || result.shrunk.path.empty()) continue;
    ++expected;
    if (result.is_named_right) {
      ++right;
    } else {
      absl::StrAppend(&wrong, "  ", result.name, ": ", result.edge,
                      "; named: ", OrDash(result.shrunk.barrier), "\n");
    }
  }
  if (expected == 0) return "";
  return absl::StrCat("missing barriers named: ", right, " of ", expected, "\n", wrong);
}

// A `|` would end the cell, and a `*` begin a stress.
std::string CodeCell(const std::string& text) {
  if (text.empty()) return "none";
  return absl::StrCat("`", absl::StrReplaceAll(text, {{" | ", "` or `"}, {"  ", " "}}), "`");
}

}  // namespace

std::string MutantTableText(std::span<const MutantResult> results) {
  std::vector<suites::Row> rows = {{"mutant", "kind", "suite", "caught", "seeds", "seconds",
                                    "operations", "shrunk in", "signature"}};
  for (const MutantResult& result : results) {
    rows.push_back({result.name, result.kind, result.suite, result.caught ? "yes" : "NO",
                    absl::StrCat(result.seeds_to_detection),
                    absl::StrFormat("%.1f", result.seconds), OperationsText(result.shrunk),
                    absl::StrFormat("%.1f s", result.shrunk.seconds), OrDash(result.signature)});
  }
  std::string text = suites::TableText(rows);
  for (const MutantResult& result : results) {
    if (!result.shrunk.barrier.empty()) {
      absl::StrAppend(&text, result.name, ": ", result.shrunk.barrier, "\n");
    }
  }
  for (const MutantResult& result : results) {
    if (result.caught) absl::StrAppend(&text, "replay: ", result.replay, "\n");
  }
  return text + BarriersText(results);
}

absl::Status WriteMutantTable(const std::string& path, std::span<const MutantResult> results) {
  std::vector<suites::Row> rows = {{"mutant", "kind", "seeds to detection", "operations",
                                    "shrunk in", "barrier taken away", "barrier named"}};
  for (const MutantResult& result : results) {
    rows.push_back({result.name, result.kind,
                    result.caught ? absl::StrCat(result.seeds_to_detection) : "NOT CAUGHT",
                    OperationsText(result.shrunk), absl::StrFormat("%.1f s", result.shrunk.seconds),
                    CodeCell(result.edge), CodeCell(result.shrunk.barrier)});
  }
  ASSIGN_OR_RETURN(std::string text, suites::ReadWhole(path));
  const size_t begin = text.find(kBegin);
  const size_t end = begin == text.npos ? text.npos : text.find(kEnd, begin);
  if (end == text.npos) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": expected a line ", kEnd, " behind a line <!-- mutants -->"));
  }
  const size_t from = begin + sizeof(kBegin) - 1;
  text.replace(from, end - from, absl::StrCat("\n", suites::MarkdownTableText(rows), "\n"));
  return suites::WriteWhole(path, text);
}

}  // namespace kiban::tools
