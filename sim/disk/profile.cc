#include "sim/disk/profile.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"

namespace kiban::sim {

const Profile kStrict = {.name = "strict"};

const Profile* FindProfile(std::string_view name) {
  return name == kStrict.name ? &kStrict : nullptr;
}

namespace {

// Goes through what was owed in program order and remembers what was lost: each rule says what a
// kept operation may not follow. Knows nothing of how kept sets are drawn.
class Strict {
 public:
  std::string Objection(const MicroOp& op, Fate fate) {
    if (op.IsPage()) return PageObjection(op, fate);
    if (fate.torn_sectors != 0) return "D2: only pages tear";
    return op.IsSize() ? SizeObjection(op, fate.kept) : NameObjection(op, fate.kept);
  }

 private:
  struct PageState {
    bool is_lost = false;
    bool is_torn = false;
  };
  struct SizeState {
    bool is_lost = false;
    uint64_t lowest_lost_cut = UINT64_MAX;  // First page that a lost shrink would have changed.
  };
  using SlotKey = std::pair<InodeId, std::string_view>;

  std::string PageObjection(const MicroOp& op, Fate fate) {
    PageState& page = pages_[{op.inode, op.page}];
    if (!fate.kept) {
      page.is_lost = true;
      return fate.torn_sectors == 0 ? "" : "D2: a lost page is torn";
    }
    if (page.is_lost) return "D1: a later write to a page is kept without an earlier one";
    if (page.is_torn) return "D2: a page is torn under a later version";
    if ((fate.torn_sectors & ~op.changed_sectors) != 0) return "D4: a tear harms a neighbour";
    if (fate.torn_sectors != 0 && fate.torn_sectors == op.changed_sectors) {
      return "D2: a page torn everywhere is a page lost";
    }
    const auto sizes = sizes_.find(op.inode);
    if (sizes != sizes_.end() && op.page >= sizes->second.lowest_lost_cut) {
      return "D8: a write behind a cut is kept without the cut";
    }
    page.is_torn = fate.torn_sectors != 0;
    return "";
  }

  std::string SizeObjection(const MicroOp& op, bool kept) {
    SizeState& sizes = sizes_[op.inode];
    if (kept) return sizes.is_lost ? "D8: a later size is kept without an earlier one" : "";
    sizes.is_lost = true;
    if (op.kind == MicroKind::kShrink) {
      sizes.lowest_lost_cut = std::min(sizes.lowest_lost_cut, op.size_bytes / kPageBytes);
    }
    return "";
  }

  std::string NameObjection(const MicroOp& op, bool kept) {
    const NameChange& names = *op.names;
    std::string objection = SlotObjection(names.slot, kept);
    if (op.kind == MicroKind::kRename && objection.empty()) {
      objection = SlotObjection(names.from, kept);
    }
    if (!kept) {
      if (op.kind == MicroKind::kAdd) unmade_.insert(op.inode);
    } else if (op.kind == MicroKind::kDel && unsettled_.contains(op.inode)) {
      return "D13: a directory is gone before what was in it";
    }
    return objection;
  }

  std::string SlotObjection(const Slot& slot, bool kept) {
    const SlotKey key = {slot.dir, slot.name()};
    if (!kept) {
      lost_slots_.insert(key);
      unsettled_.insert(slot.dir);
      return "";
    }
    if (lost_slots_.contains(key))
      return "D12: a later change of a name is kept without an earlier one";
    if (unmade_.contains(slot.dir)) return "D13: a name is kept without its directory";
    return "";
  }

  std::map<std::pair<InodeId, uint64_t>, PageState> pages_;
  std::map<InodeId, SizeState> sizes_;
  std::set<SlotKey> lost_slots_;
  std::set<InodeId> unmade_;     // Their making was lost.
  std::set<InodeId> unsettled_;  // Directories in which a change was lost.
};

}  // namespace

std::string WhyNotAllowed(const Profile& profile, std::span<const MicroOp> pending,
                          const KeptSet& kept) {
  CHECK(&profile == &kStrict);
  if (kept.size() != pending.size()) return "a fate for each pending operation";
  Strict rules;
  for (size_t i = 0; i < pending.size(); ++i) {
    const std::string objection = rules.Objection(pending[i], kept[i]);
    if (!objection.empty()) return absl::StrCat(objection, " (pending operation ", i, ")");
  }
  return "";
}

std::string WhyGone(const Profile& profile, std::span<const MicroOp> pending, const KeptSet& kept,
                    size_t index) {
  const Fate& fate = kept[index];
  if (fate.kept) return fate.torn_sectors == 0 ? "" : "D2: torn by sectors on its way to the disk";
  KeptSet otherwise = kept;
  otherwise[index] = {.kept = true};
  const std::string objection = WhyNotAllowed(profile, pending, otherwise);
  if (!objection.empty()) {
    return absl::StrCat(objection.substr(0, objection.find(':')), ": not without what is lost");
  }
  const MicroOp& op = pending[index];
  const auto is_owed_by_file = [&](const MicroOp& other) {
    return other.inode == op.inode && !other.IsName();
  };
  switch (op.kind) {
    case MicroKind::kPage:
      return "D1: its file was not synced since";
    case MicroKind::kSize:
    case MicroKind::kShrink:
    case MicroKind::kAlloc:
      return "D8: its file was not synced since";
    case MicroKind::kAdd:
      if (std::any_of(pending.begin(), pending.end(), is_owed_by_file)) break;
      return "D13, D14: its directory was not synced since, and a file's sync carries no name";
    case MicroKind::kDel:
      return "D15: undone, since its directory was not synced";
    case MicroKind::kRename:
      break;
  }
  return "D13: its directory was not synced since";
}

}  // namespace kiban::sim
