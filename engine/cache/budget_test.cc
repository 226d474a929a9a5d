// Goal:   the budget is what the user chose, or else a 64th of the smallest bound, within 32 and
//         512 MiB, and 32 MiB as soon as any bound is unknown.
// Method: a table of both sides of every border, each source missing alone and together.
#include "engine/cache/budget.h"

#include <gtest/gtest.h>

namespace kiban::cache {
namespace {

using Bytes = std::optional<uint64_t>;

constexpr uint64_t kMiB = 1u << 20;
constexpr uint64_t kGiB = 1u << 30;

struct Row {
  const char* what;
  Bytes physical_bytes;
  std::vector<Bytes> limits_bytes;
  uint64_t budget_bytes;
};

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      {"no limit", 8 * kGiB, {}, 128 * kMiB},
      {"no memory at all", 0, {}, 32 * kMiB},
      {"less than the floor", kGiB, {}, 32 * kMiB},
      {"the last byte on the floor", 2 * kGiB + 63, {}, 32 * kMiB},
      {"the first byte above the floor", 2 * kGiB + 64, {}, 32 * kMiB + 1},
      {"the last byte below the cap", 32 * kGiB - 1, {}, 512 * kMiB - 1},
      {"the cap", 32 * kGiB, {}, 512 * kMiB},
      {"more than the cap", 1024 * kGiB, {}, 512 * kMiB},
      {"as much as a number holds", UINT64_MAX, {UINT64_MAX}, 512 * kMiB},
      {"a smaller limit", 64 * kGiB, {8 * kGiB}, 128 * kMiB},
      {"a larger limit", 8 * kGiB, {64 * kGiB}, 128 * kMiB},
      {"an equal limit", 8 * kGiB, {8 * kGiB}, 128 * kMiB},
      {"a limit below the floor", 64 * kGiB, {64 * kMiB}, 32 * kMiB},
      {"a limit of nothing", 64 * kGiB, {0}, 32 * kMiB},
      {"a limit as large as a number holds", 8 * kGiB, {UINT64_MAX}, 128 * kMiB},
      {"the smallest is the innermost", 64 * kGiB, {4 * kGiB, 16 * kGiB}, 64 * kMiB},
      {"the smallest is the outermost", 64 * kGiB, {16 * kGiB, 8 * kGiB, 4 * kGiB}, 64 * kMiB},
      {"the smallest is in the middle", 64 * kGiB, {16 * kGiB, 4 * kGiB, 8 * kGiB}, 64 * kMiB},
      {"physical memory unknown", {}, {}, 32 * kMiB},
      {"physical memory unknown, a limit known", {}, {8 * kGiB}, 32 * kMiB},
      {"the only limit unknown", 8 * kGiB, {Bytes()}, 32 * kMiB},
      {"the innermost unknown", 64 * kGiB, {Bytes(), 8 * kGiB}, 32 * kMiB},
      {"the outermost unknown", 64 * kGiB, {8 * kGiB, Bytes()}, 32 * kMiB},
      {"nothing known", {}, {Bytes(), Bytes()}, 32 * kMiB},
      {"the machine of the reference", 30 * kGiB, {449'030'592 * 64ull}, 449'030'592},
  };
  return rows;
}

TEST(Budget, IsAShareOfTheSmallestBound) {
  for (const Row& row : Rows()) {
    EXPECT_EQ(BudgetBytes({}, {row.physical_bytes, row.limits_bytes}), row.budget_bytes)
        << row.what;
  }
}

TEST(Budget, IsWhatTheUserChoseWhateverTheHostHas) {
  for (const Row& row : Rows()) {
    for (const uint64_t chosen_bytes : {uint64_t{0}, uint64_t{1}, 33 * kMiB, UINT64_MAX}) {
      EXPECT_EQ(BudgetBytes(chosen_bytes, {row.physical_bytes, row.limits_bytes}), chosen_bytes)
          << row.what;
    }
  }
}

}  // namespace
}  // namespace kiban::cache
