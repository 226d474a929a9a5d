#include "sim/disk/file_label.h"

#include "absl/strings/str_cat.h"
#include "engine/base/hash.h"
#include "engine/base/hooks.h"
#include "engine/base/status_util.h"

namespace kiban::sim {

uint64_t FileLabel::Key() const {
  uint64_t key = base::Label::Hash(kind);
  key = base::Mix64(key ^ base::Label::Hash(span));
  return base::Mix64(key + (uint64_t{boot} << 48) + (uint64_t{occurrence} << 16) + nth);
}

std::string FileLabel::Text() const {
  std::string text = absl::StrCat(kind, "@", boot, ":", base::ToAbsl(span), "#", occurrence);
  if (nth != 1) absl::StrAppend(&text, ".", nth);
  return text;
}

std::string_view KindOfName(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view name = slash == path.npos ? path : path.substr(slash + 1);
  const size_t suffix = name.find_first_not_of("0123456789");
  const bool numbered =
      suffix != name.npos && suffix > 0 && name[suffix] == '.' && suffix + 1 < name.size();
  return numbered ? name.substr(suffix + 1) : name;
}

}  // namespace kiban::sim
