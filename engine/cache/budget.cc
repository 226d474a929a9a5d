#include "engine/cache/budget.h"

#include <algorithm>

namespace kiban::cache {

uint64_t BudgetBytes(std::optional<uint64_t> chosen_bytes, const MemoryBounds& bounds) {
  if (chosen_bytes.has_value()) return *chosen_bytes;
  if (!bounds.physical_bytes.has_value()) return kDefaultBudgetBytesMin;
  uint64_t smallest = *bounds.physical_bytes;
  for (const std::optional<uint64_t>& limit : bounds.limits_bytes) {
    if (!limit.has_value()) return kDefaultBudgetBytesMin;
    smallest = std::min(smallest, *limit);
  }
  return std::clamp(smallest / kMemoryPerBudget, kDefaultBudgetBytesMin, kDefaultBudgetBytesMax);
}

}  // namespace kiban::cache
