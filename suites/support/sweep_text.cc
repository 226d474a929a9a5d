#include "suites/support/sweep_text.h"

#include <cctype>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_util.h"
#include "suites/support/table_text.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;

constexpr size_t kDigestDigits = 8;
constexpr std::string_view kProfiles[] = {"strict", "ext4o", "xfs", "btrfs", "adversarial"};

std::string UpperCase(std::string_view text) {
  std::string upper;
  for (const char c : text) {
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return upper;
}

// "violated 2, stuck 1"
std::string OtherVerdicts(const Tally& tally) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < kVerdictCount; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    if (verdict == Verdict::kHeld || tally.verdicts[i] == 0) continue;
    parts.push_back(absl::StrCat(ToAbsl(Name(verdict)), " ", tally.verdicts[i]));
  }
  return parts.empty() ? "none" : absl::StrJoin(parts, ", ");
}

void AddLine(std::vector<std::string>& lines, std::string_view what,
             const std::vector<std::string>& names) {
  if (names.empty()) return;
  lines.push_back(absl::StrCat(ToAbsl(what), ": ", absl::StrJoin(names, ", ")));
}

// Of what is red already, or has not begun, it does not matter what else it lacks.
bool IsUnfit(const SweepResult& result) {
  return !result.complete && (result.tally.failed() > 0 || result.tally.seeds == 0);
}

std::vector<std::string> FaultsNotInjected(const Tally& tally) {
  std::vector<std::string> absent;
  if (tally.counts.power_cuts == 0) absent.emplace_back("power cuts");
  if (tally.counts.kills == 0) absent.emplace_back("kills");
  if (tally.counts.recoveries_cut == 0) absent.emplace_back("cuts of recoveries");
  if (tally.counts.sync_errors_fired == 0) absent.emplace_back("failed syncs");
  return absent;
}

std::vector<std::string> ProfilesNotRun(const SweepRequest& request) {
  std::vector<std::string> absent;
  for (const std::string_view name : kProfiles) {
    if (name != request.profile->name && sim::FindProfile(name) != nullptr)
      absent.emplace_back(name);
  }
  return absent;
}

void AppendFormats(std::string& text, const LifeCounts& counts) {
  uint64_t reopens = 0;
  for (const auto& [pair, count] : counts.format_pairs) reopens += count;
  if (reopens == 0) return;
  const TablesWritten& tables = counts.tables;
  absl::StrAppend(&text, "tables written: sst3 ", tables.sst3, ", ph2 ", tables.ph2, ", ph3 ",
                  tables.ph3, "; the format switched at ", counts.format_switches, " of ", reopens,
                  " opens\n");
}

// "      (shrunk: NAME.min.case, 2 operations)"
std::string ShrunkText(const ShrunkCase& shrunk) {
  if (!shrunk.why_not.empty()) return absl::StrCat("      (not shrunk: ", shrunk.why_not, ")");
  if (shrunk.path.empty()) return "";
  return absl::StrCat("      (shrunk: ", shrunk.path, ", ", shrunk.operations,
                      shrunk.operations == 1 ? " operation" : " operations",
                      shrunk.certified ? "" : "; time ran out", ")");
}

std::string BarrierText(const ShrunkCase& shrunk) {
  return shrunk.barrier.empty() ? "" : absl::StrCat("\n  missing barrier: ", shrunk.barrier);
}

}  // namespace

std::string FailureText(const SweepRequest& request, const FailureGroup& group) {
  std::string text;
  for (const WrittenCase& written : group.written) {
    const Failure& failure = written.failure;
    absl::StrAppend(&text, UpperCase(Name(failure.verdict)), "  ", ToAbsl(request.suite->name),
                    "  seed ", failure.seed);
    if (!failure.digest.empty()) {
      absl::StrAppend(&text, "  digest ", failure.digest.substr(0, kDigestDigits));
    }
    absl::StrAppend(&text, "\n  ", failure.complaint);
    if (!failure.detail.empty()) absl::StrAppend(&text, ": ", failure.detail);
    text += '\n';
    if (written.path.empty()) {
      absl::StrAppend(&text, "  case:   ", written.not_written, "\n");
      continue;
    }
    absl::StrAppend(&text, "  case:   ", written.path, ShrunkText(written.shrunk),
                    BarrierText(written.shrunk), "\n  replay: ", written.command, "\n");
  }
  const uint64_t more = group.count - group.written.size();
  if (more > 0) absl::StrAppend(&text, "  and ", more, " more: ", group.signature, "\n");
  return text;
}

std::string SweepTable(std::span<const SweepResult> results) {
  std::vector<Row> rows = {{"suite", "engine", "seeds", "held", "other", "crashes",
                            "recoveries cut", "seconds", "seeds/s", "digest"}};
  for (const SweepResult& result : results) {
    const Tally& tally = result.tally;
    rows.push_back({std::string(result.request.suite->name),
                    std::string(result.request.engine->name), absl::StrCat(tally.seeds),
                    absl::StrCat(tally.seeds - tally.failed()), OtherVerdicts(tally),
                    absl::StrCat(tally.crashes()), absl::StrCat(tally.counts.recoveries_cut),
                    absl::StrFormat("%.1f", result.seconds),
                    absl::StrFormat("%.0f", result.seeds_per_second()), tally.digest.Text()});
  }
  return TableText(rows);
}

std::vector<std::string> NotCovered(const SweepResult& result) {
  std::vector<std::string> lines;
  const SweepRequest& request = result.request;
  if (!result.complete) {
    lines.push_back(absl::StrCat(ToAbsl(request.suite->name), " ended early: ", result.tally.seeds,
                                 " of ", request.shard.SeedsOf(request.seeds),
                                 " seeds were lived"));
  }
  const bool judged = !result.floors_missed.empty();
  if (IsUnfit(result) && !judged) return lines;
  AddLine(lines, judged ? "FLOORS MISSED" : "not reached in this run", result.not_reached);
  if (request.suite->crashes) {
    AddLine(lines, "not injected in this run", FaultsNotInjected(result.tally));
  }
  AddLine(lines, "profiles not run", ProfilesNotRun(request));
  return lines;
}

std::string NotCoveredText(const SweepResult& result) {
  std::string text;
  for (const std::string& line : NotCovered(result)) absl::StrAppend(&text, line, "\n");
  if (IsUnfit(result) && result.floors_missed.empty()) return text;
  const uint64_t schedules = result.distinct_schedules.value_or(0);
  if (schedules > 0) absl::StrAppend(&text, "distinct schedules: ", schedules, "\n");
  AppendFormats(text, result.tally.counts);
  return text;
}

std::string SweepsText(std::span<const SweepResult> results) {
  std::string text;
  for (const SweepResult& result : results) text += NotCoveredText(result);
  absl::StrAppend(&text, "\n", SweepTable(results));
  for (const SweepResult& result : results) {
    for (const FailureGroup& group : result.failures) {
      absl::StrAppend(&text, "\n", FailureText(result.request, group));
    }
    if (!result.harness_error.empty()) {
      absl::StrAppend(&text, "\nBROKEN  ", result.harness_error, "\n");
    }
  }
  return text;
}

}  // namespace kiban::suites
