#include "suites/support/shrink.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/status_util.h"
#include "suites/support/barrier.h"
#include "suites/support/divergence.h"
#include "suites/support/host.h"
#include "suites/support/seed_life.h"
#include "suites/support/shrink_axes.h"
#include "suites/support/trial.h"

namespace kiban::suites {
namespace {

// A candidate may take longer than the case itself, but not so long that it eats the time of all.
constexpr double kSlownessMax = 20;
constexpr double kSecondsMin = 1;
// What differs from one life to the next is looked for in so many, and must be found so often: a
// case that shows it once in a while shows nothing. Of hundreds of candidates some are lucky all
// the same, so the last one, which is known to have shown it, is asked more patiently.
constexpr unsigned kLivesOfBroken = 6;
constexpr unsigned kTrialsOfBroken = 4;
constexpr unsigned kTrialsOfSmallest = 24;
// Of a race, if its own luck does not do any more, other seeds are lived: so many that they come to
// about so many operations. When the run to be taken away is at least such a part of all.
constexpr size_t kOperationsForAnother = 1500;
constexpr size_t kSeedsForAnotherMax = 128;
constexpr size_t kLongRuns = 8;
constexpr size_t kFewOperations = 10;  // Fewer are good enough.
constexpr size_t kEffortMax = 16;
constexpr size_t kFewThings = 32;  // Of which every run is long.

// Whether lives end alike.
bool IsSame(const LifeReport& a, const LifeReport& b) { return a.Signature() == b.Signature(); }

uint64_t HashOf(const Plan& plan) {
  std::string text;
  AppendPlan(text, plan);
  return base::Hash64(text);
}

bool LosesAny(const Plan& plan) {
  const auto& cuts = plan.faults.cuts;
  return std::any_of(cuts.begin(), cuts.end(), [](const sim::Cut& cut) {
    return cut.fates.has_value() && !cut.fates->empty();
  });
}

// Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
// 2002), of which only complements are tried: along each axis ever smaller runs of things are taken
// away, until no single one can be; and along all axes again until none gives way any more.
class Shrinker {
 public:
  Shrinker(const ShrinkOptions& options, unsigned lives)
      : options_(options), began_(MonotonicSeconds()), lives_each_(lives) {}

  // Of the case itself. False if its life ran away.
  bool Begin(const Plan& plan) {
    state_ = Live(plan, options_.seconds_max, sim::FateMatch::kExact);
    trial_seconds_max_ = std::max(kSecondsMin, kSlownessMax * Seconds());
    return state_.report.complaint != "ran away";
  }

  // True if what was found is known to be minimal.
  bool Run() {
    Settle();
    return !IsOver();
  }

  // The smallest life that was found, as it is written down: with places that can be found by
  // anybody. It must go as it did when they were looked for. What differs from one life to the next
  // need not come by the same places.
  bool ReplaysExactly() {
    const bool differs = lives_each_ > 1;
    for (unsigned i = 0; i < (differs ? kTrialsOfSmallest : 1); ++i) {
      const Trial exact = Live(state_.report.resolved, trial_seconds_max_, sim::FateMatch::kExact);
      const bool is_same = IsSame(exact.report, state_.report);
      if (is_same && (differs || exact.report.misfits == 0)) return true;
    }
    return false;
  }

  const LifeReport& report() const { return state_.report; }
  bool changed() const { return changed_; }
  uint64_t trials() const { return trials_; }
  double Seconds() const { return MonotonicSeconds() - began_; }
  // What was tried of it, on each axis; if Run() said true.
  std::vector<TriedAxis>& certificate() { return tried_; }

 private:
  // Until no single thing can be taken away.
  void Settle() {
    do {
      do {
        while (ReduceAll(/*only_shorten=*/true)) {
        }
      } while (std::exchange(hurries_, false) || ReduceWithOtherLuck() || TriesHarder());
      tried_.clear();
    } while (ReduceAll(/*only_shorten=*/false) || RefineSteps());
  }

  // A race that is still long is worth more seeds, before anything else is looked at: of many
  // operations only few go one by one. True if one was found.
  bool TriesHarder() {
    while (state_.drawn_again.operations.size() > kFewOperations && effort_ < kEffortMax &&
           !IsOver()) {
      effort_ *= 2;
      if (ReduceWithOtherLuck()) return true;
    }
    return false;
  }

  bool IsOver() const {
    return Seconds() >= options_.seconds_max || (options_.ends_early && options_.ends_early());
  }

  Trial Live(const Plan& plan, double seconds_max, sim::FateMatch match, unsigned seeds = 1) {
    ++trials_;
    // What is left of the time, but enough to see a short life to its end.
    const double left = std::max(kSecondsMin, options_.seconds_max - Seconds());
    return LiveTrial(plan, {.seconds_max = std::min(seconds_max, left),
                            .fate_match = match,
                            .lives = lives_each_,
                            .seeds = seeds,
                            .signature = state_.report.Signature(),
                            .live = options_.live});
  }

  // Whether it fails in the same way; then it is where to go on from.
  bool Try(const Plan& candidate, sim::FateMatch match, unsigned seeds = 1) {
    const uint64_t how = static_cast<uint64_t>(match) << 32 | seeds;
    const uint64_t hash = base::Mix64(HashOf(candidate) ^ base::Mix64(how));
    if (IsOver() || failed_.contains(hash)) return false;
    Trial trial = Live(candidate, trial_seconds_max_, match, seeds);
    bool same = IsSame(trial.report, state_.report);
    for (unsigned i = 1; same && lives_each_ > 1 && i < kTrialsOfBroken; ++i) {
      same = IsSame(Live(candidate, trial_seconds_max_, match).report, state_.report);
    }
    if (!same) {
      failed_.insert(hash);
      return false;
    }
    state_ = std::move(trial);
    return true;
  }

  // A life of many tasks is a long one, and what stands for many operations seldom keeps its race.
  size_t Ways(const ShrinkAxis& axis) const {
    const Plan& plan = state_.drawn_again;
    const bool are_many = plan.clients > 0 && axis.things(plan).size() > kFewThings;
    return hurries_ && are_many ? 1 : axis.ways;
  }

  bool TryWithout(const ShrinkAxis& axis, size_t from, size_t count) {
    for (size_t way = 0; way < Ways(axis); ++way) {
      Plan candidate = state_.drawn_again;
      axis.take_away(candidate, from, count, way);
      if (HashOf(candidate) == HashOf(state_.drawn_again)) continue;  // A way to do nothing.
      if (Try(candidate, sim::FateMatch::kAlike)) return true;
      if (!axis.shortens) continue;
      if (LosesAny(candidate) && Try(candidate, sim::FateMatch::kAlikeElseLost)) return true;
    }
    return false;
  }

  // Where tasks race the luck of what is left may have to be another's, and every step be drawn.
  // Cuts may have to strike as soon as their span comes, since it does not come when it came.
  bool TryWithOtherLuck(const ShrinkAxis& axis, size_t from, size_t count) {
    for (size_t way = 0; way < Ways(axis); ++way) {
      Plan candidate = state_.drawn_again;
      axis.take_away(candidate, from, count, way);
      if (HashOf(candidate) == HashOf(state_.drawn_again)) continue;
      candidate.schedule.reset();
      const size_t wanted = effort_ * kOperationsForAnother / (candidate.operations.size() + 1);
      const auto seeds =
          static_cast<unsigned>(std::clamp<size_t>(wanted, 2, effort_ * kSeedsForAnotherMax));
      if (Try(candidate, sim::FateMatch::kAlike, seeds)) return true;
      for (sim::Cut& cut : candidate.faults.cuts) cut.armed_at_operation = 0;
      if (Try(candidate, sim::FateMatch::kAlike, seeds)) return true;
    }
    return false;
  }

  // The long runs alone: there are few of them, and each asks for many lives.
  bool ReduceWithOtherLuck() {
    bool gave_way = false;
    for (const ShrinkAxis& axis : ShrinkAxes()) {
      if (state_.drawn_again.clients == 0 || !axis.asks_other_luck) continue;
      size_t things = axis.things(state_.drawn_again).size();
      for (size_t run = things;
           run > 0 && (kLongRuns * effort_ * run >= things || things <= kFewThings); run /= 2) {
        for (size_t from = 0; from < things && !IsOver();) {
          const size_t count = std::min(run, things - from);
          if (!TryWithOtherLuck(axis, from, count)) {
            from += count;
            continue;
          }
          gave_way = changed_ = true;
          things = axis.things(state_.drawn_again).size();
        }
      }
    }
    return gave_way && !IsOver();
  }

  bool ReduceAll(bool only_shorten) {
    bool gave_way = false;
    for (const ShrinkAxis& axis : ShrinkAxes()) {
      if (!only_shorten || axis.shortens) gave_way |= Reduce(axis);
    }
    return gave_way && !IsOver();
  }

  // Whether anything could be taken away. If not, `tried_` tells all that was tried.
  bool Reduce(const ShrinkAxis& axis) {
    bool gave_way = false;
    std::vector<std::string> things = axis.things(state_.drawn_again);
    for (size_t run = things.size(); run > 0 && !IsOver(); run /= 2) {
      for (size_t from = 0; from < things.size() && !IsOver();) {
        const size_t count = std::min(run, things.size() - from);
        if (TryWithout(axis, from, count)) {
          gave_way = changed_ = true;
          things = axis.things(state_.drawn_again);
        } else {
          from += count;
        }
      }
    }
    tried_.push_back({std::string(axis.name), std::move(things)});
    return gave_way;
  }

  // Tells the drawn steps of tasks by shorter runs, so that fewer of them can be drawn. False if
  // they are told one by one.
  bool RefineSteps() {
    Plan candidate = state_.drawn_again;
    if (candidate.clients == 0 || IsOver()) return false;
    if (!candidate.schedule.has_value()) {
      candidate.schedule = state_.report.steps;
      return Try(candidate, sim::FateMatch::kAlike);
    }
    std::vector<sim::DrawnSteps> halves;
    for (const sim::DrawnSteps& steps : *candidate.schedule) {
      sim::DrawnSteps half = steps;
      half.to = steps.from + (steps.to - steps.from) / 2;
      halves.push_back(half);
      half.from = half.to + 1;
      half.to = steps.to;
      if (half.from <= half.to) halves.push_back(half);
    }
    if (halves.size() == candidate.schedule->size()) return false;
    candidate.schedule = std::move(halves);
    return Try(candidate, sim::FateMatch::kAlike);
  }

  const ShrinkOptions& options_;
  const double began_;
  const unsigned lives_each_;
  double trial_seconds_max_ = 0;
  Trial state_;                   // Of the smallest life so far.
  std::set<uint64_t> failed_;     // Hashes of candidates that did not fail so.
  std::vector<TriedAxis> tried_;  // Of `state_`, in the last round along all axes.
  size_t effort_ = 1;
  bool hurries_ = true;  // Only the shortest ways are tried of what is long.
  uint64_t trials_ = 0;
  bool changed_ = false;
};

}  // namespace

absl::StatusOr<Shrunk> Shrink(const Case& c, const ShrinkOptions& options) {
  CHECK(options.live != nullptr);
  Shrinker shrinker(options, c.found == Verdict::kBroken ? kLivesOfBroken : 1);
  if (!shrinker.Begin(c.plan)) {
    return absl::FailedPreconditionError("its life takes longer than there is time to shrink it");
  }
  if (shrinker.report().verdict == Verdict::kHeld) {
    return absl::FailedPreconditionError("it holds here: there is nothing to shrink");
  }
  // Another failure would be made small under the name of this one. What differs from one life to
  // the next may do so elsewhere each time.
  if (const std::string found = shrinker.report().Signature();
      !c.signature.empty() && found != c.signature && c.found != Verdict::kBroken) {
    return absl::FailedPreconditionError(
        absl::StrCat("it ends here as \"", found, "\", not as recorded: \"", c.signature, "\""));
  }
  Shrunk result;
  result.certified = shrinker.Run();
  result.changed = shrinker.changed();
  result.shrunk = c;
  if (result.changed) {
    if (!shrinker.ReplaysExactly()) {
      return absl::InternalError("the smaller case does not end as it did when it was found");
    }
    result.shrunk = CaseOf(options.provenance, shrinker.report());
    result.shrunk.why = c.why;
  }
  result.shrunk.certificate.clear();
  if (result.certified) result.shrunk.certificate = std::move(shrinker.certificate());
  result.shrunk.barrier =
      FindBarrier(result.shrunk.plan, {.ends_early = options.ends_early, .live = options.live});
  result.shrunk.weakest = result.shrunk.plan.profile;  // There is no other yet.
  result.trials = shrinker.trials();
  result.seconds = shrinker.Seconds();
  return result;
}

}  // namespace kiban::suites
