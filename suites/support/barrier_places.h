// A life as the search for a missing barrier sees it: what it did step by step, what its power cuts
// lost, and where a sync could have made that safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/faults/faults.h"
#include "sim/told.h"

namespace kiban::suites {

// A file or a directory of which something was lost.
struct SyncTarget {
  bool of_directory = false;
  std::string name;               // As sim::ExtraSync has it.
  std::vector<std::string> lost;  // Micro-operations, as sim::Disk::Describe() says them.
};

class LifeSteps {
 public:
  // A call of the seam that happened, or the return of an operation that promised something.
  struct Step {
    sim::Told told;
    std::string words;        // "rename MANIFEST.tmp -> MANIFEST", "acknowledgement of op 3".
    std::string spans;        // "flush.F4, publish.M3"; empty: in none.
    uint64_t free_event = 0;  // A sync before this event comes behind all that was before the step.
    sim::Place place;         // Of a cut just after it.
    // Others can depend on what came before it: it owes something, or promises it.
    bool is_effect = false;
  };
  struct PowerCut {
    size_t number = 0;        // Of all cuts, from 0.
    size_t begin = 0;         // Steps of its boot ...
    size_t end = 0;           // ... as far as it came.
    uint64_t free_event = 0;  // As Step's, just before the death.
    std::vector<SyncTarget> targets;
  };

  // To be told everything.
  void Add(const sim::Told& told);

  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<PowerCut>& power_cuts() const { return power_cuts_; }  // That lost something.

  // The step before `end` from which on something of the target was owed that was lost in the end.
  std::optional<size_t> FirstOwed(const SyncTarget& target, size_t end) const;
  // Syncs of the target between two steps that returned OK and made nothing of it safe.
  std::vector<size_t> EmptySyncs(const SyncTarget& target, size_t after, size_t before) const;
  // "sync *.wal", "dir-sync db/": by the name that a file had before the step.
  std::string Words(const SyncTarget& target, size_t before) const;

 private:
  void AddCall(const sim::Told& told);
  void AddNote(const sim::Told& told);
  void AddCut(const sim::Told& told);
  std::string SpansOf(const std::string& task) const;
  bool IsOf(const sim::Told& call, const SyncTarget& target) const;

  std::vector<Step> steps_;
  std::vector<PowerCut> power_cuts_;
  size_t cuts_ = 0;
  size_t boot_begin_ = 0;
  uint64_t free_event_ = 0;
  uint64_t death_free_event_ = 0;
  std::map<std::string, std::vector<std::string>> spans_;  // Open ones, by task.
  std::map<std::string, uint32_t> operations_;             // Begun last, by task.
  // By label, each with the step that gave it.
  std::map<std::string, std::vector<std::pair<size_t, std::string>>> file_paths_;
};

}  // namespace kiban::suites
