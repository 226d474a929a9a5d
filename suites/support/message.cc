#include "suites/support/message.h"

#include <bit>
#include <map>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/check.h"

namespace kiban::suites {
namespace {

// One description of what is in a message serves both directions: `Writer` and `Reader` have the
// same calls.
class Writer {
 public:
  explicit Writer(std::string& to) : to_(to) {}
  void Number(uint64_t value) { base::AppendVarint(to_, value); }
  void Text(const std::string& text) { base::AppendCounted(to_, text); }
  template <typename T>
  void Count(const std::vector<T>& items) {
    Number(items.size());
  }

 private:
  std::string& to_;
};

class Reader {
 public:
  explicit Reader(std::string_view from) : from_(from) {}
  void Number(uint64_t& value) { CHECK(base::TakeVarint(from_, value)); }
  void Text(std::string& text) {
    std::string_view view;
    CHECK(base::TakeCounted(from_, view));
    text = view;
  }
  template <typename T>
  void Count(std::vector<T>& items) {
    uint64_t count = 0;
    Number(count);
    CHECK(count <= from_.size());
    items.resize(count);
  }
  bool done() const { return from_.empty(); }

 private:
  std::string_view from_;
};

void Real(Writer& wire, const double& value) { wire.Number(std::bit_cast<uint64_t>(value)); }
void Real(Reader& wire, double& value) {
  uint64_t bits = 0;
  wire.Number(bits);
  value = std::bit_cast<double>(bits);
}

void Names(Writer& wire, const std::map<std::string, uint64_t>& counts) {
  wire.Number(counts.size());
  for (const auto& [name, count] : counts) {
    wire.Text(name);
    wire.Number(count);
  }
}

void Names(Reader& wire, std::map<std::string, uint64_t>& counts) {
  uint64_t size = 0;
  wire.Number(size);
  for (uint64_t i = 0; i < size; ++i) {
    std::string name;
    wire.Text(name);
    wire.Number(counts[name]);
  }
}

void Flag(Writer& wire, const bool& value) { wire.Number(value ? 1 : 0); }
void Flag(Reader& wire, bool& value) {
  uint64_t number = 0;
  wire.Number(number);
  value = number != 0;
}

void Which(Writer& wire, const Verdict& verdict) { wire.Number(static_cast<uint64_t>(verdict)); }
void Which(Reader& wire, Verdict& verdict) {
  uint64_t number = 0;
  wire.Number(number);
  CHECK(number < kVerdictCount);
  verdict = static_cast<Verdict>(number);
}

void Which(Writer& wire, const sim::Told::Kind& kind) { wire.Number(static_cast<uint64_t>(kind)); }
void Which(Reader& wire, sim::Told::Kind& kind) {
  uint64_t number = 0;
  wire.Number(number);
  CHECK(number < sim::Told::kKindCount);
  kind = static_cast<sim::Told::Kind>(number);
}

void Boot(Writer& wire, const uint32_t& boot) { wire.Number(boot); }
void Boot(Reader& wire, uint32_t& boot) {
  uint64_t number = 0;
  wire.Number(number);
  boot = static_cast<uint32_t>(number);
}

template <typename Wire, typename Counts>
void MoveCounts(Wire& wire, Counts& counts) {
  for (auto* const number :
       {&counts.operations, &counts.seam_calls, &counts.power_cuts, &counts.kills,
        &counts.recoveries_cut, &counts.reopens, &counts.flushes, &counts.compactions,
        &counts.manifests, &counts.micro_ops_kept, &counts.micro_ops_lost, &counts.micro_ops_torn,
        &counts.sync_errors_armed, &counts.sync_errors_fired, &counts.tables.sst3,
        &counts.tables.ph2, &counts.tables.ph3, &counts.format_switches}) {
    wire.Number(*number);
  }
  Names(wire, counts.kept_sets);
  Names(wire, counts.crash_points);
  Names(wire, counts.marks);
  Names(wire, counts.format_pairs);
}

template <typename Wire, typename TallyT>
void MoveTally(Wire& wire, TallyT& tally) {
  wire.Number(tally.seeds);
  for (auto& count : tally.verdicts) wire.Number(count);
  MoveCounts(wire, tally.counts);
  wire.Number(tally.lives_without_flush);
  wire.Number(tally.lives_without_compaction);
  wire.Number(tally.lives_without_manifest);
  wire.Number(tally.rechecked);
  wire.Number(tally.digest.high);
  wire.Number(tally.digest.low);
  wire.Count(tally.slowest);
  for (auto& slow : tally.slowest) {
    wire.Number(slow.seed);
    Real(wire, slow.seconds);
  }
}

template <typename Wire, typename PieceT>
void MovePiece(Wire& wire, PieceT& piece) {
  wire.Number(piece.chunk);
  wire.Number(piece.through);
  Flag(wire, piece.ends_sweep);
  MoveTally(wire, piece.tally);
  wire.Count(piece.failures);
  for (auto& failure : piece.failures) {
    wire.Number(failure.seed);
    Which(wire, failure.verdict);
    for (auto* const text : {&failure.signature, &failure.complaint, &failure.detail,
                             &failure.digest, &failure.case_text}) {
      wire.Text(*text);
    }
  }
  wire.Count(piece.schedules);
  for (auto& schedule : piece.schedules) wire.Number(schedule);
  wire.Number(piece.lived);
  wire.Number(piece.resident_bytes);
}

template <typename Wire, typename ReportT>
void MoveReport(Wire& wire, ReportT& report) {
  Which(wire, report.verdict);
  for (auto* const text : {&report.complaint, &report.detail, &report.crash_span,
                           &report.first_misfit, &report.first_not_owed}) {
    wire.Text(*text);
  }
  wire.Number(report.digest.high);
  wire.Number(report.digest.low);
  MoveCounts(wire, report.counts);
  wire.Number(report.misfits);
  wire.Number(report.not_owed);
}

template <typename Wire, typename ToldT>
void MoveTold(Wire& wire, ToldT& told) {
  Which(wire, told.kind);
  for (auto* const number :
       {&told.event, &told.time, &told.depth, &told.owed_bytes, &told.occurrence, &told.nth_call}) {
    wire.Number(*number);
  }
  Boot(wire, told.boot);
  for (auto* const text :
       {&told.task, &told.span, &told.text, &told.call, &told.path, &told.label, &told.result}) {
    wire.Text(*text);
  }
  for (auto* const list : {&told.owes, &told.safe, &told.damaged, &told.gone}) {
    wire.Count(*list);
    for (auto& text : *list) wire.Text(text);
  }
  wire.Count(told.fates);
  for (auto& fate : told.fates) {
    for (auto* const text : {&fate.text, &fate.fate, &fate.rule}) wire.Text(*text);
  }
}

// Takes the body of one whole message; false if there is none yet.
bool TakeBody(std::string& from, std::string& body) {
  std::string_view rest(from);
  std::string_view view;
  if (!base::TakeCounted(rest, view)) return false;
  body = view;
  from.erase(0, from.size() - rest.size());
  return true;
}

}  // namespace

void AppendMessage(std::string& to, const Piece& piece) {
  std::string body;
  Writer writer(body);
  MovePiece(writer, piece);
  base::AppendCounted(to, body);
}

void AppendMessage(std::string& to, const LifeReport& report) {
  std::string body;
  Writer writer(body);
  MoveReport(writer, report);
  base::AppendCounted(to, body);
}

void AppendMessage(std::string& to, const sim::Told& told) {
  std::string body;
  Writer writer(body);
  MoveTold(writer, told);
  base::AppendCounted(to, body);
}

bool TakeMessage(std::string& from, Piece& piece) {
  std::string body;
  if (!TakeBody(from, body)) return false;
  piece = Piece{};
  Reader reader(body);
  MovePiece(reader, piece);
  CHECK(reader.done());
  return true;
}

bool TakeMessage(std::string& from, LifeReport& report) {
  std::string body;
  if (!TakeBody(from, body)) return false;
  report = LifeReport{};
  Reader reader(body);
  MoveReport(reader, report);
  CHECK(reader.done());
  return true;
}

bool TakeMessage(std::string& from, sim::Told& told) {
  std::string body;
  if (!TakeBody(from, body)) return false;
  told = sim::Told{};
  Reader reader(body);
  MoveTold(reader, told);
  CHECK(reader.done());
  return true;
}

}  // namespace kiban::suites
