// Goal:   checksums do not depend on the path, budgets follow their rule, perfect hashes are
//         bijections or none.
// Method: random inputs, and such as were made to be bad, against the definition spelled out.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/base/crc32.h"
#include "engine/base/crc32_paths.h"
#include "engine/cache/budget.h"
#include "engine/pointindex/format.h"
#include "engine/pointindex/mphf.h"
#include "suites/properties/property.h"

namespace kiban::suites {
namespace {

struct Bytes {
  uint64_t seed = 0;  // Of what they are.
  uint32_t count = 0;
  uint32_t at = 0;   // Where they begin in a cache line.
  uint32_t cut = 0;  // Where the computation is interrupted.
  uint32_t before = 0;
};

void showValue(const Bytes& bytes, std::ostream& os) {
  os << bytes.count << " bytes of " << bytes.seed << " from " << bytes.at << " on, cut at "
     << bytes.cut << ", after " << bytes.before;
}

rc::Gen<Bytes> AnyBytes() {
  return rc::gen::apply(
      [](uint64_t seed, uint32_t count, uint32_t at, uint32_t cut, uint32_t before) {
        return Bytes{seed, count, at, count == 0 ? 0 : cut % count, before};
      },
      rc::gen::arbitrary<uint64_t>(), rc::gen::inRange<uint32_t>(0, 3000),
      rc::gen::inRange<uint32_t>(0, 64), rc::gen::inRange<uint32_t>(0, 3000),
      rc::gen::arbitrary<uint32_t>());
}

uint32_t BitByBit(uint32_t crc, std::string_view bytes) {
  uint32_t state = ~crc;
  for (const char byte : bytes) {
    state ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      state = (state >> 1) ^ ((state & 1) != 0 ? base::kCrc32Polynomial : 0);
    }
  }
  return ~state;
}

std::string WhyNotOneChecksum(const Bytes& c) {
  std::string noise(64 + c.count, '\0');
  for (size_t i = 0; i < noise.size(); ++i) {
    noise[i] = static_cast<char>(base::Mix64(c.seed + i / 3));
  }
  const std::string_view bytes = std::string_view(noise).substr(c.at, c.count);
  const uint32_t right = BitByBit(c.before, bytes);
  if (base::Crc32(c.before, bytes) != right) return "the chosen path is wrong";
  if (base::Crc32If(false, c.before, bytes) != right) return "a machine that cannot fold is wrong";
  if (~base::Crc32BySlicing(~c.before, bytes) != right) return "slicing is wrong";
  if (base::CanFoldCrc32()) {
    if (base::Crc32If(true, c.before, bytes) != right) return "a machine that can fold is wrong";
    if (c.count >= 64 && ~base::Crc32ByFolding(~c.before, bytes) != right)
      return "folding is wrong";
  }
  const uint32_t begun = base::Crc32(c.before, bytes.substr(0, c.cut));
  return base::Crc32(begun, bytes.substr(c.cut)) == right ? ""
                                                          : "it does not go on where it stopped";
}

TEST(ArithmeticProperties, AChecksumIsTheSameOnEveryPath) {
  Holds<Bytes>(AnyBytes(), WhyNotOneChecksum);
}

// A bound: its 64th is mostly near the borders of the rule. Nothing: unknown.
rc::Gen<std::optional<uint64_t>> Bounds() {
  constexpr uint64_t kMiB = 1u << 20;
  return rc::gen::apply(
      [](uint64_t mebibytes, uint64_t more, uint32_t form) -> std::optional<uint64_t> {
        if (form == 0) return std::nullopt;
        if (form == 1) return mebibytes * more;
        return mebibytes * 64 * kMiB - 100 + more % 200;
      },
      rc::gen::element<uint64_t>(32, 512, 100, 33, 511, 1, 2000), rc::gen::arbitrary<uint64_t>(),
      rc::gen::inRange<uint32_t>(0, 12));
}

struct BudgetCase {
  std::optional<uint64_t> chosen;
  cache::MemoryBounds bounds;
};

void showValue(const BudgetCase& c, std::ostream& os) {
  const auto show = [&](const std::optional<uint64_t>& bytes) {
    os << (bytes.has_value() ? std::to_string(*bytes) : "unknown") << ' ';
  };
  os << "chosen: ";
  show(c.chosen);
  os << "host: ";
  show(c.bounds.physical_bytes);
  for (const auto& limit : c.bounds.limits_bytes) show(limit);
}

std::string WhyNotTheRule(const BudgetCase& c) {
  const uint64_t budget = cache::BudgetBytes(c.chosen, c.bounds);
  if (c.chosen.has_value()) return budget == *c.chosen ? "" : "not what was chosen";
  constexpr uint64_t kMin = uint64_t{32} << 20;
  constexpr uint64_t kMax = uint64_t{512} << 20;
  if (budget < kMin || budget > kMax) return "outside of 32 to 512 MiB";
  std::vector<std::optional<uint64_t>> all = c.bounds.limits_bytes;
  all.push_back(c.bounds.physical_bytes);
  bool is_all_of_one = budget == kMin || budget == kMax;
  for (const std::optional<uint64_t>& bound : all) {
    if (!bound.has_value())
      return budget == kMin ? "" : "more than the least, though not all is known";
    if (budget > kMin && budget > *bound / 64) return "more than a 64th of a bound";
    if (budget < kMax && budget == *bound / 64) is_all_of_one = true;
  }
  if (!is_all_of_one) return "not the 64th of any bound";
  const uint64_t least = **std::min_element(all.begin(), all.end()) / 64;
  return budget >= std::min(least, kMax) ? "" : "less than a 64th of every bound";
}

TEST(ArithmeticProperties, ABudgetFollowsItsRule) {
  const auto limits = rc::gen::resize(4, rc::gen::container<std::vector<std::optional<uint64_t>>>(
                                             rc::gen::resize(rc::kNominalSize, Bounds())));
  const auto cases = rc::gen::apply(
      [](bool is_chosen, uint64_t chosen, std::optional<uint64_t> physical,
         std::vector<std::optional<uint64_t>> drawn) {
        return BudgetCase{is_chosen ? std::optional<uint64_t>(chosen) : std::nullopt,
                          {physical, std::move(drawn)}};
      },
      rc::gen::weightedElement<bool>({{4, false}, {1, true}}), rc::gen::arbitrary<uint64_t>(),
      rc::gen::resize(rc::kNominalSize, Bounds()), limits);
  Holds<BudgetCase>(cases, WhyNotTheRule);
}

enum class HashSet : uint32_t {
  kRandom,
  kRegular,    // They differ in a few neighbouring bits.
  kOneBucket,  // All in one bucket, for the first seed.
  kTwice,      // Two are equal.
};

struct HashCase {
  HashSet set = HashSet::kRandom;
  uint64_t count = 0;
  uint64_t seed = 0;
  bool is_ph2 = false;
};

void showValue(const HashCase& c, std::ostream& os) {
  os << c.count << " hashes of kind " << static_cast<uint32_t>(c.set) << ", seed " << c.seed
     << (c.is_ph2 ? ", PH2" : ", PH3");
}

// The hash that PerfectHash::Mixed() turns into `mixed`.
uint64_t Unmixed(uint64_t mixed, uint64_t salt) {
  const auto undo_shift = [](uint64_t x, int by) {
    uint64_t y = x;
    for (int i = 0; i < 64 / by; ++i) y = x ^ (y >> by);
    return y;
  };
  uint64_t x = undo_shift(mixed, 31) * 0x319642b2d24d8ec3;  // Inverses of Mix64's factors.
  x = undo_shift(x, 27) * 0x96de1b173f119089;
  return undo_shift(x, 30) - salt;
}

std::vector<uint64_t> HashesOf(const HashCase& c) {
  std::vector<uint64_t> hashes;
  for (uint64_t i = 0; i < c.count; ++i) {
    if (c.set == HashSet::kRegular) {
      hashes.push_back(c.seed + (i << c.seed % 40));
    } else if (c.set == HashSet::kOneBucket && i <= c.seed % 64) {
      hashes.push_back(Unmixed(i, pointindex::PerfectHash::Salt(0)));
    } else {
      hashes.push_back(base::Mix64(c.seed * 0x9e3779b97f4a7c15 + i));
    }
  }
  if (c.set == HashSet::kTwice && c.count > 1) hashes[c.seed % (c.count - 1)] = hashes.back();
  return hashes;
}

struct HashReach {
  uint64_t none = 0;
  uint64_t later_seed = 0;
  uint64_t hashes_max = 0;
};

std::string WhyNotBijection(const HashCase& c, HashReach& reach) {
  const pointindex::HashShape& shape = c.is_ph2 ? pointindex::kPh2Hash : pointindex::kPh3Hash;
  const std::vector<uint64_t> hashes = HashesOf(c);
  const bool are_different = std::set<uint64_t>(hashes.begin(), hashes.end()).size() == c.count;
  const auto built = pointindex::BuildPerfectHash(hashes, shape);
  if (!built.has_value()) {
    ++reach.none;
    return are_different ? "none for hashes that all differ" : "";
  }
  if (!are_different) return "two equal hashes have two slots";
  if (built->seed > 0) ++reach.later_seed;
  reach.hashes_max = std::max(reach.hashes_max, c.count);
  if (built->bytes.size() != shape.encoded_bytes(c.count)) return "not as long as it says";
  const pointindex::PerfectHash map(shape, c.count, built->seed, built->bytes.data());
  if (!map.SparesAreSlots()) return "a spare place has no slot";
  std::vector<bool> is_taken(c.count);
  for (const uint64_t hash : hashes) {
    const uint64_t slot = map.SlotOf(hash);
    if (slot >= c.count) return "a slot that there is not";
    if (is_taken[slot]) return "a slot is taken twice";
    is_taken[slot] = true;
  }
  if (c.count > 300) return "";
  const auto again = pointindex::BuildPerfectHash(hashes, shape);
  return again->bytes == built->bytes && again->seed == built->seed ? "" : "another one next time";
}

TEST(ArithmeticProperties, APerfectHashIsABijectionOrNone) {
  const auto counts = rc::gen::weightedOneOf<uint64_t>(
      {{60, rc::gen::inRange<uint64_t>(0, 300)}, {1, rc::gen::inRange<uint64_t>(0, 20000)}});
  const auto cases = rc::gen::apply(
      [](HashSet set, uint64_t count, uint64_t seed, bool is_ph2) {
        return HashCase{set, count, seed, is_ph2};
      },
      rc::gen::element(HashSet::kRandom, HashSet::kRegular, HashSet::kOneBucket, HashSet::kTwice),
      counts, rc::gen::arbitrary<uint64_t>(), rc::gen::element(false, true));
  HashReach reach;
  const bool held =
      Holds<HashCase>(cases, [&](const HashCase& c) { return WhyNotBijection(c, reach); });
  if (!held) return;
  EXPECT_GT(reach.none, 100u);
  EXPECT_GT(reach.later_seed, 20u);
  EXPECT_GT(reach.hashes_max, 10000u);
}

}  // namespace
}  // namespace kiban::suites
