#include "engine/posix/host_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/posix/descriptor.h"

namespace kiban::posix {
namespace {

absl::StatusOr<std::string> ReadText(const std::string& path) {
  const Descriptor file(RetryOnEintr([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  if (!file.open()) return ErrnoStatus(errno, path);
  std::string text;
  char part[512];
  while (true) {
    const ssize_t count = RetryOnEintr([&] { return ::read(file.get(), part, sizeof part); });
    if (count < 0) return ErrnoStatus(errno, path);
    if (count == 0) return text;
    text.append(part, static_cast<size_t>(count));
  }
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// What stands behind `prefix` in the line that begins with it.
std::optional<std::string_view> FindLine(std::string_view text, std::string_view prefix) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(prefix)) return line.substr(prefix.size());
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return std::nullopt;
}

bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || text[at - 1] == ' ';
    if (begins && (end == text.size() || text[end] == ' ' || text[end] == '\n')) return true;
  }
  return false;
}

// /proc/meminfo: "MemTotal:       24731708 kB".
std::optional<uint64_t> PhysicalBytes(const std::string& root) {
  const absl::StatusOr<std::string> text = ReadText(root + "/proc/meminfo");
  if (!text.ok()) return std::nullopt;
  std::optional<std::string_view> line = FindLine(*text, "MemTotal:");
  if (!line.has_value() || !line->ends_with(" kB")) return std::nullopt;
  line->remove_suffix(3);
  line->remove_prefix(std::min(line->size(), line->find_first_not_of(' ')));
  const std::optional<uint64_t> kib = ParseNumber(*line);
  if (!kib.has_value() || *kib > UINT64_MAX / 1024) return std::nullopt;
  return *kib * 1024;
}

// The process's group, from the root that it can see: "/a/b", or "" for that root. Of a host with
// groups of version 1 and 2 side by side the line of version 2 begins with "0::".
std::optional<std::string> GroupOfProcess(const std::string& root) {
  const absl::StatusOr<std::string> text = ReadText(root + "/proc/self/cgroup");
  if (!text.ok()) return std::nullopt;
  const std::optional<std::string_view> group = FindLine(*text, "0::");
  // A group outside of what can be seen is shown as "/../...".
  if (!group.has_value() || !group->starts_with("/") || group->starts_with("/..")) {
    return std::nullopt;
  }
  return std::string(*group == "/" ? "" : *group);
}

// Adds memory.max of one group, unless it has none.
void AddLimit(const std::string& group, bool is_outermost,
              std::vector<std::optional<uint64_t>>& limits_bytes) {
  const absl::StatusOr<std::string> text = ReadText(group + "/memory.max");
  // The root of all groups has no such file, because nothing limits it.
  if (is_outermost && absl::IsNotFound(text.status())) return;
  std::string_view limit = text.ok() ? std::string_view(*text) : std::string_view();
  if (limit.ends_with('\n')) limit.remove_suffix(1);
  if (limit != "max") limits_bytes.push_back(ParseNumber(limit));
}

}  // namespace

HostMemory ReadHostMemory(const std::string& root) {
  HostMemory memory = {.physical_bytes = PhysicalBytes(root)};
  const std::string groups = root + "/sys/fs/cgroup";
  // Only version 2 has this file, and it names "memory" only if version 1 has not taken it.
  const absl::StatusOr<std::string> controllers = ReadText(groups + "/cgroup.controllers");
  std::optional<std::string> group = GroupOfProcess(root);
  if (!controllers.ok() || !HasWord(*controllers, "memory") || !group.has_value()) {
    memory.limits_bytes.push_back(std::nullopt);
    return memory;
  }
  for (; !group->empty(); group->resize(group->rfind('/'))) {
    AddLimit(groups + *group, false, memory.limits_bytes);
  }
  AddLimit(groups, true, memory.limits_bytes);
  return memory;
}

}  // namespace kiban::posix
