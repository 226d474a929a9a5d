#include "tools/inspect_file.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "engine/base/status_util.h"

namespace kiban::tools {

void FileReport::Add(std::string name, uint64_t offset, uint64_t bytes, std::string contents) {
  structures.push_back({std::move(name), offset, bytes, std::move(contents), {}});
}

void FileReport::Note(std::string_view path, std::string_view structure,
                      const absl::Status& status) {
  if (status.ok()) return;
  absl::string_view message = status.message();
  if (!absl::IsDataLoss(status)) {
    unreadable.Update(status);
    return;
  }
  if (absl::ConsumePrefix(&message, base::ToAbsl(path))) absl::ConsumePrefix(&message, ": ");
  damage.push_back(absl::StrCat(base::ToAbsl(structure), ", ", message));
}

std::string LineOf(const Structure& structure) {
  return absl::StrFormat("%-12s at %8d, %7d bytes: %s", structure.name, structure.offset,
                         structure.bytes, structure.contents);
}

std::string ShownKey(std::string_view key) {
  constexpr size_t kShownBytes = 32;
  const std::string text = absl::CHexEscape(base::ToAbsl(key.substr(0, kShownBytes)));
  if (key.size() <= kShownBytes) return absl::StrCat("\"", text, "\"");
  return absl::StrCat("\"", text, "\"... (", key.size(), " bytes)");
}

}  // namespace kiban::tools
