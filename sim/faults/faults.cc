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

std::string_view RemovedEdge(Plant plant) {
  switch (plant) {
    case Plant::kNoWalSync:
      return "sync *.wal (*write.sync) before acknowledgement*"
             " | sync *.wal (*switch.T1) before * *.wal (*switch.T2)";
    case Plant::kNoTableSync:
      return "sync *.sst (*flush.F2) before rename MANIFEST.tmp -> MANIFEST*"
             " | sync *.sst (*compact.C2) before rename MANIFEST.tmp -> MANIFEST*";
    case Plant::kNoDirectorySync:
      return "dir-sync db/ (*) before * | dir-sync / (*) before *";
    case Plant::kSyncParentDirectory:
      return "dir-sync db/ (*) before *";
    case Plant::kManifestSyncLate:
      return "sync MANIFEST.tmp (*publish.M2) before rename MANIFEST.tmp -> MANIFEST*";
    case Plant::kNoOldLogSync:
      return "sync *.wal (*switch.T1) before * *.wal (*switch.T2)";
    case Plant::kSyncErrorIgnored:
      return "";  // Its pages are owed by nobody: a restart with a cold cache shows it.
  }
  CHECK(false);
}

std::optional<Plant> FindPlant(std::string_view name) {
  for (const Plant plant : kPlants) {
    if (Name(plant) == name) return plant;
  }
  return std::nullopt;
}

FaultPlan DrawnAgain(FaultPlan found) {
  for (Cut& cut : found.cuts) {
    const auto* const anchor = std::get_if<Anchor>(&cut.place);
    if (anchor == nullptr) continue;
    cut.latest_operation = 0;
    cut.place = DrawnPlace{
        .span = anchor->span, .skip_calls = cut.calls_since, .patience_calls = UINT32_MAX};
  }
  for (SyncError& error : found.sync_errors) {
    if (!error.anchor.has_value()) continue;
    error.anchor.reset();
    error.skip_syncs = error.syncs_since;
  }
  return found;
}

FaultPlan WithoutImplied(FaultPlan found) {
  for (Cut& cut : found.cuts) {
    if (!cut.fates.has_value()) continue;
    std::erase_if(*cut.fates, [](const ListedFate& fate) {
      return fate.implied || (fate.kept && fate.torn_sectors == 0);
    });
  }
  return found;
}

}  // namespace kiban::sim
