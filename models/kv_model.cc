#include "models/kv_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/check.h"

namespace kiban::models {

KvModel::CallId KvModel::Begin(std::string name, std::vector<Mutation> mutations) {
  CHECK(!mutations.empty());
  CHECK(options_.witness == Witness::kSequences || in_flight_.empty());  // One writer.
  const CallId id = calls_.size();
  Call call;
  call.name = std::move(name);
  call.mutation_count = mutations.size();
  call.mutations = std::move(mutations);
  call.after = NewestSeen();
  calls_.push_back(std::move(call));
  in_flight_.push_back(id);
  return id;
}

Judgement KvModel::Acknowledge(CallId id, Sequence first_sequence, bool synced) {
  EndCall(id);
  Call& call = calls_[id];
  const bool is_witness = options_.witness == Witness::kSequences;
  const Sequence first = is_witness ? first_sequence : numbered_ + 1;
  if (is_witness) {
    if (Judgement wrong = WhyNotAt(call, first)) return wrong;
  }
  const Sequence last = first + call.mutation_count - 1;
  PutIn(id, first, last);
  last_ = std::max(last_, last);
  taken_count_ += call.mutation_count;
  numbered_ = last_;
  call.synced = synced;
  if (synced) durable_ = std::max(durable_, last);
  return is_witness ? WhyNumbersAreMissing() : std::nullopt;
}

// While nobody's answer is outstanding, all numbers since the first after the recovery are taken.
Judgement KvModel::WhyNumbersAreMissing() const {
  if (!in_flight_.empty() || !maybes_.empty()) return std::nullopt;
  const uint64_t span = last_ - taken_.begin()->first + 1;
  if (span == taken_count_) return std::nullopt;
  return Complaint{std::string(kSequenceSkipped),
                   "from " + std::to_string(taken_.begin()->first) + " to " +
                       std::to_string(last_) + " only " + std::to_string(taken_count_) +
                       " are taken, and no call is left that can have the others"};
}

// Why a call that was acknowledged cannot have taken its numbers from `first` on.
Judgement KvModel::WhyNotAt(const Call& call, Sequence first) const {
  const auto wrong = [&](std::string_view kind, const std::string& why) {
    return Complaint{std::string(kind),
                     call.name + " returned sequence " + std::to_string(first) + why};
  };
  if (first <= settled_) {
    return wrong(kSequenceReused, ", but a recovery has already told " + std::to_string(settled_));
  }
  const Sequence last = first + call.mutation_count - 1;
  if (last < first) return wrong(kSequenceSkipped, ", with which its interval has no end");
  const auto next = taken_.upper_bound(last);
  if (next != taken_.begin() && std::prev(next)->second.last >= first) {
    const auto& [other_first, other] = *std::prev(next);
    return wrong(kSequencesOverlap, " for " + std::to_string(call.mutation_count) +
                                        " mutations, but " + calls_[other.call].name + " has " +
                                        std::to_string(other_first) + " to " +
                                        std::to_string(other.last));
  }
  if (first <= call.after) {
    return wrong(kSequenceOutOfOrder, ", but " + std::to_string(call.after) +
                                          " was acknowledged or read before it began");
  }
  // Before the first write after a recovery any numbers may be missing: the crash took them. Later
  // only what calls without an answer may have taken.
  if (next == taken_.begin()) return std::nullopt;
  const Sequence before = std::prev(next)->second.last;
  if (first - before - 1 > OutstandingMutations()) {
    return wrong(kSequenceSkipped, ", the one before is " + std::to_string(before) +
                                       ", and no call can have taken those between");
  }
  return std::nullopt;
}

void KvModel::Fail(CallId id) {
  EndCall(id);
  Call& call = calls_[id];
  call.fate = Fate::kMaybe;
  call.ended_before = calls_.size();
  if (options_.witness == Witness::kCallOrder) {
    call.first = numbered_ + 1;
    numbered_ += call.mutation_count;
  }
  maybes_.push_back(id);
}

void KvModel::Refuse(CallId id) {
  EndCall(id);
  calls_[id].fate = Fate::kOut;
}

void KvModel::BarrierHeld(Sequence barrier) {
  CHECK(barrier <= last_);
  durable_ = std::max(durable_, barrier);
}

void KvModel::Killed() { CHECK(in_flight_.empty()); }

void KvModel::PowerCut() {
  CHECK(in_flight_.empty());
  power_was_cut_ = true;
}

Judgement KvModel::Saw(Sequence at, Sequence least) {
  if (at < least) {
    return Complaint{std::string(kReadOfThePast),
                     "it shows the state at sequence " + std::to_string(at) + ", but " +
                         std::to_string(least) +
                         (least == last_ ? " was acknowledged" : " was read") + " before it began"};
  }
  seen_ = std::max(seen_, at);
  return std::nullopt;
}

bool KvModel::IsKnown(Sequence at, CallId before) const {
  return std::none_of(in_flight_.begin(), in_flight_.end(),
                      [&](CallId call) { return call < before && calls_[call].after < at; });
}

Judgement KvModel::CheckSequence(Sequence at) const {
  const auto wrong = [&](std::string_view kind, const std::string& why) {
    return Complaint{std::string(kind),
                     "it shows the state at sequence " + std::to_string(at) + why};
  };
  const Taken* const taken = TakenAt(at);
  if (at > settled_ && taken == nullptr) {
    return wrong(kReadAtNoSequence,
                 ", which no write has; the newest is at " + std::to_string(last_));
  }
  if (options_.batches_whole && taken != nullptr && taken->last != at) {
    return wrong(kBatchTorn, ", in the midst of " + calls_[taken->call].name + ", which has " +
                                 std::to_string(calls_[taken->call].first) + " to " +
                                 std::to_string(taken->last));
  }
  return std::nullopt;
}

Judgement KvModel::CheckGet(std::string_view key, Sequence at,
                            const std::optional<std::string>& got) const {
  const Version* const expected = history_.At(key, at);
  const bool is_expected = expected != nullptr && expected->value.has_value();
  if (is_expected == got.has_value() && (!is_expected || *expected->value == *got)) {
    return std::nullopt;
  }
  const Difference difference{key, expected, got.has_value() ? &*got : nullptr};
  return Explain(difference, at, Moment::kReading, nullptr);
}

// Writes the call's mutations from `first` to `last` into the history; those beyond stay out.
void KvModel::PutIn(CallId id, Sequence first, Sequence last) {
  Call& call = calls_[id];
  CHECK(call.fate != Fate::kIn);
  call.fate = Fate::kIn;
  call.first = first;
  taken_.emplace(first, Taken{last, id});
  Sequence sequence = first;
  for (Mutation& mutation : call.mutations) {
    if (sequence > last) break;
    history_.Add(mutation.key, {sequence++, id, std::move(mutation.value)});
  }
}

// Undoes PutIn() for a maybe.
void KvModel::TakeOut(CallId id) {
  Call& call = calls_[id];
  CHECK(call.fate == Fate::kIn);
  call.fate = Fate::kMaybe;
  const auto taken = taken_.find(call.first);
  Sequence sequence = call.first;
  for (Mutation& mutation : call.mutations) {
    if (sequence > taken->second.last) break;
    mutation.value = history_.Remove(mutation.key, sequence++);
  }
  taken_.erase(taken);
}

void KvModel::EndCall(CallId id) {
  const auto call = std::find(in_flight_.begin(), in_flight_.end(), id);
  CHECK(call != in_flight_.end());
  in_flight_.erase(call);
}

// How many sequences may have been taken by calls that have not told which.
size_t KvModel::OutstandingMutations() const {
  size_t count = 0;
  for (const CallId id : in_flight_) count += calls_[id].mutation_count;
  for (const CallId id : maybes_) count += calls_[id].mutation_count;
  return count;
}

Sequence KvModel::Floor() const {
  const bool may_lose = power_was_cut_ || sync_failed_ || !options_.kill_takes_nothing;
  return may_lose ? durable_ : NewestSeen();
}

}  // namespace kiban::models
