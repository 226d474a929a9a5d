#include "suites/support/json.h"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

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

// One description of what stands in a sweep's results serves both directions: `Writer` and `Reader`
// have the same calls.
class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}

  void Number(const std::string& name, uint64_t value) { json_[name] = value; }
  void Real(const std::string& name, double value) { json_[name] = value; }
  void Text(const std::string& name, const std::string& value) { json_[name] = value; }
  // What follows from the rest, for whoever reads it.
  template <typename T>
  void Derived(const std::string& name, const T& value) {
    json_[name] = value;
  }
  // A cut in no span stands under "-", as in cases.
  void Names(const std::string& name, const std::map<std::string, uint64_t>& counts) {
    Json& part = json_[name] = Json::object();
    for (const auto& [key, count] : counts) part[key.empty() ? "-" : key] = count;
  }
  template <typename Move>
  void Part(const std::string& name, const Move& move) {
    Json part = Json::object();
    Writer writer(part);
    move(writer);
    json_[name] = std::move(part);
  }
  template <typename T, typename Move>
  void List(const std::string& name, const std::vector<T>& items, const Move& move) {
    Json& list = json_[name] = Json::array();
    for (const T& item : items) {
      Json part = Json::object();
      Writer writer(part);
      move(writer, item);
      list.push_back(std::move(part));
    }
  }

 private:
  Json& json_;
};

// Keeps the first complaint.
class Reader {
 public:
  Reader(const Json& json, std::string& complaint) : json_(json), complaint_(complaint) {}

  void Number(const std::string& name, uint64_t& value) {
    const Json* const found = Find(name, &Json::is_number_unsigned);
    if (found != nullptr) value = found->get<uint64_t>();
  }
  void Flag(const std::string& name, bool& value) {
    const Json* const found = Find(name, &Json::is_boolean);
    if (found != nullptr) value = found->get<bool>();
  }
  void Real(const std::string& name, double& value) {
    const Json* const found = Find(name, &Json::is_number);
    if (found != nullptr) value = found->get<double>();
  }
  void Text(const std::string& name, std::string& value) {
    const Json* const found = Find(name, &Json::is_string);
    if (found != nullptr) value = found->get<std::string>();
  }
  template <typename T>
  void Derived(const std::string&, const T&) {}
  void Names(const std::string& name, std::map<std::string, uint64_t>& counts) {
    const Json* const found = Find(name, &Json::is_object);
    if (found == nullptr) return;
    Reader reader(*found, complaint_);
    for (const auto& item : found->items()) {
      reader.Number(item.key(), counts[item.key() == "-" ? "" : item.key()]);
    }
  }
  template <typename Move>
  void Part(const std::string& name, const Move& move) {
    const Json* const found = Find(name, &Json::is_object);
    if (found == nullptr) return;
    Reader reader(*found, complaint_);
    move(reader);
  }
  template <typename T, typename Move>
  void List(const std::string& name, std::vector<T>& items, const Move& move) {
    const Json* const found = Find(name, &Json::is_array);
    if (found == nullptr) return;
    for (const Json& part : *found) {
      Reader reader(part, complaint_);
      move(reader, items.emplace_back());
    }
  }
  void Complain(const std::string& complaint) {
    if (complaint_.empty()) complaint_ = complaint;
  }

 private:
  const Json* Find(const std::string& name, bool (Json::*is_right)() const noexcept) {
    const auto found = json_.is_object() ? json_.find(name) : json_.end();
    if (json_.is_object() && found != json_.end() && ((*found).*is_right)()) return &*found;
    Complain("no fitting \"" + name + "\" in it");
    return nullptr;
  }

  const Json& json_;
  std::string& complaint_;
};

// What stands in the file as a name.
template <typename Thing>
void Named(Writer& wire, const std::string& name, const Thing* const& thing,
           const Thing* (*)(std::string_view)) {
  wire.Text(name, std::string(thing->name));
}
template <typename Thing>
void Named(Reader& wire, const std::string& name, const Thing*& thing,
           const Thing* (*find)(std::string_view)) {
  std::string text;
  wire.Text(name, text);
  thing = find(text);
  if (thing == nullptr) wire.Complain("this program has no " + name + " " + text);
}

void Which(Writer& wire, const Verdict& verdict) {
  wire.Text("verdict", std::string(Name(verdict)));
}
void Which(Reader& wire, Verdict& verdict) {
  std::string text;
  wire.Text("verdict", text);
  const std::optional<Verdict> found = FindVerdict(text);
  if (!found) wire.Complain("no such verdict: " + text);
  verdict = found.value_or(Verdict::kBroken);
}

void Digest(Writer& wire, const sim::Digest& digest) { wire.Text("digest", digest.Text()); }
void Digest(Reader& wire, sim::Digest& digest) {
  std::string text;
  wire.Text("digest", text);
  const std::optional<sim::Digest> found = sim::ParseDigest(text);
  if (!found) wire.Complain("no such digest: " + text);
  digest = found.value_or(sim::Digest{});
}

// A life's profile; and of how many seeds.
void Profiles(Writer& wire, const SweepResult& result) {
  wire.Part("profiles", [&](Writer& part) {
    part.Number(std::string(result.request.profile->name), result.tally.seeds);
  });
}
void Profiles(Reader& wire, SweepResult& result) {
  std::map<std::string, uint64_t> profiles;
  wire.Names("profiles", profiles);
  if (profiles.size() == 1) result.request.profile = sim::FindProfile(profiles.begin()->first);
  if (result.request.profile == nullptr) {
    wire.Complain("no profile that this program has");
    return;
  }
  uint64_t seeds = 0;
  wire.Number("seeds", seeds);
  if (profiles.begin()->second != seeds) wire.Complain("its profile is not that of its seeds");
}

// A group by its smallest seed. Its other cases lie where they were written.
void Group(Writer& wire, const FailureGroup& group) {
  const WrittenCase& first = group.written.front();
  wire.Number("seed", first.failure.seed);
  Which(wire, first.failure.verdict);
  wire.Text("signature", group.signature);
  wire.Number("count", group.count);
  wire.Text("case", first.path);
  wire.Text("shrunk_case", first.shrunk.path);
  wire.Text("command", first.command);
}
void Group(Reader& wire, FailureGroup& group) {
  WrittenCase& first = group.written.emplace_back();
  wire.Number("seed", first.failure.seed);
  Which(wire, first.failure.verdict);
  wire.Text("signature", group.signature);
  wire.Number("count", group.count);
  wire.Text("case", first.path);
  wire.Text("shrunk_case", first.shrunk.path);
  wire.Text("command", first.command);
  first.failure.signature = first.failure.complaint = group.signature;
  if (first.path.empty()) first.not_written = "was not written";
}

void Schedules(Writer& wire, const std::optional<uint64_t>& count) {
  if (count) wire.Number("distinct_schedules", *count);
}
void Schedules(Reader&, std::optional<uint64_t>&) {}  // Nothing can be done with it.

template <typename Wire, typename TallyT>
void MoveCounts(Wire& wire, TallyT& tally) {
  auto& counts = tally.counts;
  wire.Part("verdicts", [&](auto& part) {
    for (size_t i = 0; i < kVerdictCount; ++i) {
      part.Number(std::string(Name(static_cast<Verdict>(i))), tally.verdicts[i]);
    }
  });
  wire.Derived("crashes", tally.crashes());
  wire.Number("power_cuts", counts.power_cuts);
  wire.Number("kills", counts.kills);
  wire.Number("recoveries_cut", counts.recoveries_cut);
  wire.Number("reopens", counts.reopens);
  wire.Number("operations", counts.operations);
  wire.Number("flushes", counts.flushes);
  wire.Number("compactions", counts.compactions);
  wire.Number("manifests", counts.manifests);
  wire.Part("lives_without", [&](auto& part) {
    part.Number("flush", tally.lives_without_flush);
    part.Number("compaction", tally.lives_without_compaction);
    part.Number("manifest", tally.lives_without_manifest);
  });
  wire.Part("micro_ops", [&](auto& part) {
    part.Number("kept", counts.micro_ops_kept);
    part.Number("lost", counts.micro_ops_lost);
    part.Number("torn", counts.micro_ops_torn);
  });
  wire.Names("kept_sets", counts.kept_sets);
  wire.Names("crash_points", counts.crash_points);
  wire.Names("marks", counts.marks);
  wire.Part("formats", [&](auto& part) {
    part.Number("sst3", counts.tables.sst3);
    part.Number("ph2", counts.tables.ph2);
    part.Number("ph3", counts.tables.ph3);
    part.Number("switches", counts.format_switches);
  });
  wire.Names("format_pairs", counts.format_pairs);
  wire.Part("faults", [&](auto& faults) {
    faults.Part("sync.EIO", [&](auto& part) {
      part.Number("armed", counts.sync_errors_armed);
      part.Number("fired", counts.sync_errors_fired);
    });
  });
}

template <typename Wire, typename ResultT>
void MoveSuite(Wire& wire, ResultT& result) {
  auto& request = result.request;
  auto& tally = result.tally;
  Named<Suite>(wire, "suite", request.suite, FindSuite);
  Named<Engine>(wire, "engine", request.engine, FindEngine);
  Profiles(wire, result);
  wire.Text("plant", request.plant);
  wire.Number("first_seed", request.first_seed);
  wire.Number("seeds", tally.seeds);
  wire.Number("seeds_asked", request.seeds);
  wire.Text("harness_error", result.harness_error);
  wire.Part("shard", [&](auto& part) {
    part.Number("index", request.shard.index);
    part.Number("count", request.shard.count);
    part.Text("source", request.shard.source);
  });
  MoveCounts(wire, tally);
  Schedules(wire, result.distinct_schedules);
  wire.Derived("floors_missed", result.floors_missed);
  wire.List("failures", result.failures, [](auto& part, auto& group) { Group(part, group); });
  wire.Real("seconds", result.seconds);
  wire.Real("cpu_seconds", result.cpu_seconds);
  wire.Derived("seeds_per_second", result.seeds_per_second());
  wire.Part("worker_rss_bytes", [&](auto& part) {
    part.Number("first", result.memory.first_bytes);
    part.Number("last", result.memory.last_bytes);
    part.Number("max", result.memory.max_bytes);
  });
  wire.List("slowest", tally.slowest, [](auto& part, auto& slow) {
    part.Number("seed", slow.seed);
    part.Real("seconds", slow.seconds);
  });
  Digest(wire, tally.digest);
}

// Without a sum, which could run over.
bool AddUpTo(uint64_t whole, std::span<const uint64_t> parts) {
  uint64_t left = whole;
  for (const uint64_t part : parts) {
    if (part > left) return false;
    left -= part;
  }
  return left == 0;
}

bool IsLived(const SweepRequest& request, uint64_t seed) {
  const uint64_t offset = seed - request.first_seed;
  return seed >= request.first_seed && offset < request.seeds &&
         offset % request.shard.count == request.shard.index - 1;
}

// Every life that did not hold is in a group, and no other is.
void CheckFailures(Reader& wire, const SweepResult& result) {
  const auto& verdicts = result.tally.verdicts;
  std::array<std::vector<uint64_t>, kVerdictCount> counts;
  for (const FailureGroup& group : result.failures) {
    const Failure& first = group.written.front().failure;
    if (group.count == 0) wire.Complain("a group of no failures");
    if (!IsLived(result.request, first.seed)) wire.Complain("a failure of a seed it did not live");
    counts[static_cast<size_t>(first.verdict)].push_back(group.count);
  }
  for (size_t i = 0; i < kVerdictCount; ++i) {
    const uint64_t failed = static_cast<Verdict>(i) == Verdict::kHeld ? 0 : verdicts[i];
    if (!AddUpTo(failed, counts[i])) wire.Complain("its failures are not its verdicts'");
  }
}

// What no sweep can have written.
void CheckSense(Reader& wire, SweepResult& result) {
  const SweepRequest& request = result.request;
  const Shard& shard = request.shard;
  const Tally& tally = result.tally;
  if (shard.count == 0 || shard.index == 0 || shard.index > shard.count) {
    wire.Complain("there is no such shard");
    return;
  }
  if (request.seeds == 0 || request.first_seed >= UINT64_MAX - request.seeds) {
    wire.Complain("there are no such seeds");
  }
  const uint64_t share = shard.SeedsOf(request.seeds);
  if (tally.seeds > share) wire.Complain("it has more seeds than it was asked for");
  if (!AddUpTo(tally.seeds, tally.verdicts)) {
    wire.Complain("its verdicts are not those of its seeds");
  }
  uint64_t crashes = 0;
  wire.Number("crashes", crashes);
  if (crashes != tally.crashes()) wire.Complain("its crashes are not its power cuts and kills");
  for (const uint64_t lives :
       {tally.lives_without_flush, tally.lives_without_compaction, tally.lives_without_manifest}) {
    if (lives > tally.seeds) wire.Complain("it has more lives without than lives");
  }
  CheckFailures(wire, result);
  result.complete = tally.seeds == share;
}

// The suites of one file.
void CheckSuites(Reader& wire, const std::vector<SweepResult>& results) {
  std::set<std::string_view> suites;
  bool complete = true;
  for (const SweepResult& result : results) {
    if (!suites.insert(result.request.suite->name).second) wire.Complain("a suite twice");
    complete = complete && result.complete;
  }
  if (results.empty()) wire.Complain("no suite in it");
  bool said = false;
  wire.Flag("complete", said);
  if (said != complete) wire.Complain("\"complete\" is not what its seeds say");
}

}  // namespace

std::string SweepJson(const Provenance& provenance, std::span<const SweepResult> results) {
  Json json = Head(provenance);
  json["args"] = provenance.args;
  bool complete = true;
  Json suites = Json::array();
  for (const SweepResult& result : results) {
    complete = complete && result.complete;
    Json suite = Json::object();
    Writer writer(suite);
    MoveSuite(writer, result);
    suites.push_back(std::move(suite));
  }
  json["complete"] = complete;
  json["suites"] = std::move(suites);
  return Dump(json);
}

absl::StatusOr<SweepFile> ParseSweepJson(const std::string& path, std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  SweepFile file{.path = path, .provenance = {}, .results = {}};
  std::string complaint;
  Reader reader(json, complaint);
  uint64_t schema = 0;
  reader.Number("schema", schema);
  if (complaint.empty() && schema != kResultSchema) complaint = "it is of another schema";
  reader.Text("revision", file.provenance.revision);
  reader.Text("build", file.provenance.build);
  reader.List("suites", file.results, [](Reader& suite, SweepResult& result) {
    MoveSuite(suite, result);
    CheckSense(suite, result);
  });
  if (complaint.empty()) CheckSuites(reader, file.results);
  if (complaint.empty()) return file;
  return absl::InvalidArgumentError(path + ": not the results of a sweep: " + complaint);
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
    if (mutant.shrunk.path.empty()) continue;
    list.back()["operations"] = mutant.shrunk.operations_before;
    list.back()["operations_shrunk"] = mutant.shrunk.operations;
    list.back()["shrink_seconds"] = mutant.shrunk.seconds;
    list.back()["barrier_expected"] = mutant.edge;
    list.back()["barrier_named"] = mutant.shrunk.barrier;
    list.back()["barrier_right"] = mutant.is_named_right;
    list.back()["weakest_profile"] = mutant.shrunk.weakest;
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
    if (!row.field.empty()) json[Json::json_pointer("/" + row.field)] = row.value;
  }
  json["rows"] = std::move(list);
  return Dump(json);
}

}  // namespace kiban::suites
