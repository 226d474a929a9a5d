// What may be read from a key-value store now, after everything that was called, returned and
// crashed.
//
// An ordered map with history. It shares no code with any engine, and does not search for an order:
// the engine's sequence numbers are its witness, and the model checks them. Method: durable
// linearizability (Izraelevitz, Mendes, Scott, 2016) with a given linearization.
//
//   * A call that returned a sequence is in, at that interval. Intervals are disjoint and agree
//   with real
//     time: what returned before another was called has smaller sequences.
//   * A read tells the sequence of the state that it shows. It is not older than what was
//   acknowledged
//     or read before the read began, and its content is the state there.
//   * A call that returned no sequence is a *maybe*: out, or in whole at a gap or behind the end. A
//   call
//     that was refused is out.
//   * A crash takes a suffix of the sequence. It takes nothing durable, and a kill alone takes
//   nothing
//     that was acknowledged or read, unless a write or sync had failed before.
//   * A completed recovery settles every maybe for ever and makes what it found durable.
//
// An engine without a witness is driven by one writer; the model then numbers the calls itself, in
// the order in which they ended, and looks for the newest of its states that explains what was
// found.
//
// After a complaint the model is of no further use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/complaint.h"
#include "models/kv_history.h"

namespace kiban::models {

struct Mutation {
  std::string key;
  std::optional<std::string> value;  // nullopt deletes.
};

enum class Witness : uint8_t { kSequences, kCallOrder };

class KvModel {
 public:
  using CallId = models::CallId;

  // What the engine promises.
  struct Options {
    Witness witness = Witness::kSequences;
    bool batches_whole = true;
    bool kill_takes_nothing = true;
  };

  explicit KvModel(const Options& options) : options_(options) {}

  // A mutation begins; `name` is how complaints speak of it ("op 12 put").
  CallId Begin(std::string name, std::vector<Mutation> mutations);
  // It returned OK with this first sequence (ignored under kCallOrder); `synced`: it promised
  // durability.
  Judgement Acknowledge(CallId call, Sequence first_sequence, bool synced);
  // It failed, or was in flight at a crash: maybe. If it failed, SyncFailed() is to be told as
  // well.
  void Fail(CallId call);
  // It was refused: certainly out.
  void Refuse(CallId call);

  // Sync and Flush: everything acknowledged when the barrier began is durable once it has held.
  Sequence BeginBarrier() const { return last_; }
  void BarrierHeld(Sequence barrier);
  // A write or sync failed: what is acknowledged but not durable may be gone after the next
  // restart.
  void SyncFailed() { sync_failed_ = true; }

  // The process died or closed its handle. Calls in flight must have been told to Fail() before.
  void Killed();
  void PowerCut();

  // What the next recovery must at least find.
  Sequence Floor() const;
  // A recovery completed and everything was read: settles all maybes. An interrupted one is told by
  // the crash that interrupted it, and settles nothing.
  Judgement Recovered(Sequence last_sequence, const Contents& found);

  // Reads. The state at a sequence is known once no call that began before the read ended can turn
  // out to have it, or one before it: each is answered, or must lie above it.
  //
  // Before a read or a snapshot of the present: the least sequence that it may show.
  Sequence NewestSeen() const { return std::max(last_, seen_); }
  // It told this sequence, and has ended. `least`: NewestSeen() before it began.
  Judgement Saw(Sequence at, Sequence least);
  // The call to begin next: those before it are what a read that ends now has raced with.
  CallId next_call() const { return calls_.size(); }
  bool IsKnown(Sequence at, CallId before) const;
  // The read that told this sequence: was there such a state? Only once it is known.
  Judgement CheckSequence(Sequence at) const;
  Judgement CheckGet(std::string_view key, Sequence at,
                     const std::optional<std::string>& got) const;
  Contents StateAt(Sequence at) const { return history_.StateAt(at); }
  const Contents& Present() const { return history_.present(); }
  // Of the newest acknowledged or recovered write.
  Sequence last_sequence() const { return last_; }

 private:
  enum class Fate : uint8_t { kInFlight, kMaybe, kIn, kOut };
  struct Call {
    std::string name;
    std::vector<Mutation> mutations;  // Moved into the history while it is in.
    size_t mutation_count = 0;
    Fate fate = Fate::kInFlight;
    Sequence after = 0;       // The newest acknowledged or read sequence when it began.
    CallId ended_before = 0;  // A maybe: calls from here on began after it had failed.
    Sequence first = 0;       // Once it is in; under kCallOrder also of a maybe.
    bool synced = false;
  };
  struct Taken {  // An interval of sequences, by its first.
    Sequence last;
    CallId call;
  };
  // One recovery's search for a place for every maybe.
  struct Search {
    Sequence at;
    const Contents* found;
    uint32_t steps = 0;
    Judgement nearest;  // What is wrong with the first placement that the sequence allows.
  };
  enum class Moment : uint8_t { kReading, kRecovery };
  // Where a value comes from, in words, and the call that wrote it.
  struct Origin {
    std::string words;
    std::optional<CallId> call;
    std::optional<std::string_view> kind;  // If a value from there is a kind of its own.
  };

  // kv_model.cc
  Judgement WhyNotAt(const Call& call, Sequence first) const;
  Judgement WhyNumbersAreMissing() const;
  void PutIn(CallId call, Sequence first, Sequence last);
  void TakeOut(CallId call);
  void EndCall(CallId call);
  size_t OutstandingMutations() const;
  // kv_recovery.cc
  Judgement SettleAt(Sequence at, const Contents& found);
  Judgement SettleSomewhere(const Contents& found);
  Judgement WhyNoStateAt(Sequence at) const;
  bool PlaceMaybes(Sequence from, Search& search);
  std::vector<Sequence> FreePlaces(const Call& call, Sequence from, Sequence at) const;
  std::optional<Sequence> NewestStateLike(const Contents& found) const;
  std::vector<Sequence> Boundaries() const;
  const Taken* TakenAt(Sequence at) const;
  void Settle(Sequence at);

  // kv_explain.cc
  Complaint Explain(const Difference& difference, Sequence at, Moment moment,
                    const Contents* found) const;
  Complaint ExplainLoss(Sequence at) const;
  Complaint ExplainUnseen(Sequence at) const;
  Complaint ExplainNoBoundary(const Contents& found) const;
  std::optional<Difference> FirstInexplicable(const Contents& found) const;
  Origin OriginOf(std::string_view key, const std::string& value, Moment moment) const;
  bool IsTorn(CallId call, Sequence at, const Contents& found) const;
  std::string Describe(const Version* version) const;
  std::string PromiseOf(const Version& version) const;

  Options options_;
  std::vector<Call> calls_;  // By CallId.
  std::vector<CallId> in_flight_;
  std::vector<CallId> maybes_;
  std::map<Sequence, Taken> taken_;  // Since the last recovery.
  KvHistory history_;
  KvHistory::Versions lost_;  // What crashes took, so that it is known when it comes back.
  Sequence settled_ = 0;      // Where the last recovery ended.
  Sequence durable_ = 0;
  Sequence last_ = 0;
  Sequence seen_ = 0;         // By a read that has ended, in this process.
  uint64_t taken_count_ = 0;  // Sequences, by calls that were acknowledged since the last recovery.
  Sequence numbered_ = 0;     // kCallOrder: the last number that was given.
  bool power_was_cut_ = false;
  bool sync_failed_ = false;
};

}  // namespace kiban::models
