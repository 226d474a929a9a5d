#include "suites/support/barrier.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/check.h"
#include "engine/base/status_util.h"
#include "suites/support/barrier_places.h"
#include "suites/support/host.h"
#include "suites/support/lone_life.h"

namespace kiban::suites {
namespace {

constexpr double kSecondsMin = 1;
constexpr double kSlownessMax = 20;  // Of a candidate, against the life as it is.
constexpr char kNone[] = "no single sync, and no two, would make it hold";
constexpr char kNoTime[] = "none was found in the time there was";

bool IsOfReading(Verdict verdict) {
  return verdict == Verdict::kViolated || verdict == Verdict::kUnavailable;
}

// A sync of each target, all before one step: the first that must not happen without them.
struct EdgeSet {
  std::vector<const SyncTarget*> targets;
  std::vector<std::optional<size_t>> syncs;  // The step that should have been it.
  std::vector<size_t> owed;                  // The step from which on it was due.
  size_t dependent = 0;

  // What the engine asked for and did not get comes first, then what was due first.
  auto Rank() const {
    const auto missing = std::count(syncs.begin(), syncs.end(), std::nullopt);
    return std::tuple(missing, dependent, owed.front());
  }
};

class Search {
 public:
  Search(const Plan& plan, const BarrierOptions& options)
      : plan_(plan), options_(options), began_(MonotonicSeconds()) {}

  std::string Run() {
    const LifeReport report =
        LiveAlone(plan_, {.seconds_max = options_.seconds_max,
                          .on_event = [this](const sim::Told& told) { life_.Add(told); },
                          .live = options_.live});
    if (!IsOfReading(report.verdict) || life_.power_cuts().empty()) return "";
    seconds_each_ = std::max(kSecondsMin, kSlownessMax * (MonotonicSeconds() - began_));
    for (const bool pairs : {false, true}) {
      const std::optional<EdgeSet> best = BestOf(pairs);
      if (best.has_value()) return Words(*best);
    }
    return IsOver() ? kNoTime : kNone;
  }

 private:
  using PowerCut = LifeSteps::PowerCut;
  using Targets = std::vector<const SyncTarget*>;

  bool IsOver() const {
    return MonotonicSeconds() - began_ >= options_.seconds_max ||
           (options_.ends_early && options_.ends_early());
  }

  bool Holds(const Plan& plan, std::vector<sim::ExtraSync> syncs) const {
    std::sort(syncs.begin(), syncs.end(),
              [](const auto& a, const auto& b) { return a.before_event < b.before_event; });
    const LifeReport report = LiveAlone(
        plan,
        {.seconds_max = seconds_each_, .extra_syncs = std::move(syncs), .live = options_.live});
    return report.verdict == Verdict::kHeld;
  }

  static sim::ExtraSync SyncOf(const SyncTarget& target, uint64_t before_event) {
    return {
        .before_event = before_event, .of_directory = target.of_directory, .target = target.name};
  }

  std::optional<EdgeSet> BestOf(bool pairs) const {
    for (size_t i = life_.power_cuts().size(); i-- > 0;) {
      const PowerCut& cut = life_.power_cuts()[i];
      std::optional<EdgeSet> best;
      for (const Targets& targets : SetsOf(cut, pairs)) {
        if (IsOver()) return best;
        std::optional<EdgeSet> found = Try(cut, targets);
        if (found && (!best || found->Rank() < best->Rank())) best = std::move(found);
      }
      if (best.has_value()) return best;
    }
    return std::nullopt;
  }

  static std::vector<Targets> SetsOf(const PowerCut& cut, bool pairs) {
    std::vector<Targets> sets;
    for (const SyncTarget& one : cut.targets) {
      if (!pairs) sets.push_back({&one});
      for (const SyncTarget& other : cut.targets) {
        if (pairs && &one < &other) sets.push_back({&one, &other});
      }
    }
    return sets;
  }

  std::optional<EdgeSet> Try(const PowerCut& cut, const Targets& targets) const {
    std::vector<sim::ExtraSync> at_death;
    EdgeSet set{.targets = targets, .syncs = {}, .owed = {}};
    for (const SyncTarget* const target : targets) {
      at_death.push_back(SyncOf(*target, cut.free_event));
      const std::optional<size_t> owed = life_.FirstOwed(*target, cut.end);
      if (!owed.has_value()) return std::nullopt;
      set.owed.push_back(*owed);
    }
    if (!Holds(plan_, std::move(at_death))) return std::nullopt;
    const size_t last_owed = *std::max_element(set.owed.begin(), set.owed.end());
    const std::optional<size_t> dependent = FirstDependent(cut, last_owed);
    if (!dependent.has_value()) return std::nullopt;
    set.dependent = *dependent;
    if (HoldsWithEmptySyncs(set)) return set;
    set.syncs.assign(targets.size(), std::nullopt);
    if (HoldsWith(set)) return set;
    return std::nullopt;
  }

  // The earliest syncs that the engine asked for in vain and that would do.
  bool HoldsWithEmptySyncs(EdgeSet& set) const {
    std::vector<std::vector<size_t>> empty;
    size_t most = 0;
    for (size_t i = 0; i < set.targets.size(); ++i) {
      empty.push_back(life_.EmptySyncs(*set.targets[i], set.owed[i], set.dependent));
      most = std::max(most, empty.back().size());
    }
    for (size_t nth = 0; nth < most && !IsOver(); ++nth) {
      set.syncs.clear();
      for (const std::vector<size_t>& syncs : empty) {
        set.syncs.emplace_back();
        if (!syncs.empty()) set.syncs.back() = syncs[std::min(nth, syncs.size() - 1)];
      }
      if (HoldsWith(set)) return true;
    }
    return false;
  }

  bool HoldsWith(const EdgeSet& set) const {
    std::vector<sim::ExtraSync> syncs;
    for (size_t i = 0; i < set.targets.size(); ++i) {
      const size_t at = set.syncs[i].value_or(set.dependent);
      syncs.push_back(SyncOf(*set.targets[i], life_.steps()[at].free_event));
    }
    return Holds(plan_, std::move(syncs));
  }

  // After which the same loss makes the life fail. Of several, the last: what was lost is needed by
  // whatever came then.
  std::optional<size_t> FirstDependent(const PowerCut& cut, size_t owed) const {
    std::optional<size_t> last;
    for (size_t i = std::max(owed + 1, cut.begin); i < cut.end && !IsOver(); ++i) {
      const LifeSteps::Step& step = life_.steps()[i];
      if (!step.is_effect) continue;
      last = i;
      if (!Holds(WithCutAt(cut.number, step.place), {})) return i;
    }
    return last;
  }

  Plan WithCutAt(size_t number, const sim::Place& place) const {
    Plan plan = plan_;
    CHECK(number < plan.faults.cuts.size());
    sim::Cut& cut = plan.faults.cuts[number];
    cut.place = place;
    cut.phase = sim::Phase::kAfter;
    cut.inside_steps.reset();
    cut.armed_at_operation = 0;
    return plan;
  }

  std::string EdgeWords(const EdgeSet& set, size_t i) const {
    const std::optional<size_t>& sync = set.syncs[i];
    const LifeSteps::Step& step = life_.steps()[sync.value_or(set.owed[i])];
    const LifeSteps::Step& dependent = life_.steps()[set.dependent];
    const auto in_spans = [](const std::string& spans) {
      return spans.empty() ? "" : absl::StrCat(" (", spans, ")");
    };
    const std::string where =
        sync.has_value() ? in_spans(step.spans)
                         : absl::StrCat(" owed by ", step.spans.empty() ? step.words : step.spans);
    return absl::StrCat(life_.Words(*set.targets[i], set.dependent), where, "  comes before  ",
                        dependent.words, in_spans(dependent.spans));
  }

  std::string Words(const EdgeSet& set) const {
    std::vector<std::string> edges;
    for (size_t i = 0; i < set.targets.size(); ++i) edges.push_back(EdgeWords(set, i));
    return absl::StrCat("holds if  ", absl::StrJoin(edges, "  and  "));
  }

  const Plan& plan_;
  const BarrierOptions& options_;
  const double began_;
  double seconds_each_ = 0;
  LifeSteps life_;
};

}  // namespace

std::string FindBarrier(const Plan& plan, const BarrierOptions& options) {
  CHECK(options.live != nullptr);
  return Search(plan, options).Run();
}

bool IsBarrier(std::string_view expected, std::string_view named) {
  const size_t star = expected.find('*');
  if (star == expected.npos) return expected == named;
  if (named.substr(0, star) != expected.substr(0, star)) return false;
  named.remove_prefix(star);
  expected.remove_prefix(star + 1);
  for (; !named.empty(); named.remove_prefix(1)) {
    if (IsBarrier(expected, named)) return true;
  }
  return IsBarrier(expected, named);
}

}  // namespace kiban::suites
