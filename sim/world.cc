#include "sim/world.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "sim/disk/kept_sets.h"
#include "sim/event_kinds.h"
#include "sim/faults/fault_text.h"

namespace kiban::sim {
namespace {

// Lets MARK, SPAN and CHECK speak to the machine while it lives.
class Watching {
 public:
  explicit Watching(base::Hooks* hooks) : before_(std::exchange(base::g_hooks, hooks)) {}
  ~Watching() { base::g_hooks = before_; }

 private:
  base::Hooks* before_;
};

// A tear that was listed for another page: at least one of the sectors that changed stays old, and
// not all.
void FitTear(const MicroOp& op, Fate& fate) {
  if (fate.torn_sectors == 0) return;
  fate.torn_sectors &= op.changed_sectors;
  if (fate.torn_sectors != 0 && fate.torn_sectors != op.changed_sectors) return;
  const auto without_first = static_cast<uint8_t>(op.changed_sectors & (op.changed_sectors - 1u));
  fate.torn_sectors = without_first;
}

}  // namespace

World::World(Seed seed, const Profile& profile, FaultPlan plan, MachineOptions options)
    : machine_(seed, profile, std::move(plan), std::move(options)),
      files_(machine_),
      clock_(machine_),
      tasks_(machine_.tasks),
      random_(machine_) {}

Ending World::Live(Program& program) {
  const Watching watching(&machine_);
  for (;;) {
    machine_.Boot();
    const Ending ending = RunProcess(program);
    if (ending != Ending::kFinished || machine_.struck == nullptr) return ending;
    Crash();
    program.Crashed(machine_.struck->kind);
  }
}

Ending World::RunProcess(Program& program) {
  const engine::Env env{.files = &files_, .clock = &clock_, .tasks = &tasks_, .random = &random_};
  machine_.tasks.Spawn(kFirstTask, [&] { program.Run(env); });
  switch (machine_.tasks.Run()) {
    case Scheduler::Outcome::kAllDone:
      return Ending::kFinished;
    case Scheduler::Outcome::kAllWait:
      if (machine_.dead) return Ending::kDoesNotRunOut;
      return machine_.tasks.WaitsForLock() ? Ending::kDeadlock : Ending::kLostWakeUp;
    case Scheduler::Outcome::kRunsOn:
      return Ending::kDoesNotRunOut;
    case Scheduler::Outcome::kOutOfSteps:
      return Ending::kGaveUp;
  }
  CHECK(false);
}

bool World::OperationEnds(uint32_t operation) {
  return machine_.dead || DieOf(machine_.striker.CutAfterOperation(operation));
}

bool World::AllHaveEnded() { return machine_.dead || DieOf(machine_.striker.CutAtEnd()); }

bool World::DieOf(Cut* cut) {
  if (cut != nullptr) machine_.Die(cut);
  return machine_.dead;
}

void World::Crash() {
  Cut& cut = *machine_.struck;
  const auto& on_cut = machine_.options().on_cut;
  if (on_cut) on_cut(machine_.boot, CutMoment::kBefore, machine_.disk);
  switch (cut.kind) {
    case FaultKind::kPowerCut:
      CutPower(cut);
      break;
    case FaultKind::kKill:
      Kill(cut);
      break;
    case FaultKind::kSyncError:
      CHECK(false);
  }
  if (on_cut) on_cut(machine_.boot, CutMoment::kAfter, machine_.disk);
  Count(cut);
  std::string text;
  AppendFates(text, cut);
  if (machine_.options().on_decision) machine_.options().on_decision(text);
  if (machine_.options().on_strike) machine_.options().on_strike(machine_);
}

// What the plan lists; what it does not list is kept, if it can be. What is listed and not owed any
// more has become safe, or never happened: nothing can be lost of it.
KeptSet World::ListedKeptSet(const Cut& cut, std::vector<bool>& implied) {
  const std::vector<MicroOp>& pending = machine_.disk.pending();
  std::vector<std::string> owed;
  for (const MicroOp& op : pending) owed.push_back(machine_.disk.Describe(op));
  const FatesFound found = FindFates(*cut.fates, owed, machine_.options().fate_match);
  if (found.not_owed > 0 && counts_.not_owed == 0) counts_.first_not_owed = found.first_not_owed;
  counts_.not_owed += found.not_owed;
  const bool else_kept = machine_.options().fate_match != FateMatch::kAlikeElseLost;
  KeptSet wish;
  for (size_t i = 0; i < owed.size(); ++i) {
    const ListedFate* const fate = found.fates[i];
    wish.push_back(fate == nullptr ? Fate{.kept = else_kept}
                                   : Fate{.kept = fate->kept, .torn_sectors = fate->torn_sectors});
    if (fate != nullptr && fate->text != owed[i]) FitTear(pending[i], wish.back());
  }
  KeptSet legal = LegalPart(machine_.disk, wish);
  for (size_t i = 0; i < legal.size(); ++i) {
    implied[i] = found.fates[i] == nullptr && else_kept && !legal[i].kept;
    if (found.fates[i] == nullptr || legal[i] == wish[i]) continue;
    machine_.striker.Misfit(
        absl::StrCat("what is listed cannot be kept without what is lost: ", owed[i]));
  }
  return legal;
}

void World::CountKeptSet(uint64_t kept, uint64_t lost, uint64_t torn) {
  const char* shape = "some_lost";
  if (torn > 0) {
    shape = "torn";
  } else if (kept + lost == 0) {
    shape = "nothing_owed";
  } else if (lost == 0) {
    shape = "all_kept";
  } else if (kept == 0) {
    shape = "all_lost";
  }
  ++counts_.kept_sets[shape];
  counts_.micro_ops_kept += kept;
  counts_.micro_ops_lost += lost;
  counts_.micro_ops_torn += torn;
}

void World::CutPower(Cut& cut) {
  const Rng dice = machine_.rng.Stream("disk/crash").Fork(machine_.luck());
  std::vector<bool> implied(machine_.disk.pending().size());
  const KeptSet kept =
      cut.fates.has_value() ? ListedKeptSet(cut, implied) : DrawKeptSet(machine_.disk, dice).kept;
  cut.fates.emplace();
  uint64_t op_index = 0;
  uint64_t kept_count = 0;
  uint64_t torn_count = 0;
  for (const MicroOp& op : machine_.disk.pending()) {
    const bool is_implied = implied[op_index];
    const Fate& fate = kept[op_index++];
    cut.fates->push_back({.text = machine_.disk.Describe(op),
                          .kept = fate.kept,
                          .torn_sectors = fate.torn_sectors,
                          .implied = is_implied});
    if (fate.kept) ++kept_count;
    if (fate.torn_sectors != 0) ++torn_count;
    machine_.trace.Add({.kind = kFateEvent,
                        .time = machine_.now,
                        .subject = machine_.disk.Key(op),
                        .first = fate.kept ? uint64_t{1} : 0,
                        .second = fate.torn_sectors,
                        .result = 0});
  }
  CountKeptSet(kept_count, op_index - kept_count, torn_count);
  if (machine_.teller().listened_to()) machine_.teller().TellCut("", kept);
  machine_.disk.PowerCut(kept);
}

void World::Kill(Cut& cut) {
  if (machine_.teller().listened_to()) {
    const bool is_cold = *cut.evict_ghosts && machine_.disk.ghost_page_count() > 0;
    machine_.teller().TellCut(is_cold ? "pages that a sync had failed to write now show old bytes"
                                      : "nothing is gone: what calls wrote is still in memory",
                              {});
  }
  machine_.disk.Kill();
  if (*cut.evict_ghosts) machine_.disk.EvictGhosts();
}

void World::Count(const Cut& cut) {
  const auto* const anchor = std::get_if<Anchor>(&cut.place);
  last_crash_span_ = anchor != nullptr ? anchor->span : "";
  ++counts_.crash_points[last_crash_span_];
  if (cut.in_recovery) {
    ++counts_.recoveries_cut;
  } else {
    ++(cut.kind == FaultKind::kPowerCut ? counts_.power_cuts : counts_.kills);
  }
}

}  // namespace kiban::sim
