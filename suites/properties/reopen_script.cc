#include "suites/properties/reopen_script.h"

#include <rapidcheck/state.h>

#include "models/complaint.h"
#include "suites/properties/keys.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

using rc::gen::inRange;
using table::TableFormat;

constexpr uint32_t kSnapshotsMax = 3;
constexpr uint32_t kPowerCutsMax = 6;

constexpr std::string_view kKindNames[] = {"put",   "delete",  "batch",     "snapshot",
                                           "flush", "compact", "power cut", "reopen"};
constexpr std::string_view kFormatNames[] = {"3", "PH2", "PH3"};

// What the commands so far allow of the next.
struct Preconditions {
  bool has_written = false;
  uint32_t snapshots = 0;
  uint32_t power_cuts = 0;
};

// A command of RapidCheck's: its system under test is the script that it becomes a line of. The
// script is played once it is complete, because a simulated process runs on a stack of its own.
class ScriptLine : public rc::state::Command<Preconditions, std::vector<suites::Command>> {
 public:
  void checkPreconditions(const Preconditions& before) const override {
    const bool is_maintenance =
        line_.kind == CommandKind::kFlush || line_.kind == CommandKind::kCompact;
    if (is_maintenance) RC_PRE(before.has_written);
    if (line_.kind == CommandKind::kSnapshot) RC_PRE(before.snapshots < kSnapshotsMax);
    if (line_.kind == CommandKind::kPowerCut) RC_PRE(before.power_cuts < kPowerCutsMax);
  }
  void apply(Preconditions& state) const override {
    if (!line_.writes.empty()) state.has_written = true;
    if (line_.kind == CommandKind::kSnapshot) ++state.snapshots;
    if (line_.kind == CommandKind::kPowerCut) ++state.power_cuts;
    const bool ends_process =
        line_.kind == CommandKind::kPowerCut || line_.kind == CommandKind::kReopen;
    if (ends_process) state.snapshots = 0;
  }
  void run(const Preconditions&, std::vector<suites::Command>& script) const override {
    script.push_back(line_);
  }

 protected:
  explicit ScriptLine(CommandKind kind) { line_.kind = kind; }
  void DrawWrites(size_t count) {
    const auto keys = inRange<uint32_t>(0, kPoolKeys);
    line_.writes = *rc::gen::container<decltype(line_.writes)>(
        count, rc::gen::pair(keys, inRange<uint32_t>(0, 160)));
  }
  void DrawOpenAs() {
    line_.as.written =
        *rc::gen::element(TableFormat::kPh3, TableFormat::kPh2, TableFormat::kSorted);
    line_.as.point_index = *rc::gen::weightedElement<bool>({{2, true}, {1, false}});
    line_.as.cache_bytes = *rc::gen::element<uint64_t>(32u << 20, 64u << 10, 0);
    line_.as.knows_ph3 = *rc::gen::weightedElement<bool>({{3, true}, {1, false}});
  }

  suites::Command line_;
};

template <CommandKind kKind>
class Line final : public ScriptLine {
 public:
  Line() : ScriptLine(kKind) {
    if constexpr (kKind == CommandKind::kPut || kKind == CommandKind::kDelete) DrawWrites(1);
    if constexpr (kKind == CommandKind::kBatch) DrawWrites(*inRange<size_t>(1, 6));
    if constexpr (kKind == CommandKind::kDelete) line_.writes.front().second = 0;
    if constexpr (kKind <= CommandKind::kBatch) line_.is_synced = *inRange(0, 4) == 3;
    if constexpr (kKind == CommandKind::kPowerCut) {
      line_.calls = *inRange<uint32_t>(0, 40);
      line_.calls_of_recovery = *inRange<uint32_t>(0, 20);
    }
    if constexpr (kKind >= CommandKind::kPowerCut) DrawOpenAs();
  }
};

}  // namespace

TableFormat OpenAs::format() const {
  if (!point_index) return TableFormat::kSorted;
  return written == TableFormat::kPh3 && !knows_ph3 ? TableFormat::kPh2 : written;
}

lsm::KibanOptions OpenAs::Options() const {
  lsm::KibanOptions options{.write_buffer_bytes = 1024,
                            .block_bytes = 128,
                            .restart_interval = 2,
                            .block_cache_bytes = cache_bytes,
                            .l0_compaction_trigger = 3,
                            .level1_bytes = 1024,
                            .level_multiplier = 2,
                            .table_bytes = 600};
  options.point_index = point_index;
  if (written == TableFormat::kSorted) {
    options.for_tests.written.reset();
  } else if (written == TableFormat::kPh2 || !knows_ph3) {
    options.for_tests.written->layout = pointindex::Layout::kPh2;
  }
  if (!knows_ph3) options.for_tests.newest_layout = pointindex::Layout::kPh2;
  return options;
}

rc::Gen<ReopenScript> ReopenScripts() {
  // Some stand there more than once: so much more frequent they are.
  using Put = Line<CommandKind::kPut>;
  using Batch = Line<CommandKind::kBatch>;
  using Compact = Line<CommandKind::kCompact>;
  using Reopen = Line<CommandKind::kReopen>;
  const auto lines = rc::state::gen::execOneOfWithArgs<
      Put, Put, Put, Put, Line<CommandKind::kDelete>, Line<CommandKind::kDelete>, Batch, Batch,
      Line<CommandKind::kSnapshot>, Line<CommandKind::kFlush>, Compact, Compact,
      Line<CommandKind::kPowerCut>, Reopen, Reopen, Reopen>();
  using Lines = rc::state::Commands<ScriptLine::CommandType>;
  const auto scripts =
      rc::gen::map(rc::state::gen::commands(Preconditions(), lines), [](const Lines& drawn) {
        std::vector<Command> script;
        rc::state::runAll(drawn, Preconditions(), script);
        return script;
      });
  return rc::gen::apply(
      [](uint64_t seed, std::vector<Command> commands) {
        return ReopenScript{seed, std::move(commands)};
      },
      rc::gen::arbitrary<uint64_t>(), scripts);
}

void showValue(const ReopenScript& script, std::ostream& os) {
  os << "seed " << script.seed;
  for (const Command& command : script.commands) {
    os << '\n' << kKindNames[static_cast<size_t>(command.kind)];
    for (const auto& [key, value_bytes] : command.writes) {
      os << ' ' << models::Quote(PoolKey(key)) << ' ' << value_bytes;
    }
    if (command.is_synced) os << " sync";
    if (command.kind < CommandKind::kPowerCut) continue;
    if (command.kind == CommandKind::kPowerCut) {
      os << " after " << command.calls << " calls, again after " << command.calls_of_recovery;
    }
    os << ", writes " << kFormatNames[static_cast<size_t>(command.as.format())] << ", index "
       << (command.as.point_index ? "on" : "off") << ", cache " << command.as.cache_bytes
       << (command.as.knows_ph3 ? "" : ", knows no PH3");
  }
}

}  // namespace kiban::suites
