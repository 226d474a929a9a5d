// How micro-operations are called: by file, kind and version, never by inode number.
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/hash.h"
#include "engine/base/hooks.h"
#include "engine/base/status_util.h"
#include "sim/disk/disk.h"

namespace kiban::sim {
namespace {

std::string_view Verb(MicroKind kind) {
  switch (kind) {
    case MicroKind::kPage:
      return "page";
    case MicroKind::kSize:
      return "size";
    case MicroKind::kShrink:
      return "shrink";
    case MicroKind::kAlloc:
      return "alloc";
    case MicroKind::kAdd:
      return "add";
    case MicroKind::kDel:
      return "del";
    case MicroKind::kRename:
      return "rename";
  }
  CHECK(false);
  std::abort();
}

}  // namespace

std::string Disk::Describe(const MicroOp& op) const {
  std::string text = absl::StrCat(base::ToAbsl(Verb(op.kind)), " ", label(op.inode).Text(), " ");
  if (!op.IsName()) {
    absl::StrAppend(&text, op.IsPage() ? op.page : op.size_bytes, " v", op.version);
    return text;
  }
  if (op.kind == MicroKind::kRename) absl::StrAppend(&text, op.names->from.path, " -> ");
  absl::StrAppend(&text, op.names->slot.path);
  if (op.version > 1) absl::StrAppend(&text, " v", op.version);
  return text;
}

uint64_t Disk::Key(const MicroOp& op) const {
  uint64_t key = base::Mix64(At(op.inode).label_key + static_cast<uint64_t>(op.kind));
  if (op.IsPage()) key = base::Mix64(key + op.page);
  if (op.IsName()) {
    key = base::Mix64(key ^ base::Label::Hash(op.names->from.path));
    key = base::Mix64(key ^ base::Label::Hash(op.names->slot.path));
  }
  return base::Mix64(key + op.version);
}

}  // namespace kiban::sim
