#include "tools/seed_range.h"

#include <random>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::tools {
namespace {

// SimpleAtoi() would take blanks and a sign as well.
bool ParseDigits(const std::string& text, uint64_t& number) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
         absl::SimpleAtoi(text, &number) && number <= kSeedMax;
}

}  // namespace

absl::StatusOr<uint64_t> ParseNumber(const std::string& flag, const std::string& text) {
  uint64_t number = 0;
  if (ParseDigits(text, number)) return number;
  return absl::InvalidArgumentError(
      absl::StrCat(flag, " ", text, ": expected a number from 0 to 2^62"));
}

absl::StatusOr<SeedRange> ParseSeeds(const std::string& text) {
  const size_t dots = text.find("..");
  uint64_t first = 0;
  uint64_t last = 0;
  if (dots == std::string::npos) {
    uint64_t count = 0;
    if (ParseDigits(text, count) && count > 0) return SeedRange{0, count};
  } else if (ParseDigits(text.substr(0, dots), first) && ParseDigits(text.substr(dots + 2), last) &&
             first <= last) {
    return SeedRange{first, last - first + 1};
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--seeds ", text, ": expected N (0 to N-1) or A..B (both included), e.g. 20000 or 5..9"));
}

absl::StatusOr<double> ParseTimeBudget(const std::string& text) {
  constexpr std::string_view kUnits = "smh";
  constexpr double kUnitSeconds[] = {1, 60, 3600};
  const size_t unit = kUnits.find(text.empty() ? ' ' : text.back());
  uint64_t number = 0;
  if (unit != kUnits.npos && ParseDigits(text.substr(0, text.size() - 1), number) && number > 0) {
    return static_cast<double>(number) * kUnitSeconds[unit];
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--time-budget ", text, ": expected a time such as 90s, 10m or 2h"));
}

uint64_t DrawFirstSeed() {
  std::random_device entropy;
  return entropy();  // 32 bits.
}

absl::StatusOr<SeedRange> ChooseSeeds(const std::optional<std::string>& seeds,
                                      const std::optional<std::string>& seed,
                                      const std::optional<std::string>& from,
                                      const SeedRange& otherwise) {
  SeedRange range = otherwise;
  if (seeds) {
    ASSIGN_OR_RETURN(range, ParseSeeds(*seeds));
  }
  if (seed) {
    ASSIGN_OR_RETURN(range.first, ParseNumber("--seed", *seed));
    range.count = 1;
    if (from) return absl::InvalidArgumentError("--seed names the one seed: leave --from out");
  }
  if (from) {
    ASSIGN_OR_RETURN(range.first, ParseNumber("--from", *from));
  }
  return range;
}

}  // namespace kiban::tools
