// Which seeds a sweep is to live, as people write it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace kiban::tools {

inline constexpr uint64_t kSeedMax = uint64_t{1} << 62;

struct SeedRange {
  uint64_t first = 0;
  uint64_t count = 0;
  friend bool operator==(const SeedRange&, const SeedRange&) = default;
};

// "20000" is 0..19999, "5..9" includes both.
absl::StatusOr<SeedRange> ParseSeeds(const std::string& text);
absl::StatusOr<uint64_t> ParseNumber(const std::string& flag, const std::string& text);

// "90s", "10m", "2h", in seconds.
absl::StatusOr<double> ParseTimeBudget(const std::string& text);

// For `--from random`. Small enough that every reader of JSON has it exactly.
uint64_t DrawFirstSeed();

// What `--seeds`, `--seed` and `--from` come to; the one seed beats the many, `from` moves the
// start.
absl::StatusOr<SeedRange> ChooseSeeds(const std::optional<std::string>& seeds,
                                      const std::optional<std::string>& seed,
                                      const std::optional<std::string>& from,
                                      const SeedRange& otherwise);

}  // namespace kiban::tools
