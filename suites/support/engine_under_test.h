// The contract between suites and engines: all that a suite knows of an engine, and all that an
// engine needs to be swept, replayed and judged. An adapter is about fifty lines; suites/toy_engine
// is an example.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence.h"
#include "engine/env.h"
#include "suites/support/verdict.h"

namespace kiban::suites {

using base::Sequence;

struct KeyValue {
  std::string key;
  std::string value;
  friend bool operator==(const KeyValue&, const KeyValue&) = default;
};

struct Mutation {
  std::string key;
  std::optional<std::string> value;  // nullopt deletes.
};

// Keys in [from, to); no `to` means no end.
struct Range {
  std::string from;
  std::optional<std::string> to;
};

enum class Durability : uint8_t { kUnsynced, kSynced };
enum class Direction : uint8_t { kForward, kReverse };
enum class Maintenance : uint8_t { kFlush, kCompact };

// What an engine promises; suites ask for no more than is declared.
struct Promises {
  // Mutations, snapshots and last_sequence() tell true sequence numbers, which the model checks.
  // Without: they may all be 0, and the order of the one writer's calls counts.
  bool witness = false;
  // A batch survives a crash whole or not at all.
  bool batches_whole = false;
  // What a crash takes is a suffix of the acknowledged order, and never anything synced. Every life
  // is judged by it: the model knows nothing weaker yet.
  bool prefix_durability = false;
  // What returned OK, synced or not, and what a read has shown survives a kill.
  bool kill_takes_nothing = false;
  bool snapshots = false;
  bool cursors = false;
  // Damaged bytes on disk are reported, never served. No suite damages any yet.
  bool detects_bit_rot = false;
};

class SnapshotUnderTest {
 public:
  virtual ~SnapshotUnderTest() = default;
  virtual Sequence sequence() const = 0;
};

// As lsm::Cursor: a position among the live keys of a range.
class CursorUnderTest {
 public:
  virtual ~CursorUnderTest() = default;
  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(std::string_view key) = 0;         // The first key >= `key`.
  virtual void SeekForPrev(std::string_view key) = 0;  // The last key <= `key`.
  virtual void Next() = 0;
  virtual void Prev() = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  virtual absl::Status status() const = 0;
  // Of the state that it shows; 0 without a witness.
  virtual Sequence sequence() const = 0;
};

// By format: sorted; with a point index of layout 2; of layout 3.
struct TablesWritten {
  uint64_t sst3 = 0, ph2 = 0, ph3 = 0;
};

// What an engine did since it was opened; 0 where it has no such thing.
struct EngineCounters {
  uint64_t flushes = 0;
  uint64_t compactions = 0;
  uint64_t manifests = 0;
  TablesWritten tables;
};

// An open database, used by one task, or by many at once if Engine::open_shared has opened it (all
// but Close() and counters()). Statuses: kFailedPrecondition and kInvalidArgument mean "certainly
// not applied", any other error "maybe applied". kDataLoss means that the engine found damage.
class EngineUnderTest {
 public:
  virtual ~EngineUnderTest() = default;
  // The first sequence of the call's interval. Of a call that failed nothing is seen before the
  // next recovery.
  virtual absl::StatusOr<Sequence> Put(std::string_view key, std::string_view value,
                                       Durability durability) = 0;
  virtual absl::StatusOr<Sequence> Remove(std::string_view key, Durability durability) = 0;
  virtual absl::StatusOr<Sequence> Write(std::span<const Mutation> batch,
                                         Durability durability) = 0;
  // After OK everything acknowledged before survives any power cut.
  virtual absl::Status Sync() = 0;
  // `snapshot` null: now. `read_at`, if not null, is told the sequence of the state that was read;
  // 0 without a witness.
  virtual absl::StatusOr<std::optional<std::string>> Get(std::string_view key,
                                                         const SnapshotUnderTest* snapshot,
                                                         Sequence* read_at) = 0;
  // At most `limit` pairs of the range, in the direction's order.
  virtual absl::StatusOr<std::vector<KeyValue>> Scan(const Range& range, Direction direction,
                                                     uint64_t limit,
                                                     const SnapshotUnderTest* snapshot,
                                                     Sequence* read_at) = 0;
  // The last `k` pairs whose key begins with `prefix`, in descending order.
  virtual absl::StatusOr<std::vector<KeyValue>> LatestK(std::string_view prefix, uint32_t k,
                                                        const SnapshotUnderTest* snapshot,
                                                        Sequence* read_at) = 0;
  // Null if the engine does not promise them.
  virtual std::unique_ptr<SnapshotUnderTest> TakeSnapshot() = 0;
  virtual std::unique_ptr<CursorUnderTest> NewCursor(const Range& range,
                                                     const SnapshotUnderTest* snapshot) = 0;
  // After OK of either as after Sync(). An engine without maintenance syncs.
  virtual absl::Status Maintain(Maintenance what) = 0;
  virtual Sequence last_sequence() const = 0;
  virtual EngineCounters counters() const = 0;
  virtual absl::Status Close() = 0;
};

using EngineOptions = std::map<std::string, uint64_t>;

// One option and the values that a life may draw for it, the first being the plainest.
struct OptionChoices {
  std::string_view name;
  std::vector<uint64_t> choices;
};

// A bug that an engine's own code can be told to have, to see the tester work.
struct PlantedBug {
  std::string_view name;
  std::string_view what;
  uint64_t seeds_budget;        // The suite `crash` must catch it within so many seeds ...
  std::optional<Verdict> ends;  // ... by this verdict; none: by a complaint of the oracle.
  std::string_view edge = {};   // Of durability that it takes away: sim::RemovedEdge().
};

// An engine as suites find it.
struct Engine {
  std::string_view name;
  Promises promises;
  std::vector<OptionChoices> options;
  // The option that says in which format tables are written, and what its choices are called, in
  // their order; empty if there is one format only. Suites choose it anew at every open.
  std::string_view format_option;
  std::vector<std::string_view> formats;
  // Opens or creates the database in `dir`. `planted_bug`: empty, or a name out of `bugs`. Unknown
  // options are kInvalidArgument; missing ones take the engine's defaults.
  using Open = absl::StatusOr<std::unique_ptr<EngineUnderTest>>(const engine::Env& env,
                                                                const std::string& dir,
                                                                const EngineOptions& options,
                                                                std::string_view planted_bug);
  Open* open = nullptr;
  // The same for many tasks at once, with tasks of its own; it must promise a witness. Null if the
  // engine cannot: suites with several clients then do not ask it.
  Open* open_shared = nullptr;
  // Spans in which a life is to be cut: all steps that make calls of the seam. Those that a
  // recovery passes stand in `open_spans` (too), and those of an open that makes the database in
  // `create_spans`.
  std::vector<std::string_view> crash_spans;
  std::vector<std::string_view> open_spans;
  std::vector<std::string_view> create_spans;
  // Rare places that a sweep must reach.
  std::vector<std::string_view> marks;
  // What only the shared handle has, in addition.
  std::vector<std::string_view> shared_crash_spans;
  std::vector<std::string_view> shared_marks;
  // In these the engine is between two steps of putting new files in force: a client must have read
  // meanwhile (mark "read.during_publication").
  std::vector<std::string_view> publication_spans;
  std::vector<PlantedBug> bugs;
};

// The engines there are, in one explicit table; null if there is no such engine.
const std::vector<Engine>& Engines();
const Engine* FindEngine(std::string_view name);

}  // namespace kiban::suites
