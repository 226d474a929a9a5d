// How fast a checksum is on this machine: as Crc32() chooses, and with folding masked.
#include <benchmark/benchmark.h>

#include <string>

#include "engine/base/crc32_paths.h"

namespace kiban::base {
namespace {

// Each checksum begins with the one before, as a second part of a record does: no two overlap.
void Measure(benchmark::State& state, bool can_fold) {
  const std::string bytes(static_cast<size_t>(state.range(0)), 'k');
  uint32_t crc = 0;
  for (auto _ : state) crc = Crc32If(can_fold, crc, bytes);
  benchmark::DoNotOptimize(crc);
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

void Chosen(benchmark::State& state) { Measure(state, CanFoldCrc32()); }
void Masked(benchmark::State& state) { Measure(state, false); }

BENCHMARK(Chosen)->Arg(64)->Arg(128)->Arg(256)->Arg(4096)->Arg(65536);
BENCHMARK(Masked)->Arg(64)->Arg(128)->Arg(256)->Arg(4096)->Arg(65536);

}  // namespace
}  // namespace kiban::base

BENCHMARK_MAIN();
