// absl::Status with std:: types at the edges. Debian's Abseil has a string_view of its own; this is
// the one place that converts.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kiban::base {

inline absl::string_view ToAbsl(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view ToStd(absl::string_view text) { return {text.data(), text.size()}; }

// What was read is not what was written: kDataLoss, naming the place.
absl::Status Corruption(std::string_view path, uint64_t offset, std::string_view what);

// `status` with "path: " before its message; OK stays OK.
absl::Status InFile(std::string_view path, const absl::Status& status);

}  // namespace kiban::base

#define RETURN_IF_ERROR(expression) \
  KIBAN_RETURN_IF_ERROR_(KIBAN_STATUS_CONCAT(kiban_status_, __LINE__), expression)

#define KIBAN_RETURN_IF_ERROR_(name, expression)                   \
  do {                                                             \
    if (absl::Status name = (expression); !name.ok()) return name; \
  } while (false)

#define KIBAN_STATUS_CONCAT_(a, b) a##b
#define KIBAN_STATUS_CONCAT(a, b) KIBAN_STATUS_CONCAT_(a, b)

#define ASSIGN_OR_RETURN(left, expression) \
  KIBAN_ASSIGN_OR_RETURN_(KIBAN_STATUS_CONCAT(kiban_status_or_, __LINE__), left, expression)

#define KIBAN_ASSIGN_OR_RETURN_(name, left, expression) \
  auto name = (expression);                             \
  if (!name.ok()) return std::move(name).status();      \
  left = *std::move(name)
