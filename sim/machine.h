// One simulated machine: disk, clock, chance, the tasks of its one process, and what every call of
// the seam passes through. sim_env.* are its calls, world.* is its life.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/hooks.h"
#include "engine/base/ticks.h"
#include "sim/disk/disk.h"
#include "sim/faults/extra_sync.h"
#include "sim/faults/fate_match.h"
#include "sim/faults/striker.h"
#include "sim/rng.h"
#include "sim/scheduler.h"
#include "sim/schedules/random.h"
#include "sim/spans.h"
#include "sim/teller.h"
#include "sim/trace.h"

namespace kiban::sim {

enum class CallKind : uint8_t {
  kOpen,
  kRead,
  kWrite,
  kSync,
  kTruncate,
  kAllocate,
  kSize,
  kMap,
  kClose,
  kRename,
  kLink,
  kRemove,
  kMakeDir,
  kList,
  kSyncDir,
  kLock,
  kClock,
  kRandom,
};
std::string_view Name(CallKind kind);

enum class CutMoment : uint8_t { kBefore, kAfter };

class Machine;

struct MachineOptions {
  ScheduleChoices schedule;
  // Of each process, whose luck it has: the n-th draws as the n-th listed would, otherwise its own.
  std::vector<uint32_t> lucks;
  FateMatch fate_match = FateMatch::kExact;
  uint64_t step_budget = UINT64_MAX;  // Calls of the seam and accesses to atomics in a whole life.
  Trace::Recording recording = Trace::Recording::kEverything;
  std::vector<Event>* kept_events = nullptr;          // For Recording::kAndKeep.
  std::function<void(std::string_view)> on_decision;  // See LifeOptions.
  // A fault has struck, or a CHECK failed: what was decided so far can be asked.
  std::function<void(const Machine&)> on_strike;
  std::function<void(const Told&)> on_event;  // Whoever watches; null in sweeps.
  // Before each event, on the stack of the task that it is of; null in sweeps. It may be told twice
  // of one, and not of changes from one task to another.
  std::function<void(uint64_t number)> before_event;
  std::vector<ExtraSync> extra_syncs;  // By their events, upwards.
  // The disk as calls saw it before the n-th cut, and as the next boot finds it.
  std::function<void(uint32_t n, CutMoment moment, const Disk& disk)> on_cut;
};

class Machine final : public base::Hooks {
 public:
  // What one call of the seam is to do.
  struct CallFate {
    bool happens;         // False: return GoingDown() and touch nothing.
    uint64_t step_limit;  // Of a call that the machine goes down in the middle of.
    SyncError* error;     // A sync that fails here, or null.
  };
  // What a call was about, for the digest and the timeline.
  struct CallRecord {
    CallKind kind;
    uint64_t subject = 0;  // Key of a file's label, or hash of a path.
    uint64_t first = 0;
    uint64_t second = 0;
    absl::FunctionRef<CallText()> describe;
  };

  Machine(Seed seed, const Profile& profile, FaultPlan plan, MachineOptions options);

  // Every call of the seam begins here and, if it happens, ends with EndCall(). `steps` tells how
  // many steps the call would take (Disk); it is asked only when the machine goes down inside it.
  CallFate BeginCall(CallKind kind, absl::FunctionRef<uint64_t()> steps);
  absl::Status EndCall(const CallRecord& record, absl::Status status);
  static absl::Status GoingDown();

  void Boot();
  // The process is dead from now on.
  void Die(Cut* cut);

  // Into the digest and the timeline; not for calls of the seam, and not of a dead process.
  void Note(uint64_t subject, uint64_t value, absl::FunctionRef<std::string()> describe);
  // A sync failed and what it damaged is settled.
  void Decided(const SyncError& error);
  const Teller& teller() const { return teller_; }
  Teller& teller() { return teller_; }

  FileLabel NewLabel(std::string_view path);

  // Chance for the present call, keyed by its place: what happens elsewhere does not change it.
  Rng DiceHere(std::string_view what) const;

  Disk disk;
  Striker striker;
  const Rng rng;
  Trace trace;
  const MachineOptions& options() const { return options_; }

  uint32_t boot = 0;
  // Of the present process: what draws are keyed by.
  uint32_t luck() const;
  base::Ticks now = 0;
  uint64_t calls = 0;
  bool dead = false;
  Cut* struck = nullptr;  // The cut that the process died of.
  std::set<InodeId> locks;
  InodeId late_sync = 0;  // Plant::kManifestSyncLate: what is still to be synced; 0: nothing.

  Scheduler tasks;
  // Whether the innermost span of a task other than the running one is such.
  bool AnyOtherTaskIn(absl::FunctionRef<bool(std::string_view span)> is_such) const;
  std::string_view innermost_span() const { return spans().innermost().name; }
  const std::map<std::string, uint64_t>& marks() const { return marks_; }

 private:
  void OnMark(const base::Label& label) override;
  void OnSpanEnter(const base::Label& label) override;
  void OnSpanLeave(const base::Label& label) override;
  void OnCheckFailed(const char* condition, const char* file, int line) override;
  void OnAtomic() override { tasks.LetOthersRun(); }
  void OnWait(base::WaitKind kind, std::string_view name) override {
    tasks.AboutToWait(kind, name);
  }

  void AnEventComes() {
    if (options_.before_event) options_.before_event(trace.count());
    if (extra_syncs_done_ < options_.extra_syncs.size()) DoExtraSyncs();
  }
  void DoExtraSyncs();
  uint64_t StepsInside(Cut& cut, uint64_t steps);
  static base::Ticks Duration(CallKind kind, Rng& dice);

  Spans& spans() { return tasks.current().spans; }
  const Spans& spans() const { return tasks.current().spans; }

  MachineOptions options_;
  Teller teller_;
  RandomSchedule schedule_;
  SpanCounts span_counts_;
  size_t extra_syncs_done_ = 0;
  Cut* dying_ = nullptr;  // Strikes when the present call ends.
  std::map<std::string, uint64_t> marks_;
};

}  // namespace kiban::sim
