#include "engine/lsm/file_names.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_util.h"
#include "engine/lsm/limits.h"

namespace kiban::lsm {
namespace {

constexpr std::string_view kLogSuffix = ".wal";
constexpr std::string_view kTableSuffix = ".sst";

std::string NumberedName(uint64_t number, std::string_view suffix) {
  return absl::StrCat(absl::Dec(number, absl::kZeroPad6), base::ToAbsl(suffix));
}

// 0 if `digits` is not a number that we would have given; no file has number 0.
uint64_t ParseNumber(std::string_view digits) {
  uint64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return 0;
    number = number * 10 + static_cast<uint64_t>(digit - '0');
    if (number > kFileNumberMax) return 0;
  }
  return number;
}

FileName ParseNumbered(std::string_view name, std::string_view suffix, FileKind kind) {
  if (!name.ends_with(suffix)) return {};
  const uint64_t number = ParseNumber(name.substr(0, name.size() - suffix.size()));
  // Written back, it must be the same: no missing or surplus zeros.
  if (number == 0 || NumberedName(number, suffix) != name) return {};
  return {.kind = kind, .number = number};
}

}  // namespace

FileName ParseFileName(std::string_view name) {
  if (name == kManifestName) return {.kind = FileKind::kManifest};
  if (name == kManifestTempName) return {.kind = FileKind::kManifestTemp};
  if (name == kLockName) return {.kind = FileKind::kLock};
  const FileName log = ParseNumbered(name, kLogSuffix, FileKind::kLog);
  if (log.kind != FileKind::kForeign) return log;
  return ParseNumbered(name, kTableSuffix, FileKind::kTable);
}

std::string PathIn(std::string_view dir, std::string_view name) {
  return absl::StrCat(base::ToAbsl(dir), "/", base::ToAbsl(name));
}

std::string LogPath(std::string_view dir, uint64_t number) {
  return PathIn(dir, NumberedName(number, kLogSuffix));
}

std::string TablePath(std::string_view dir, uint64_t number) {
  return PathIn(dir, NumberedName(number, kTableSuffix));
}

std::string ParentOf(std::string_view dir) {
  const size_t slash = dir.rfind('/');
  return std::string(slash == dir.npos ? std::string_view() : dir.substr(0, slash));
}

}  // namespace kiban::lsm
