#include "suites/support/sweep_page.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_util.h"
#include "suites/support/formats.h"
#include "suites/support/html_figures.h"
#include "suites/support/json.h"
#include "suites/support/shell_word.h"
#include "suites/support/sweep_page_style.h"
#include "suites/support/sweep_text.h"

namespace kiban::suites {
namespace {

using base::ToAbsl;
using Names = std::vector<std::string_view>;

Html Paragraph(std::string_view text) { return Element("p", Text(text)); }
Html Heading(std::string_view text) { return Element("h3", Text(text)); }
// What a person copies into a shell. Lines break between its words, if they can.
Html CommandLine(const std::string& command) {
  Html words;
  for (const absl::string_view word : absl::StrSplit(command, ' ')) {
    if (!words.empty()) words += Text(" ");
    words += Element("span", {{"class", "word"}}, Text(base::ToStd(word)));
  }
  return Element("code", words);
}
Html Code(std::string_view text) { return Element("pre", Element("code", Text(text))); }
Html Term(std::string_view term, const Html& content) {
  return {Element("dt", Text(term)), Element("dd", content)};
}
Html Section(std::string_view heading, const Html& content) {
  return Element("section", {Heading(heading), content});
}

// "1 life", "2,000 lives".
std::string Lives(uint64_t count) { return WithCommas(count) + (count == 1 ? " life" : " lives"); }

std::string Spaced(const std::string& name) { return absl::StrReplaceAll(name, {{"_", " "}}); }

// One bar for each name that was counted or is due.
std::vector<BarRow> Bars(const std::string& place, const std::map<std::string, uint64_t>& counts,
                         const std::vector<Names>& due) {
  std::map<std::string, BarRow> rows;
  for (const Names& names : due) {
    for (const std::string_view name : names) {
      rows[std::string(name)] = {.label = std::string(name), .place = {}, .note = "not reached"};
    }
  }
  for (const auto& [name, count] : counts) {
    rows[name] = {.label = name.empty() ? "in no span" : name,
                  .place = absl::StrCat(place, "/", name.empty() ? "-" : name),
                  .value = count};
  }
  std::vector<BarRow> list;
  for (auto& [name, row] : rows) list.push_back(std::move(row));
  return list;
}

// One sweep of the page.
class SuitePart {
 public:
  explicit SuitePart(const SweepResult& result)
      : result_(result),
        request_(result.request),
        tally_(result.tally),
        counts_(result.tally.counts) {}

  Html Page() const {
    const std::string name(request_.suite->name);
    Html content = Element("h2", Text(name));
    content += Paragraph(request_.suite->question);
    content += About();
    content += Failures();
    content += NotCovered();
    content += Verdicts();
    content += Time();
    content += Work();
    content += Crashes();
    content += Formats();
    return Element("section", {{"id", name}, {"data-suite", name}}, content);
  }

 private:
  Names Spans() const { return request_.suite->crashes ? request_.engine->crash_spans : Names(); }
  Names Marks() const { return request_.suite->crashes ? request_.engine->marks : Names(); }
  Names SharedSpans() const {
    return request_.suite->shares ? request_.engine->shared_crash_spans : Names();
  }
  Names SharedMarks() const {
    return request_.suite->shares ? request_.engine->shared_marks : Names();
  }

  Html About() const {
    const Shard& shard = request_.shard;
    Html list = Term("Engine", Text(request_.engine->name));
    list += Term("Profile",
                 {Text(request_.profile->name), Text(", "),
                  Count(absl::StrCat("profiles/", ToAbsl(request_.profile->name)), tally_.seeds),
                  Text(tally_.seeds == 1 ? " life" : " lives")});
    list += Term("Seeds", {Count("seeds", tally_.seeds), Text(" lived of "),
                           Count("seeds_asked", request_.seeds), Text(" from "),
                           Count("first_seed", request_.first_seed)});
    list += Term("Shard", {Count("shard/index", shard.index), Text(" of "),
                           Count("shard/count", shard.count),
                           Text(shard.count == 1 ? "" : absl::StrCat(" (", shard.source, ")"))});
    if (!request_.plant.empty()) list += Term("Planted bug", Text(request_.plant));
    list += Term("Digest", Element("code", Text(tally_.digest.Text())));
    return Element("dl", list);
  }

  Html Failures() const {
    Html content;
    if (!result_.harness_error.empty()) {
      content += Element("article", {Element("h4", Text("The harness itself failed")),
                                     Code(result_.harness_error)});
    }
    for (size_t i = 0; i < result_.failures.size(); ++i) content += Group(i);
    if (content.empty()) content = Paragraph("None.");
    return Section("Failures", content);
  }

  Html Group(size_t index) const {
    const FailureGroup& group = result_.failures[index];
    const std::string place = absl::StrCat("failures/", index);
    const WrittenCase& first = group.written.front();
    Html content = Element("h4", Text(group.signature));
    content += Element("p", {Count(place + "/count", group.count),
                             Text(group.count == 1 ? " life: seed " : " lives, the first: seed "),
                             Count(place + "/seed", first.failure.seed)});
    content += Life(first);
    Html others;
    for (size_t i = 1; i < group.written.size(); ++i) {
      const WrittenCase& other = group.written[i];
      others += Paragraph(absl::StrCat("Seed ", other.failure.seed));
      others += Life(other);
    }
    if (!others.empty()) {
      const size_t count = group.written.size() - 1;
      const std::string summary = count == 1 ? "One more case" : absl::StrCat(count, " more cases");
      content += Element("details", {Element("summary", Text(summary)), others});
    }
    return Element("article", content);
  }

  static Html Life(const WrittenCase& written) {
    const Failure& failure = written.failure;
    Html content;
    if (!failure.detail.empty()) content += Code(failure.detail);
    Html list = Term("Case", written.path.empty() ? Text(written.not_written)
                                                  : Element("code", Text(written.path)));
    list += ShrunkTerms(written.shrunk);
    if (!written.command.empty()) list += Term("Replay", CommandLine(written.command));
    content += Element("dl", list);
    if (!written.shrunk.text.empty()) {
      content += Element("details",
                         {Element("summary", Text("The shrunk case")), Code(written.shrunk.text)});
    }
    return content;
  }

  static Html ShrunkTerms(const ShrunkCase& shrunk) {
    if (!shrunk.why_not.empty()) return Term("Not shrunk", Text(shrunk.why_not));
    if (shrunk.path.empty()) return {};
    const std::string size =
        absl::StrCat(", ", shrunk.operations_before, " to ", shrunk.operations,
                     shrunk.operations == 1 ? " operation" : " operations",
                     shrunk.certified ? "" : "; time ran out before it was minimal");
    Html list = Term("Shrunk", {Element("code", Text(shrunk.path)), Text(size)});
    if (!shrunk.barrier.empty()) list += Term("Missing barrier", Text(shrunk.barrier));
    if (!shrunk.weakest.empty()) list += Term("Weakest profile", Text(shrunk.weakest));
    return list;
  }

  // What the words "all held" do not say.
  Html NotCovered() const {
    Html list;
    for (const std::vector<std::string>& lines : {suites::NotCovered(result_), Limits()}) {
      for (const std::string& line : lines) list += Element("li", Text(line));
    }
    return Section("What this does not cover", Element("ul", list));
  }

  // Of every sweep that is like this one, however green.
  std::vector<std::string> Limits() const {
    std::vector<std::string> lines;
    const Suite& suite = *request_.suite;
    const bool is_judged = request_.shard.count == 1 && tally_.seeds >= suite.floor_seeds;
    if (suite.crashes && !is_judged) {
      lines.push_back(absl::StrCat("floors were not judged: that takes ",
                                   WithCommas(suite.floor_seeds),
                                   " seeds unsharded, or merged shards"));
    }
    if (tally_.rechecked > 0) {
      lines.push_back(absl::StrCat(WithCommas(tally_.rechecked), " of ", Lives(tally_.seeds),
                                   " were lived twice and compared, the others once"));
    }
    lines.push_back(suite.crashes ? "no fault but power cuts, kills and failed syncs is injected"
                                  : "no fault is injected");
    if (!suite.shares) lines.push_back("one client works at a time");
    return lines;
  }

  Html Verdicts() const {
    std::vector<BarRow> rows;
    for (size_t i = 0; i < kVerdictCount; ++i) {
      const std::string name(Name(static_cast<Verdict>(i)));
      rows.push_back({Spaced(name), "verdicts/" + name, tally_.verdicts[i]});
    }
    return Section("Verdicts", BarsOf("Lives, by how they ended", rows));
  }

  Html Time() const {
    const auto seconds = [](double value) { return absl::StrFormat("%.1f s", value); };
    std::vector<TableRow> rows = {
        {"lives a second", Real("seeds_per_second", result_.seeds_per_second(),
                                absl::StrFormat("%.0f", result_.seeds_per_second()))},
        {"elapsed", Real("seconds", result_.seconds, seconds(result_.seconds))},
        {"of all cores", Real("cpu_seconds", result_.cpu_seconds, seconds(result_.cpu_seconds))},
        {"memory of a worker, early", Bytes("worker_rss_bytes/first", result_.memory.first_bytes)},
        {"at its end", Bytes("worker_rss_bytes/last", result_.memory.last_bytes)},
        {"at most", Bytes("worker_rss_bytes/max", result_.memory.max_bytes)}};
    Html slowest;
    for (size_t i = 0; i < tally_.slowest.size(); ++i) {
      const SlowSeed& slow = tally_.slowest[i];
      const std::string place = absl::StrCat("slowest/", i);
      const std::string shown = absl::StrFormat("%.3f s", slow.seconds);
      slowest += Element("li", {Text("seed "), Count(place + "/seed", slow.seed), Text(": "),
                                Real(place + "/seconds", slow.seconds, shown)});
    }
    Html content = RateFigure(result_.rate, result_.seconds);
    content += TableOf("Time and memory", rows);
    if (!slowest.empty()) {
      content += Element("details",
                         {Element("summary", Text("The slowest lives")), Element("ul", slowest)});
    }
    return Section("Rate", content);
  }

  Html Work() const {
    std::vector<TableRow> rows = {{"operations", Count("operations", counts_.operations)},
                                  {"clean reopens", Count("reopens", counts_.reopens)},
                                  {"flushes", Count("flushes", counts_.flushes)},
                                  {"compactions", Count("compactions", counts_.compactions)},
                                  {"manifests", Count("manifests", counts_.manifests)}};
    std::vector<TableRow> without = {
        {"a flush", Count("lives_without/flush", tally_.lives_without_flush)},
        {"a compaction", Count("lives_without/compaction", tally_.lives_without_compaction)},
        {"a manifest", Count("lives_without/manifest", tally_.lives_without_manifest)}};
    if (result_.distinct_schedules.has_value()) {
      rows.push_back({"distinct schedules of several tasks",
                      Count("distinct_schedules", *result_.distinct_schedules)});
    }
    Html content = Element("div", {{"class", "pair"}},
                           {TableOf("What was done", rows), TableOf("Lives without", without)});
    content += BarsOf("Marks: rare places, by how often lives came there",
                      Bars("marks", counts_.marks, {Marks(), SharedMarks()}));
    return Section("Work", content);
  }

  Html Crashes() const {
    const std::vector<TableRow> kinds = {
        {"at planned points", Count("crashes", tally_.crashes())},
        {"of these power cuts", Count("power_cuts", counts_.power_cuts)},
        {"of these kills", Count("kills", counts_.kills)},
        {"inside recoveries", Count("recoveries_cut", counts_.recoveries_cut)}};
    const std::vector<TableRow> faults = {
        {"sync errors armed", Count("faults/sync.EIO/armed", counts_.sync_errors_armed)},
        {"sync errors fired", Count("faults/sync.EIO/fired", counts_.sync_errors_fired)}};
    std::vector<BarRow> shapes;
    for (const std::string name : {"nothing_owed", "all_kept", "some_lost", "torn", "all_lost"}) {
      const auto found = counts_.kept_sets.find(name);
      const bool is_there = found != counts_.kept_sets.end();
      shapes.push_back({.label = Spaced(name),
                        .place = is_there ? "kept_sets/" + name : "",
                        .value = is_there ? found->second : 0});
    }
    const std::vector<BarRow> writes = {{"kept", "micro_ops/kept", counts_.micro_ops_kept},
                                        {"of these torn", "micro_ops/torn", counts_.micro_ops_torn},
                                        {"lost", "micro_ops/lost", counts_.micro_ops_lost}};
    const Html crashes = {
        Element("div", {{"class", "pair"}}, {TableOf("Crashes", kinds), TableOf("Faults", faults)}),
        BarsOf("Crash points, by innermost span",
               Bars("crash_points", counts_.crash_points, {Spans(), SharedSpans()}))};
    const Html kept = {BarsOf("Power cuts, by what became of all that was owed", shapes),
                       BarsOf("Owed writes, sizes and names, one by one", writes)};
    if (request_.suite->crashes) {
      return {Section("Crashes", crashes), Section("What power cuts kept", kept)};
    }
    const Html summary = Element("summary", Text("None is part of this suite"));
    return Section("Crashes", Element("details", {summary, crashes, kept}));
  }

  Html Formats() const {
    const TablesWritten& tables = counts_.tables;
    const std::vector<BarRow> written = {{"sst3", "formats/sst3", tables.sst3},
                                         {"ph2", "formats/ph2", tables.ph2},
                                         {"ph3", "formats/ph3", tables.ph3}};
    const std::vector<std::string> pairs = FormatPairs(*request_.engine);
    Names due;
    if (request_.suite->crashes) due.assign(pairs.begin(), pairs.end());
    return Section("Formats", {BarsOf("Tables written", written),
                               Element("p", {Text("Opens that changed the format: "),
                                             Count("formats/switches", counts_.format_switches)}),
                               BarsOf("Opens of a database, by its last format and the new one",
                                      Bars("format_pairs", counts_.format_pairs, {due}))});
  }

  const SweepResult& result_;
  const SweepRequest& request_;
  const Tally& tally_;
  const LifeCounts& counts_;
};

uint64_t FailedOf(std::span<const SweepResult> results) {
  uint64_t failed = 0;
  for (const SweepResult& result : results) failed += result.tally.failed();
  return failed;
}

std::string Summary(std::span<const SweepResult> results) {
  uint64_t lived = 0;
  uint64_t missed = 0;
  bool complete = true;
  for (const SweepResult& result : results) {
    lived += result.tally.seeds;
    missed += result.floors_missed.size();
    complete = complete && result.complete;
  }
  const uint64_t failed = FailedOf(results);
  std::string text = failed == 0
                         ? absl::StrCat("all of ", Lives(lived), " held")
                         : absl::StrCat(WithCommas(failed), " of ", Lives(lived), " did not hold");
  if (missed > 0) absl::StrAppend(&text, ", floors missed: ", missed);
  if (!complete) text += ", ended early";
  return text;
}

Html Overview(std::span<const SweepResult> results) {
  Html head;
  for (const char* const name : {"suite", "lives", "held", "not held"}) {
    head += Element("th", {{"scope", "col"}}, Text(name));
  }
  Html rows;
  for (const SweepResult& result : results) {
    const std::string suite(result.request.suite->name);
    const Tally& tally = result.tally;
    const Html link = Element("a", {{"href", "#" + suite}}, Text(suite));
    const auto cell = [](uint64_t value) { return Element("td", Text(WithCommas(value))); };
    rows += Element("tr", {Element("th", {{"scope", "row"}}, link), cell(tally.seeds),
                           cell(tally.seeds - tally.failed()), cell(tally.failed())});
  }
  return Element("table", {Element("caption", Text("Suites")),
                           Element("thead", Element("tr", head)), Element("tbody", rows)});
}

std::string CommandOf(const Provenance& provenance) {
  std::vector<std::string> words = {ShellWord(provenance.program)};
  for (const std::string& word : provenance.args) words.push_back(ShellWord(word));
  return absl::StrJoin(words, " ");
}

}  // namespace

std::string SweepPage(const Provenance& provenance, std::span<const SweepResult> results) {
  constexpr std::string_view kVerdicts[] = {"Green", "Red", "Broken"};
  const auto status = static_cast<size_t>(ExitStatus(results));
  const std::string headline = absl::StrCat(ToAbsl(kVerdicts[status]), ": ", Summary(results));
  Html about = Term("Command", CommandLine(CommandOf(provenance)));
  about += Term("Revision", Element("code", Text(provenance.revision)));
  about += Term("Build", Text(provenance.build));
  Html body = Element("h1", {{"class", status == 0 ? "green" : "red"}}, Text(headline));
  body += Element("dl", about);
  body += Overview(results);
  for (const SweepResult& result : results) body += SuitePart(result).Page();
  body +=
      Element("footer", {Text("The same as JSON, schema "), Count("schema", kResultSchema),
                         Text(": kiban sweep --json FILE. Verdicts and words: suites/README.md.")});
  // No font, image or script, from here or elsewhere: what slipped through could do nothing.
  constexpr std::string_view kHead =
      "<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  const Html head = {Verbatim(kHead), Element("title", Text("kiban sweep: " + headline)),
                     Element("style", Verbatim(kSweepPageStyle))};
  const Html page = Element("html", {{"lang", "en"}},
                            {Element("head", head), Element("body", Element("main", body))});
  return absl::StrCat("<!DOCTYPE html>\n", page.text(), "\n");
}

}  // namespace kiban::suites
