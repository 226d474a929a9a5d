// What the tasks of a killed process do: everything follows from the seed and the number of the
// call, so that the process need not tell, and its judge can say whose a value is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ticks.h"
#include "models/kv_model.h"
#include "sim/rng.h"
#include "suites/support/engine_under_test.h"
#include "suites/support/operation.h"

namespace kiban::suites {

inline constexpr uint32_t kStressWriters = 4;
inline constexpr uint32_t kStressReaders = 4;
inline constexpr uint32_t kStressTasks = kStressWriters + kStressReaders;
inline constexpr uint32_t kStressCallsMax = 2'000;  // Of one task in one round.
inline constexpr uint32_t kStressRoundsMax = 100'000;
inline constexpr uint32_t kStressKeys = 150;
inline constexpr uint32_t kStressPairsMax = 8;  // That one read gives.

static_assert(uint64_t{kStressRoundsMax} * kStressTasks * kStressCallsMax < UINT32_MAX);

struct StressCall {
  uint32_t round = 0;
  uint32_t task = 0;  // Writers first.
  uint32_t index = 0;
};

// By whom a value was written: the call's operation and the item of its batch.
struct ValueOrigin {
  uint32_t operation = 0;  // 0: no value.
  uint32_t item = 0;
};

// When a process is killed: so long after its writers have begun so many calls. With none at all
// the time counts from its own beginning, and its open is what is hit.
struct KillMoment {
  uint64_t writes = 0;
  base::Ticks delay = 0;
};

class StressPlan {
 public:
  StressPlan(uint64_t seed, const Engine& engine) : seed_(seed), engine_(engine) {}

  EngineOptions OptionsOf(uint32_t round) const;
  KillMoment KillOf(uint32_t round) const;
  // How long a reader rests after a call, so that it has as much to do as the writers.
  base::Ticks RestOf(const StressCall& call) const;
  // Of a writer a mutation, a sync or maintenance; of a reader a kGet, kScan or kLatest, or a
  // kSnapshot: take one, and get `key` at it.
  Operation OperationOf(const StressCall& call) const;

  // Who wrote `value` to `key`; nullopt if nobody can have.
  std::optional<ValueOrigin> OriginOf(std::string_view key, std::string_view value) const;
  // The value with that origin.
  std::string ValueFrom(const ValueOrigin& origin) const;

  static std::string KeyText(uint32_t key);
  // kStressKeys if it is none of them.
  static uint32_t KeyNumber(std::string_view text);

 private:
  Operation WriteOf(sim::Rng dice) const;
  Operation ReadOf(sim::Rng dice) const;

  uint64_t seed_;
  const Engine& engine_;
};

}  // namespace kiban::suites
