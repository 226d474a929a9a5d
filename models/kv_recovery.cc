// What a recovery may find, and how it settles what was unknown.
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/check.h"
#include "models/kv_model.h"

namespace kiban::models {
namespace {

// Maybes are as many as clients, and most places are ruled out by the sequence alone.
constexpr uint32_t kSearchStepsMax = 20'000;
constexpr size_t kMaybesMax = 12;

}  // namespace

Judgement KvModel::Recovered(Sequence last_sequence, const Contents& found) {
  CHECK(in_flight_.empty());
  return options_.witness == Witness::kSequences ? SettleAt(last_sequence, found)
                                                 : SettleSomewhere(found);
}

Judgement KvModel::SettleAt(Sequence at, const Contents& found) {
  if (at < Floor()) return at < last_ || at < durable_ ? ExplainLoss(at) : ExplainUnseen(at);
  if (Judgement wrong = WhyNoStateAt(at)) return wrong;
  Search search{at, &found, 0, std::nullopt};
  if (PlaceMaybes(settled_ + 1, search)) {
    Settle(at);
    return std::nullopt;
  }
  if (search.steps > kSearchStepsMax) {
    return Complaint{std::string(kUndecided), std::to_string(maybes_.size()) + " maybes"};
  }
  if (search.nearest.has_value()) return search.nearest;
  return Complaint{std::string(kStateAtNoSequence),
                   "recovered at sequence " + std::to_string(at) + ", which no write can have"};
}

// What the sequence alone forbids.
Judgement KvModel::WhyNoStateAt(Sequence at) const {
  const std::string recovered = "recovered at sequence " + std::to_string(at);
  const Taken* const taken = TakenAt(at);
  if (options_.batches_whole && taken != nullptr && taken->last != at) {
    return Complaint{std::string(kBatchTorn), recovered + ", in the midst of " +
                                                  calls_[taken->call].name + ", which has " +
                                                  std::to_string(calls_[taken->call].first) +
                                                  " to " + std::to_string(taken->last)};
  }
  if (taken_.empty() || at <= last_) return std::nullopt;
  const Sequence beyond = at - last_;
  size_t owed = 0;
  bool is_end = false;
  for (const CallId id : maybes_) {
    owed += calls_[id].mutation_count;
    is_end = is_end || calls_[id].mutation_count <= beyond;
  }
  const std::string but =
      recovered + ", but the newest write that was acknowledged is at " + std::to_string(last_);
  if (beyond > owed) {
    return Complaint{std::string(kStateAtNoSequence),
                     but + " and others can have taken only " + std::to_string(owed) + " more"};
  }
  if (options_.batches_whole && !is_end) {
    return Complaint{std::string(kBatchTorn), but + " and none in doubt is as short as the rest"};
  }
  return std::nullopt;
}

// Puts maybes, in every order, into what is free of the sequence from `from` on, until the state at
// the end of the search is what was found. True: there they stay.
bool KvModel::PlaceMaybes(Sequence from, Search& search) {
  if (++search.steps > kSearchStepsMax) return false;
  if (search.at == settled_ || TakenAt(search.at) != nullptr) {
    const auto difference = history_.FirstDifference(search.at, *search.found);
    if (!difference.has_value()) return true;
    if (!search.nearest.has_value()) {
      search.nearest = Explain(*difference, search.at, Moment::kRecovery, search.found);
    }
  }
  for (const CallId id : maybes_) {
    if (calls_[id].fate == Fate::kIn) continue;
    const size_t count = calls_[id].mutation_count;
    for (const Sequence first : FreePlaces(calls_[id], from, search.at)) {
      const Sequence last = std::min<Sequence>(first + count - 1, search.at);
      PutIn(id, first, last);
      if (PlaceMaybes(last + 1, search)) return true;
      TakeOut(id);
    }
  }
  return false;
}

// Where a maybe can begin: at the front of each free run of sequences that has room for it, and
// where it ends exactly at `at`. Only where batches may be torn it may end behind `at`.
std::vector<Sequence> KvModel::FreePlaces(const Call& call, Sequence from, Sequence at) const {
  Sequence ceiling = UINT64_MAX;  // What began after it had failed is newer.
  for (const auto& [first, taken] : taken_) {
    if (taken.call >= call.ended_before) ceiling = std::min(ceiling, first);
  }
  std::vector<Sequence> places;
  const size_t count = call.mutation_count;
  const auto consider_run = [&](Sequence first, Sequence last) {  // Both inclusive.
    last = std::min({last, at, ceiling - 1});
    if (first > last) return;
    const Sequence room = last - first + 1;
    if (room >= count) places.push_back(first);
    if (last == at && room > count) places.push_back(at - count + 1);
    if (last == at && room < count && !options_.batches_whole) places.push_back(first);
  };
  Sequence free = std::max(from, call.after + 1);
  for (const auto& [first, taken] : taken_) {
    if (first > free) consider_run(free, first - 1);
    free = std::max(free, taken.last + 1);
  }
  consider_run(free, UINT64_MAX);
  return places;
}

// Without a witness: the newest state that was found, over all maybes in or out.
Judgement KvModel::SettleSomewhere(const Contents& found) {
  if (maybes_.size() > kMaybesMax) {
    return Complaint{std::string(kUndecided), std::to_string(maybes_.size()) + " maybes"};
  }
  for (uint32_t chosen = 0; chosen < (1u << maybes_.size()); ++chosen) {
    for (size_t i = 0; i < maybes_.size(); ++i) {
      const Call& call = calls_[maybes_[i]];
      if ((chosen >> i & 1) != 0) {
        PutIn(maybes_[i], call.first, call.first + call.mutation_count - 1);
      }
    }
    if (const auto at = NewestStateLike(found)) {
      Settle(*at);
      return std::nullopt;
    }
    for (const CallId id : maybes_) {
      if (calls_[id].fate == Fate::kIn) TakeOut(id);
    }
  }
  return ExplainNoBoundary(found);
}

std::optional<Sequence> KvModel::NewestStateLike(const Contents& found) const {
  for (const Sequence at : Boundaries()) {
    if (!history_.FirstDifference(at, found).has_value()) return at;
  }
  return std::nullopt;
}

// Where a state may end, newest first, down to what must be there.
std::vector<Sequence> KvModel::Boundaries() const {
  const Sequence floor = Floor();
  std::vector<Sequence> boundaries;
  for (auto taken = taken_.rbegin(); taken != taken_.rend(); ++taken) {
    const Sequence lowest = options_.batches_whole ? taken->second.last : taken->first;
    for (Sequence at = taken->second.last; at >= std::max(lowest, floor); --at) {
      boundaries.push_back(at);
    }
  }
  if (settled_ >= floor) boundaries.push_back(settled_);
  return boundaries;
}

// The interval of sequences that holds `at`, if a write has it.
const KvModel::Taken* KvModel::TakenAt(Sequence at) const {
  const auto next = taken_.upper_bound(at);
  if (next == taken_.begin()) return nullptr;
  const Taken& taken = std::prev(next)->second;
  return taken.last >= at ? &taken : nullptr;
}

void KvModel::Settle(Sequence at) {
  for (auto& [key, versions] : history_.Forget(at)) {
    std::vector<Version>& lost = lost_[key];
    std::move(versions.begin(), versions.end(), std::back_inserter(lost));
  }
  for (const CallId id : maybes_) {
    if (calls_[id].fate == Fate::kMaybe) calls_[id].fate = Fate::kOut;
  }
  maybes_.clear();
  taken_.clear();
  taken_count_ = 0;
  settled_ = durable_ = last_ = seen_ = at;
  power_was_cut_ = sync_failed_ = false;
}

}  // namespace kiban::models
