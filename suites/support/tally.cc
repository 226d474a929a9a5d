#include "suites/support/tally.h"

#include <algorithm>

namespace kiban::suites {
namespace {

void KeepSlowest(std::vector<SlowSeed>& slowest, const SlowSeed& seed) {
  const auto slower = [&](const SlowSeed& other) { return other.seconds < seed.seconds; };
  slowest.insert(std::find_if(slowest.begin(), slowest.end(), slower), seed);
  if (slowest.size() > kSlowestCount) slowest.pop_back();
}

}  // namespace

void Tally::AddLife(uint64_t seed, const LifeReport& report, double seconds) {
  ++seeds;
  ++verdicts[static_cast<size_t>(report.verdict)];
  counts += report.counts;
  if (report.counts.flushes == 0) ++lives_without_flush;
  if (report.counts.compactions == 0) ++lives_without_compaction;
  if (report.counts.manifests == 0) ++lives_without_manifest;
  digest += sim::InSweep(seed, report.digest);
  KeepSlowest(slowest, {seed, seconds});
}

void Tally::AddDead(uint64_t seed, Verdict verdict) {
  ++seeds;
  ++verdicts[static_cast<size_t>(verdict)];
  digest += sim::InSweep(seed, sim::Digest{});
}

Tally& Tally::operator+=(const Tally& other) {
  seeds += other.seeds;
  for (size_t i = 0; i < verdicts.size(); ++i) verdicts[i] += other.verdicts[i];
  counts += other.counts;
  lives_without_flush += other.lives_without_flush;
  lives_without_compaction += other.lives_without_compaction;
  lives_without_manifest += other.lives_without_manifest;
  rechecked += other.rechecked;
  digest += other.digest;
  for (const SlowSeed& seed : other.slowest) KeepSlowest(slowest, seed);
  return *this;
}

}  // namespace kiban::suites
