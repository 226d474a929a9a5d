#include "engine/lsm/options.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"

namespace kiban::lsm {
namespace {

absl::Status Within(std::string_view field, uint64_t value, uint64_t min, uint64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(base::ToAbsl(field), " = ", value, " is not in ", min, " .. ", max));
}

}  // namespace

absl::Status Validate(const KibanOptions& options) {
  constexpr uint64_t kMebibyte = uint64_t{1} << 20;
  constexpr uint64_t kGibibyte = uint64_t{1} << 30;
  constexpr uint64_t kTebibyte = uint64_t{1} << 40;
  RETURN_IF_ERROR(Within("write_buffer_bytes", options.write_buffer_bytes, 256, kGibibyte));
  RETURN_IF_ERROR(Within("block_bytes", options.block_bytes, 64, kMebibyte));
  RETURN_IF_ERROR(Within("restart_interval", options.restart_interval, 1, 256));
  RETURN_IF_ERROR(Within("filter_bits_per_key", options.filter_bits_per_key, 1, 32));
  RETURN_IF_ERROR(Within("l0_compaction_trigger", options.l0_compaction_trigger, 1, 64));
  RETURN_IF_ERROR(Within("l0_write_stall_trigger", options.l0_write_stall_trigger,
                         options.l0_compaction_trigger, 256));
  RETURN_IF_ERROR(Within("level1_bytes", options.level1_bytes, 512, kTebibyte));
  RETURN_IF_ERROR(Within("level_multiplier", options.level_multiplier, 2, 100));
  return Within("table_bytes", options.table_bytes, 512, kGibibyte);
}

}  // namespace kiban::lsm
