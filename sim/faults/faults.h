// The closed list of faults and what one life plans of them: values with a text form.
//
// A place in a life is told by span and occurrence, never by the number of an event, so that it
// survives edits of the life around it. A drawn place is looked for while the life runs; once it
// has struck, the report holds the same fault with its place found and its decisions listed, and
// that is what a case holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kiban::sim {

// Each kind has its line in sim/disk/README.md: what does it, and which test shows it.
enum class FaultKind : uint8_t {
  kPowerCut,   // The machine loses power: a legal subset of what was owed is kept.
  kKill,       // The process dies, the page cache stays.
  kSyncError,  // One sync fails once, in the manner of ext4 with ordered data.
};
std::string_view Name(FaultKind kind);  // "power", "kill", "sync-error".

enum class Phase : uint8_t { kBefore, kInside, kAfter };
std::string_view Name(Phase phase);

// The `call`-th call of the seam made directly in the `occurrence`-th run of span `span` since the
// `boot`-th boot; all counted from 1. An empty span: in no span.
struct Anchor {
  uint32_t boot = 1;
  std::string span;
  uint32_t occurrence = 1;
  uint32_t call = 1;
  friend bool operator==(const Anchor&, const Anchor&) = default;
};

// From the moment it is armed: skip so many calls made in runs of the span, then strike; if that
// has not come about after `patience_calls` further calls of any kind, strike there.
struct DrawnPlace {
  std::string span;
  uint32_t skip_calls = 0;
  uint32_t patience_calls = 200;
};

// When an operation has ended: with one client, at rest; the others may be in the midst of theirs.
struct AfterOperation {
  uint32_t operation = 0;
};

// When all operations have ended. A life comes to its end again after each crash there.
struct AtEnd {};

using Place = std::variant<DrawnPlace, Anchor, AfterOperation, AtEnd>;

// One line of what a power cut decided: `text` is what Disk::Describe() says of the
// micro-operation.
struct ListedFate {
  std::string text;
  bool kept = true;
  uint8_t torn_sectors = 0;
  // Found, not listed: lost because it cannot be kept without something that is.
  bool implied = false;
};

struct Cut {
  FaultKind kind = FaultKind::kPowerCut;  // Or kKill.
  // Strikes while the engine recovers from the cut before it. Not struck when the recovery is done:
  // dropped.
  bool in_recovery = false;
  // Drawn places only: armed when so many operations have begun (0: at the first open). Still
  // looking for its place when one ends and so many have begun, it strikes there (0: never).
  // Of a place that was found: so many had begun, and so many calls had been made since in runs of
  // its span, by which DrawnAgain() tells the place.
  uint32_t armed_at_operation = 0;
  uint32_t calls_since = 0;
  uint32_t latest_operation = 0;
  Phase phase = Phase::kBefore;
  Place place;
  // Listed once decided; drawn while absent.
  std::optional<uint64_t> inside_steps;          // kInside: how many steps of the call happened.
  std::optional<bool> evict_ghosts;              // kKill: whether the restart found a cold cache.
  std::optional<std::vector<ListedFate>> fates;  // kPowerCut; what is not listed is kept.
};

struct SyncError {
  uint32_t armed_at_operation = 0;
  uint32_t skip_syncs = 0;   // Until placed: this many syncs of files and directories pass first.
  uint32_t syncs_since = 0;  // Once placed: as Cut::calls_since.
  std::optional<Anchor> anchor;                      // Once placed.
  std::optional<std::vector<uint64_t>> ghost_pages;  // Listed once decided; empty for a directory.
};

// A bug planted at the seam: a call of some kind left out, delayed or misdirected, always.
enum class Plant : uint8_t {
  kNoWalSync,            // Sync of a log does nothing.
  kNoTableSync,          // Sync of a table does nothing.
  kNoDirectorySync,      // SyncDir does nothing.
  kSyncParentDirectory,  // SyncDir goes to the parent instead (B08).
  kManifestSyncLate,     // MANIFEST.tmp is synced only after its rename (B02).
  kNoOldLogSync,         // At a log switch the old log is not synced (B27).
  kSyncErrorIgnored,     // A failed sync is reported as OK (B61).
};
inline constexpr Plant kPlants[] = {Plant::kNoWalSync,        Plant::kNoTableSync,
                                    Plant::kNoDirectorySync,  Plant::kSyncParentDirectory,
                                    Plant::kManifestSyncLate, Plant::kNoOldLogSync,
                                    Plant::kSyncErrorIgnored};
std::string_view Name(Plant plant);         // "no-wal-sync" ...
std::string_view Description(Plant plant);  // For tables.
// The edge of durability that it takes away, as suites name it: "SYNC before WHAT", with `*` for
// any text; several, of which a life shows one, with " | " between them. Empty: it takes none away.
std::string_view RemovedEdge(Plant plant);
std::optional<Plant> FindPlant(std::string_view name);

struct FaultPlan {
  std::vector<Cut> cuts;  // In the order in which they strike.
  std::vector<SyncError> sync_errors;
  std::vector<Plant> plants;
};

// The same faults, every place that a life found told as one to be looked for: by the operations
// before it, not by boots and runs of spans. So told it survives edits of what lies before it, and
// in the same life it is found again.
FaultPlan DrawnAgain(FaultPlan found);

// The same faults without the fates that follow from the others.
FaultPlan WithoutImplied(FaultPlan found);

}  // namespace kiban::sim
