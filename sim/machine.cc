#include "sim/machine.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "sim/event_kinds.h"
#include "sim/faults/fault_text.h"

namespace kiban::sim {

std::string_view Name(CallKind kind) {
  switch (kind) {
    case CallKind::kOpen:
      return "open";
    case CallKind::kRead:
      return "read";
    case CallKind::kWrite:
      return "write";
    case CallKind::kSync:
      return "sync";
    case CallKind::kTruncate:
      return "truncate";
    case CallKind::kAllocate:
      return "allocate";
    case CallKind::kSize:
      return "size";
    case CallKind::kMap:
      return "map";
    case CallKind::kClose:
      return "close";
    case CallKind::kRename:
      return "rename";
    case CallKind::kLink:
      return "link";
    case CallKind::kRemove:
      return "remove";
    case CallKind::kMakeDir:
      return "mkdir";
    case CallKind::kList:
      return "list";
    case CallKind::kSyncDir:
      return "syncdir";
    case CallKind::kLock:
      return "lock";
    case CallKind::kClock:
      return "clock";
    case CallKind::kRandom:
      return "random";
  }
  CHECK(false);
}

Machine::Machine(Seed seed, const Profile& profile, FaultPlan plan, MachineOptions options)
    : disk(profile),
      striker(std::move(plan)),
      rng(seed),
      trace(options.recording, options.kept_events),
      tasks(schedule_, now, trace, options.step_budget),
      options_(std::move(options)),
      teller_(options_.on_event, disk, tasks, trace, now, boot),
      schedule_(options_.schedule) {}

void Machine::DoExtraSyncs() {
  const std::vector<ExtraSync>& syncs = options_.extra_syncs;
  for (; extra_syncs_done_ < syncs.size(); ++extra_syncs_done_) {
    const ExtraSync& sync = syncs[extra_syncs_done_];
    if (trace.count() < sync.before_event) return;
    if (sync.of_directory) {
      disk.SyncDir(sync.target).IgnoreError();  // It may be gone by then.
    } else {
      disk.MakeFileSafe(sync.target);
    }
  }
}

absl::Status Machine::GoingDown() { return absl::AbortedError("the machine is going down"); }

void Machine::Boot() {
  ++boot;
  dead = false;
  struck = nullptr;
  dying_ = nullptr;
  late_sync = 0;
  locks.clear();
  span_counts_.Clear();
  tasks.Boot(rng.Stream("schedule").Fork(luck()));
  striker.Boot(boot);
  if (teller_.listened_to()) teller_.Tell(Told::Kind::kBoot, "");
}

uint32_t Machine::luck() const {
  return boot <= options_.lucks.size() ? options_.lucks[boot - 1] : boot;
}

void Machine::Die(Cut* cut) {
  AnEventComes();
  struck = cut;
  dying_ = nullptr;
  dead = true;
  tasks.ProcessDied();
  if (cut->kind == FaultKind::kKill && !cut->evict_ghosts.has_value()) {
    cut->evict_ghosts = rng.Stream("evict").Fork(luck()).Chance(1, 2);
  }
  // Told at once: the process may not survive its own death.
  std::string text;
  AppendCutLine(text, *cut);
  if (options_.on_decision) options_.on_decision(text);
  if (options_.on_strike) options_.on_strike(*this);
  trace.Add(
      {.kind = kDeathEvent,
       .time = now,
       .subject = static_cast<uint64_t>(cut->kind),
       .first = boot,
       .second = calls,
       .result = 2 * cut->inside_steps.value_or(0) + (cut->evict_ghosts.value_or(false) ? 1 : 0)});
  if (teller_.listened_to()) {
    teller_.Tell(Told::Kind::kDeath, base::ToStd(absl::StripSuffix(text, "\n")));
  }
}

Rng Machine::DiceHere(std::string_view what) const {
  const Spans::Frame& frame = spans().innermost();
  const Candidate& task = tasks.current().candidate;
  return rng.Stream(what).Fork(luck() + task.key, task.operation, frame.id, frame.own_occurrence,
                               frame.calls);
}

// A sync takes its time and everything else next to none, so that stalls, pacing and group commit
// meet more than instant disks.
base::Ticks Machine::Duration(CallKind kind, Rng& dice) {
  const bool syncs = kind == CallKind::kSync || kind == CallKind::kSyncDir;
  return syncs ? dice.Between(1, 50) : dice.Below(3);
}

uint64_t Machine::StepsInside(Cut& cut, uint64_t steps) {
  if (!cut.inside_steps.has_value()) {
    cut.inside_steps = rng.Stream("inside").Fork(luck()).Below(steps + 1);
  }
  return *cut.inside_steps;
}

Machine::CallFate Machine::BeginCall(CallKind kind, absl::FunctionRef<uint64_t()> steps) {
  constexpr CallFate kNothing{.happens = false, .step_limit = 0, .error = nullptr};
  tasks.LetOthersRun();
  if (dead) return kNothing;
  ++calls;
  ++spans().innermost().calls;
  // The work is done at some moment between call and return: others may come before it, and after
  // it before the caller hears.
  Rng dice = DiceHere("duration");
  const base::Ticks duration = Duration(kind, dice);
  const base::Ticks before = dice.Below(duration + 1);
  tasks.SleepFor(before);
  if (dead) return kNothing;
  tasks.current().call_ticks_left = duration - before;
  AnEventComes();
  if (teller_.listened_to()) teller_.CallBegins();
  if (late_sync != 0) disk.Sync(std::exchange(late_sync, 0));
  Cut* const cut = striker.CutAtCall(spans());
  if (cut != nullptr && cut->phase == Phase::kBefore) {
    Die(cut);
    return kNothing;
  }
  dying_ = cut;
  CallFate fate{.happens = true, .step_limit = Disk::kAllSteps, .error = nullptr};
  const bool syncs = kind == CallKind::kSync || kind == CallKind::kSyncDir;
  if (syncs) fate.error = striker.ErrorAtSync(spans());
  if (cut == nullptr || cut->phase != Phase::kInside) return fate;
  const uint64_t count = fate.error == nullptr ? steps() : 0;
  if (count > 0) {
    fate.step_limit = StepsInside(*cut, count);
  } else {
    cut->phase = Phase::kAfter;  // The call has no inside.
  }
  return fate;
}

absl::Status Machine::EndCall(const CallRecord& record, absl::Status status) {
  trace.Add({.kind = static_cast<uint64_t>(record.kind),
             .time = now,
             .subject = record.subject,
             .first = record.first,
             .second = record.second,
             .result = static_cast<uint64_t>(status.code())});
  if (teller_.listened_to()) teller_.CallEnds(Name(record.kind), record.describe(), status);
  if (dying_ != nullptr) {
    Die(dying_);
    return GoingDown();
  }
  tasks.SleepFor(tasks.current().call_ticks_left);
  return dead ? GoingDown() : status;
}

void Machine::Note(uint64_t subject, uint64_t value, absl::FunctionRef<std::string()> describe) {
  CHECK(!dead);
  AnEventComes();
  trace.Add({.kind = kNoteEvent,
             .time = now,
             .subject = subject,
             .first = value,
             .second = boot,
             .result = 0});
  if (teller_.listened_to()) teller_.Tell(Told::Kind::kNote, describe());
}

void Machine::Decided(const SyncError& error) {
  AnEventComes();
  for (const uint64_t page : *error.ghost_pages) {
    trace.Add({.kind = kGhostEvent,
               .time = now,
               .subject = page,
               .first = boot,
               .second = calls,
               .result = 0});
  }
  std::string text;
  AppendText(text, error);
  if (options_.on_decision) options_.on_decision(text);
  if (options_.on_strike) options_.on_strike(*this);
  if (!teller_.listened_to()) return;
  teller_.PagesDamaged(*error.ghost_pages);
  teller_.Tell(Told::Kind::kSyncError, base::ToStd(absl::StripSuffix(text, "\n")));
}

bool Machine::AnyOtherTaskIn(absl::FunctionRef<bool(std::string_view span)> is_such) const {
  for (const auto& task : tasks.tasks()) {
    if (task.get() != &tasks.current() && task->state != Task::State::kDone &&
        is_such(task->spans.innermost().name)) {
      return true;
    }
  }
  return false;
}

FileLabel Machine::NewLabel(std::string_view path) {
  const std::string_view kind = KindOfName(path);
  const uint32_t nth = spans().NextFile(base::Label::Hash(kind));
  const Spans::Frame& frame = spans().innermost();
  return {.kind = std::string(kind),
          .boot = boot,
          .span = frame.name,
          .occurrence = frame.occurrence,
          .nth = nth};
}

void Machine::OnMark(const base::Label& label) {
  if (dead) return;
  AnEventComes();
  ++marks_[std::string(label.name)];
  trace.Add(
      {.kind = kMarkEvent, .time = now, .subject = label.id, .first = 0, .second = 0, .result = 0});
  if (teller_.listened_to()) teller_.Tell(Told::Kind::kMark, label.name);
}

void Machine::OnSpanEnter(const base::Label& label) {
  spans().Enter(label, span_counts_);
  if (teller_.listened_to() && !dead) teller_.Tell(Told::Kind::kSpanEnter, label.name);
}

void Machine::OnSpanLeave(const base::Label& label) {
  if (teller_.listened_to() && !dead) teller_.Tell(Told::Kind::kSpanLeave, label.name);
  spans().Leave();
}

void Machine::OnCheckFailed(const char* condition, const char* file, int line) {
  if (options_.on_strike) options_.on_strike(*this);
  if (!options_.on_decision) return;
  options_.on_decision(absl::StrCat("# CHECK failed at ", file, ":", line, ": ", condition, "\n"));
}

}  // namespace kiban::sim
