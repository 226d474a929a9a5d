// kiban suites: what there is to ask, in one table.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "suites/support/suite.h"
#include "suites/support/table_text.h"
#include "tools/commands.h"

namespace kiban::tools {
namespace {

int ShowSuites(const Arguments&) {
  std::vector<suites::Row> rows = {{"suite", "engines", "long", "question"}};
  for (const suites::Suite& suite : suites::Suites()) {
    std::vector<std::string> engines;
    for (const suites::Engine& engine : suites::Engines()) {
      if (CanBeAsked(suite, engine)) engines.emplace_back(engine.name);
    }
    rows.push_back({std::string(suite.name), absl::StrJoin(engines, ","),
                    suite.is_long ? "yes" : "-", std::string(suite.question)});
  }
  std::fputs(suites::TableText(rows).c_str(), stdout);
  return kExitHeld;
}

}  // namespace

Command SuitesCommand() {
  return {.name = "suites",
          .summary = "Shows what there is to ask, in one table.",
          .details = {},
          .examples = {"suites"},
          .operands = {},
          .flags = {},
          .run = ShowSuites,
          .parts = {}};
}

}  // namespace kiban::tools
