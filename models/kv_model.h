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
//   * A call that returned no sequence is a *maybe*: out, or in whole at a gap or behind the end. A
//   call
//     that was refused is out.
//   * A crash takes a suffix of the sequence. It takes nothing durable, and a kill alone takes
//   nothing
//     acknowledged unless a write or sync had failed before.
//   * A completed recovery settles every maybe for ever and makes what it found durable.
//
// An engine without a witness is driven by one writer; the model then numbers the calls itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiban::models {

using Sequence = uint64_t;
using Contents = std::map<std::string, std::string>;

struct Mutation {
  std::string key;
  std::optional<std::string> value;  // nullopt deletes.
};

// What is wrong: `kind` in a few fixed words, by which failures are grouped ("acknowledged write
// lost"), `detail` for people: the key, the sequence, what promised it, what was found instead.
struct Complaint {
  std::string kind;
  std::string detail;
};
using Judgement = std::optional<Complaint>;  // nullopt: allowed.

enum class Witness { kSequences, kCallOrder };

class KvModel {
 public:
  using CallId = uint64_t;

  explicit KvModel(Witness witness);

  // A mutation begins; `name` is how complaints speak of it ("op 12 put").
  CallId Begin(std::string name, std::vector<Mutation> mutations);
  // It returned OK with this first sequence (ignored under kCallOrder); `synced`: it promised
  // durability.
  Judgement Acknowledge(CallId call, Sequence first_sequence, bool synced);
  // It failed, or was in flight at a crash: maybe.
  void Fail(CallId call);
  // It was refused: certainly out.
  void Refuse(CallId call);

  // Sync and Flush: everything acknowledged when the barrier began is durable once it has held.
  Sequence BeginBarrier() const;
  void BarrierHeld(Sequence barrier);
  // A write or sync failed: what is acknowledged but not durable may be gone after the next
  // restart.
  void SyncFailed();

  // The process died. `in_flight` calls must have been told to Fail() before.
  void Killed();
  void PowerCut();

  // A recovery completed and everything was read: settles all maybes.
  Judgement Recovered(Sequence last_sequence, const Contents& found);

  // Reads, at the present or at a snapshot's sequence.
  Judgement CheckSnapshot(Sequence sequence) const;  // It must be the last acknowledged.
  Judgement CheckGet(std::string_view key, Sequence at,
                     const std::optional<std::string>& got) const;
  Contents StateAt(Sequence at) const;
  const Contents& Present() const;
  // Of the newest acknowledged or recovered write.
  Sequence last_sequence() const;
};

}  // namespace kiban::models
