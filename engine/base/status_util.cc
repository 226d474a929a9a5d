#include "engine/base/status_util.h"

#include "absl/strings/str_cat.h"

namespace kiban::base {

absl::Status Corruption(std::string_view path, uint64_t offset, std::string_view what) {
  return absl::DataLossError(absl::StrCat(ToAbsl(path), ": offset ", offset, ": ", ToAbsl(what)));
}

absl::Status InFile(std::string_view path, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(ToAbsl(path), ": ", status.message()));
}

}  // namespace kiban::base
