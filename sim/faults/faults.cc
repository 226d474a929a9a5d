#include "sim/faults/faults.h"

#include "engine/base/check.h"

namespace kiban::sim {

std::string_view Name(FaultKind kind) {
  switch (kind) {
    case FaultKind::kPowerCut:
      return "power";
    case FaultKind::kKill:
      return "kill";
    case FaultKind::kSyncError:
      return "sync-error";
  }
  CHECK(false);
}

std::string_view Name(Phase phase) {
  switch (phase) {
    case Phase::kBefore:
      return "before";
    case Phase::kInside:
      return "inside";
    case Phase::kAfter:
      return "after";
  }
  CHECK(false);
}

std::string_view Name(Plant plant) {
  switch (plant) {
    case Plant::kNoWalSync:
      return "no-wal-sync";
    case Plant::kNoTableSync:
      return "no-table-sync";
    case Plant::kNoDirectorySync:
      return "no-directory-sync";
    case Plant::kSyncParentDirectory:
      return "sync-parent-directory";
    case Plant::kManifestSyncLate:
      return "manifest-sync-late";
    case Plant::kNoOldLogSync:
      return "no-old-log-sync";
    case Plant::kSyncErrorIgnored:
      return "sync-error-ignored";
  }
  CHECK(false);
}

std::string_view Description(Plant plant) {
  switch (plant) {
    case Plant::kNoWalSync:
      return "the sync of a log does nothing";
    case Plant::kNoTableSync:
      return "the sync of a table does nothing";
    case Plant::kNoDirectorySync:
      return "the sync of a directory does nothing";
    case Plant::kSyncParentDirectory:
      return "the sync of a directory goes to its parent (B08)";
    case Plant::kManifestSyncLate:
      return "MANIFEST.tmp is synced only after its rename (B02)";
    case Plant::kNoOldLogSync:
      return "a log switch does not sync the old log (B27)";
    case Plant::kSyncErrorIgnored:
      return "a failed sync is reported as OK (B61)";
  }
  CHECK(false);
}

std::optional<Plant> FindPlant(std::string_view name) {
  for (const Plant plant : kPlants) {
    if (Name(plant) == name) return plant;
  }
  return std::nullopt;
}

}  // namespace kiban::sim
