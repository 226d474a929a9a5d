#include "suites/support/json.h"

#include <nlohmann/json.hpp>

namespace kiban::suites {
namespace {

using Json = nlohmann::ordered_json;

// Text from a broken engine may be anything; a result file is UTF-8 all the same.
std::string Dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json Head(const Provenance& provenance) {
  return {
      {"schema", kResultSchema}, {"revision", provenance.revision}, {"build", provenance.build}};
}

Json VerdictsJson(const Tally& tally) {
  Json json;
  for (size_t i = 0; i < kVerdictCount; ++i) {
    json[std::string(Name(static_cast<Verdict>(i)))] = tally.verdicts[i];
  }
  return json;
}

// A cut in no span stands under "-", as in cases.
Json NamesJson(const std::map<std::string, uint64_t>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) json[name.empty() ? "-" : name] = count;
  return json;
}

Json FailuresJson(const SweepResult& result) {
  Json json = Json::array();
  for (const FailureGroup& group : result.failures) {
    const WrittenCase& first = group.written.front();
    json.push_back({{"seed", first.failure.seed},
                    {"verdict", Name(first.failure.verdict)},
                    {"signature", group.signature},
                    {"count", group.count},
                    {"case", first.path},
                    {"command", first.command}});
  }
  return json;
}

Json SlowestJson(const Tally& tally) {
  Json json = Json::array();
  for (const SlowSeed& slow : tally.slowest) {
    json.push_back({{"seed", slow.seed}, {"seconds", slow.seconds}});
  }
  return json;
}

void AddCounts(Json& json, const Tally& tally) {
  const LifeCounts& counts = tally.counts;
  json["verdicts"] = VerdictsJson(tally);
  json["crashes"] = tally.crashes();
  json["power_cuts"] = counts.power_cuts;
  json["kills"] = counts.kills;
  json["recoveries_cut"] = counts.recoveries_cut;
  json["reopens"] = counts.reopens;
  json["operations"] = counts.operations;
  json["flushes"] = counts.flushes;
  json["compactions"] = counts.compactions;
  json["manifests"] = counts.manifests;
  json["lives_without"] = {{"flush", tally.lives_without_flush},
                           {"compaction", tally.lives_without_compaction},
                           {"manifest", tally.lives_without_manifest}};
  json["micro_ops"] = {{"kept", counts.micro_ops_kept},
                       {"lost", counts.micro_ops_lost},
                       {"torn", counts.micro_ops_torn}};
  json["crash_points"] = NamesJson(counts.crash_points);
  json["marks"] = NamesJson(counts.marks);
  json["faults"] = {
      {"sync.EIO", {{"armed", counts.sync_errors_armed}, {"fired", counts.sync_errors_fired}}}};
}

Json SuiteJson(const SweepResult& result) {
  const SweepRequest& request = result.request;
  Json json = {{"suite", request.suite->name},
               {"engine", request.engine->name},
               {"profiles", {{std::string(request.profile->name), result.tally.seeds}}},
               {"first_seed", request.first_seed},
               {"seeds", result.tally.seeds},
               {"shard", {{"index", 1}, {"count", 1}, {"source", "none"}}}};
  AddCounts(json, result.tally);
  json["floors_missed"] = result.floors_missed;
  json["failures"] = FailuresJson(result);
  json["seconds"] = result.seconds;
  json["cpu_seconds"] = result.cpu_seconds;
  json["seeds_per_second"] = result.seeds_per_second();
  json["worker_rss_bytes"] = {{"first", result.memory.first_bytes},
                              {"last", result.memory.last_bytes},
                              {"max", result.memory.max_bytes}};
  json["slowest"] = SlowestJson(result.tally);
  json["digest"] = result.tally.digest.Text();
  return json;
}

}  // namespace

std::string SweepJson(const Provenance& provenance, std::span<const SweepResult> results,
                      size_t requested) {
  Json json = Head(provenance);
  json["args"] = provenance.args;
  bool complete = results.size() == requested;
  Json suites = Json::array();
  for (const SweepResult& result : results) {
    complete = complete && result.complete;
    suites.push_back(SuiteJson(result));
  }
  json["complete"] = complete;
  json["suites"] = std::move(suites);
  return Dump(json);
}

std::string MutantsJson(const Provenance& provenance, std::span<const MutantResult> mutants) {
  Json json = Head(provenance);
  Json list = Json::array();
  for (const MutantResult& mutant : mutants) {
    list.push_back({{"name", mutant.name},
                    {"kind", mutant.kind},
                    {"engine", mutant.engine},
                    {"suite", mutant.suite},
                    {"caught", mutant.caught},
                    {"seeds_to_detection", mutant.seeds_to_detection},
                    {"seconds", mutant.seconds},
                    {"signature", mutant.signature}});
  }
  json["mutants"] = std::move(list);
  return Dump(json);
}

std::string BenchJson(const Provenance& provenance, const std::string& bench,
                      std::span<const BenchRow> rows) {
  Json json = Head(provenance);
  json["args"] = provenance.args;
  json["bench"] = bench;
  Json list = Json::array();
  for (const BenchRow& row : rows) {
    list.push_back({{"name", row.name}, {"value", row.value}, {"unit", row.unit}});
  }
  json["rows"] = std::move(list);
  return Dump(json);
}

}  // namespace kiban::suites
