// Tells whoever watches a life what happens in it. It looks at the machine and changes nothing: a
// life that is watched is the same life.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/ticks.h"
#include "sim/disk/disk.h"
#include "sim/scheduler.h"
#include "sim/told.h"
#include "sim/trace.h"

namespace kiban::sim {

// What a call of the seam was about, for people.
struct CallText {
  std::string path;
  std::string detail;
  std::string label;  // Of the file, if it was called on one that is open.
};

class Teller {
 public:
  using Listener = std::function<void(const Told&)>;

  // Null: nobody listens, and nothing else may be called.
  Teller(Listener listener, const Disk& disk, const Scheduler& tasks, const Trace& trace,
         const base::Ticks& now, const uint32_t& boot)
      : listener_(std::move(listener)),
        disk_(disk),
        tasks_(tasks),
        trace_(trace),
        now_(now),
        boot_(boot) {}

  bool listened_to() const { return listener_ != nullptr; }

  // To be called when it is in the trace.
  void Tell(Told::Kind kind, std::string_view text);

  // Around the work of a call, so that it can be said what it left to be made safe and made so.
  void CallBegins();
  void PagesDamaged(const std::vector<uint64_t>& pages);
  void CallEnds(std::string_view call, const CallText& text, const absl::Status& status);

  // Before the disk forgets what was owed. Without fates: everything is as it was.
  void TellCut(std::string_view text, const KeptSet& kept);

 private:
  struct Owed {
    std::string text;
    MicroOp op;
  };

  Told Now(Told::Kind kind) const;
  std::vector<Owed> AllOwed() const;
  // The list of `told` for what the present call owes no more.
  std::vector<std::string>& ListOf(const MicroOp& op, Told& told) const;

  const Listener listener_;
  const Disk& disk_;
  const Scheduler& tasks_;
  const Trace& trace_;
  const base::Ticks& now_;
  const uint32_t& boot_;
  std::vector<Owed> owed_before_;
  std::vector<uint64_t>
      damaged_;  // Pages that the present call owes no more and did not make safe.
};

}  // namespace kiban::sim
