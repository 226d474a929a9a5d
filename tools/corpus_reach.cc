#include "tools/corpus_reach.h"

#include <algorithm>
#include <iterator>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "suites/support/formats.h"

namespace kiban::tools {
namespace {

using base::ToAbsl;

void Add(Reach& reach, std::string_view kind, std::string_view name) {
  if (!name.empty()) reach.insert(absl::StrCat(ToAbsl(kind), " ", ToAbsl(name)));
}

template <typename Names>
void AddAll(Reach& reach, std::string_view kind, const Names& names) {
  for (const auto& name : names) Add(reach, kind, name);
}

template <typename Counts>
void AddCounted(Reach& reach, std::string_view kind, const Counts& counts) {
  for (const auto& [name, count] : counts) Add(reach, kind, name);
}

}  // namespace

Reach ReachOf(const sim::FaultPlan& faults, const suites::LifeCounts& counts) {
  Reach reach;
  AddCounted(reach, "span", counts.crash_points);
  AddCounted(reach, "mark", counts.marks);
  AddCounted(reach, "format", suites::ByFormat(counts.tables));
  AddCounted(reach, "pair", counts.format_pairs);
  for (const sim::Cut& cut : faults.cuts) {
    const auto* const anchor = std::get_if<sim::Anchor>(&cut.place);
    if (cut.in_recovery && anchor != nullptr) Add(reach, "recovery", anchor->span);
  }
  return reach;
}

Reach DeclaredReach(const suites::Suite& suite, const suites::Engine& engine) {
  Reach reach;
  AddAll(reach, "span", engine.crash_spans);
  AddAll(reach, "recovery", engine.open_spans);
  AddAll(reach, "mark", engine.marks);
  AddAll(reach, "format", engine.formats);
  AddAll(reach, "pair", suites::FormatPairs(engine));
  if (!suite.shares) return reach;
  AddAll(reach, "span", engine.shared_crash_spans);
  AddAll(reach, "mark", engine.shared_marks);
  return reach;
}

Reach Missing(const Reach& declared, const Reach& reached) {
  Reach missing;
  std::set_difference(declared.begin(), declared.end(), reached.begin(), reached.end(),
                      std::inserter(missing, missing.end()));
  return missing;
}

size_t CountOf(const Reach& reach, std::string_view kind) {
  const std::string head = absl::StrCat(ToAbsl(kind), " ");
  return static_cast<size_t>(std::count_if(
      reach.begin(), reach.end(), [&](const std::string& name) { return name.starts_with(head); }));
}

}  // namespace kiban::tools
